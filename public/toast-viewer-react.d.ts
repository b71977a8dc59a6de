/** `<toast-viewer>` in the JSX of React: `import type {} from "…/toast-viewer-react.d.ts"`. */

import type { ToastViewerAttributes } from "./toast-viewer.d.ts";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "toast-viewer": ToastViewerAttributes;
    }
  }
}
