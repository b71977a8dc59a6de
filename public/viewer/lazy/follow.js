/**
 * A toast that follows a promise.
 *
 * @import { Outcomes, ToastViewer } from "../../toast-viewer.d.ts"
 * @import { Role } from "../wire.d.ts"
 */

import { optionsOf } from "../text.js";

/**
 * @template Value
 * @param {ToastViewer} viewer
 * @param {Promise<Value>} work
 * @param {Outcomes<Value>} outcomes
 */
export function follow(viewer, work, { loading, success, error }) {
  const { duration = undefined, ...rest } = optionsOf(loading);
  const id = viewer.show({ ...rest, duration: "indefinite", progress: { indeterminate: true } });
  const end = (/** @type {Role} */ role, /** @type {any} */ words) => (/** @type {any} */ result) => viewer.update(id, {
    role, duration, progress: undefined, ...optionsOf(typeof words === "function" ? words(result) : words),
  });
  work.then(end("success", success), end("error", error));
}
