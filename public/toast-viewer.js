/** Defines `<toast-viewer channel="ops">`, and exports `toast("Saved")`: docs/embed.md. */

import { ToastViewer } from "./viewer/element.js";

// If the page has loaded another copy of this file, that one is used.
let Defined = /** @type {typeof ToastViewer | undefined} */ (customElements.get("toast-viewer"));
if (!Defined) {
  Defined = ToastViewer;
  customElements.define("toast-viewer", Defined);
}

export { Defined as ToastViewer };
export { toast } from "./viewer/toast.js";
