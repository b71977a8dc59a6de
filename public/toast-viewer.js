/** Defines `<toast-viewer channel="ops">`, and gives `toast("Saved")`: docs/embed.md. */

import { ToastViewer } from "./viewer/element.js";

// Of two copies of this file on a page the first one is it.
let Defined = /** @type {typeof ToastViewer | undefined} */ (customElements.get("toast-viewer"));
if (!Defined) {
  Defined = ToastViewer;
  customElements.define("toast-viewer", Defined);
}

export { Defined as ToastViewer };
export { toast } from "./viewer/toast.js";
