/**
 * A toast that follows a promise.
 *
 * @import { LocalOptions, Outcomes, ToastViewer } from "../../toast-viewer.d.ts"
 * @import { optionsOf } from "../text.js"
 * @import { Role } from "../wire.d.ts"
 */

/**
 * @template Value
 * @param {ToastViewer} viewer
 * @param {Promise<Value>} work
 * @param {Outcomes<Value>} outcomes
 * @param {typeof optionsOf<LocalOptions>} asOptions - given, so that it is loaded once
 */
export function follow(viewer, work, { loading, success, error }, asOptions) {
  const { duration = undefined, ...rest } = asOptions(loading);
  const id = viewer.show({ ...rest, duration: "indefinite", progress: { indeterminate: true } });
  const end = (/** @type {Role} */ role, /** @type {any} */ words) => async (/** @type {any} */ result) => {
    try {
      const said = asOptions(typeof words === "function" ? words(result) : words);
      const outcome = { role, duration, progress: undefined, ...said };
      // The outcome is shown also if the toast was dismissed before.
      if (!await viewer.update(id, outcome)) { viewer.show({ ...rest, ...outcome }); }
    } catch (fault) {
      viewer.dismiss(id);
      throw fault;
    }
  };
  work.then(end("success", success), end("error", error));
}
