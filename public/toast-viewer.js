/**
 * Defines `<toast-viewer>`.
 *
 *     <script type="module" src="https://host/toast-viewer.js"></script>
 *     <toast-viewer channel="ops"></toast-viewer>
 *
 *     import { toast } from "https://host/toast-viewer.js";
 *     toast("Saved");
 */

import { ToastViewer } from "./viewer/element.js";

if (!customElements.get("toast-viewer")) { customElements.define("toast-viewer", ToastViewer); }

export { ToastViewer };
export { toast } from "./viewer/toast.js";
