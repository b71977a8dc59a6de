/**
 * The stream of a page: which channel its viewer watches, and what the header says about the connection.
 *
 * @import { ToastViewer } from "../viewer/element.js"
 * @import { Connection } from "../viewer/wire.d.ts"
 * @import { Session } from "./session.js"
 */

import { find } from "./elements.js";
import { t } from "./language.js";

/** @param {Connection} state @param {string} [word] - the last part of the key of what is said */
function show(state, word = state) {
  const sign = find("[data-connection]");
  sign.dataset.connection = state;
  find("[data-word]", sign).textContent = t(`connection.${word}`);
}

/**
 * Show the state of a viewer's connection, and ask who the caller is when it may have changed.
 *
 * @param {ToastViewer} viewer
 * @param {Session} session
 */
export function follow(viewer, session) {
  viewer.addEventListener("toast-connection", (event) => {
    const { state } = /** @type {CustomEvent<{ state: Connection }>} */ (event).detail;
    show(state);
    // The server was away, and with it the answer to who we are.
    if (state === "open" && !session.caller) { session.load(); }
  });
  // The session has ended, or its key was revoked.
  viewer.addEventListener("toast-unauthorized", () => session.load());
}

/**
 * Watch a channel, if the caller may.
 *
 * @param {ToastViewer} viewer
 * @param {Session} session
 * @param {string} channel
 */
export function watch(viewer, session, channel) {
  const watched = session.may("subscribe", channel) ? channel : "";
  if (viewer.channel !== watched) { viewer.channel = watched; }
  if (!watched) { show("closed", "refused"); }
}
