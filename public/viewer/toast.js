/**
 * `toast("Saved")`: toasts that the page itself shows, in its viewer.
 *
 * @import { LocalOptions, Outcomes } from "../toast-viewer.d.ts"
 * @import { Role } from "./wire.d.ts"
 */

import { tokenOf } from "./credentials.js";
import { home } from "./sheets.js";
import { loaded, optionsOf } from "./text.js";

/** The page's viewer; if there is none, a new one without a server. */
function viewer() {
  const found = document.querySelector("toast-viewer");
  if (found) { return found; }
  const made = document.createElement("toast-viewer");
  made.local = true;
  // Its script may run before there is a body.
  return (document.body ?? document.documentElement).appendChild(made);
}

/** @param {string | Error | LocalOptions} message @param {LocalOptions} [options] @returns {string} its id */
const show = (message, options) => viewer().show(message, options);

/** @param {Role} role @returns {typeof show} */
const of = (role) => (message, options) => show(message, { ...options, role });

export const toast = Object.assign(show, {
  success: of("success"),
  error: of("error"),
  warning: of("warning"),
  info: of("info"),

  /** @param {string} id @param {string | Error | LocalOptions} message @param {LocalOptions} [options] */
  update: (id, message, options) => viewer().update(id, message, options),

  /** @param {string} [id] - without it, all */
  dismiss: (id) => viewer().dismiss(id),

  /**
   * Show that work goes on, then its outcome.
   *
   * @template Value
   * @param {PromiseLike<Value> | (() => PromiseLike<Value> | Value)} promise - a function that throws has failed
   * @param {Outcomes<Value>} words
   * @returns {Promise<Value>} the promise
   */
  promise(promise, words) {
    const work = typeof promise === "function" ? new Promise((resolve) => resolve(promise())) : Promise.resolve(promise);
    // `follow` shows a failure, but may be loaded after it.
    work.catch(() => {});
    loaded(() => import("./lazy/local-channel.js")).then(({ follow }) => follow(viewer(), work, words, optionsOf));
    return work;
  },

  /**
   * Publish to a channel of the server.
   *
   * @param {string} channel
   * @param {string | Error | object} message
   * @param {object} [options]
   * @returns {Promise<import("./wire.d.ts").Toast>}
   */
  publish: (channel, message, options) => import("./lazy/requests.js").then(({ publish }) => (
    publish(document.querySelector("toast-viewer")?.getAttribute("src") || home, channel, optionsOf(message, options), tokenOf)
  )),
});
