/**
 * The stream of a page: the channel that its viewer watches, and the state of the connection in the header.
 *
 * @import { ToastViewer } from "../viewer/element.js"
 * @import { Connection } from "../viewer/wire.d.ts"
 * @import { Session } from "./session.js"
 */

import { find } from "./elements.js";
import { t } from "./language.js";

/** @param {Connection} state @param {string} [word] - the last part of the message key */
function show(state, word = state) {
  const sign = find("[data-connection]");
  sign.dataset.connection = state;
  find("[data-word]", sign).textContent = t(`connection.${word}`);
}

/**
 * Show the state of a viewer's connection, and load the session when the caller may have changed.
 *
 * @param {ToastViewer} viewer
 * @param {Session} session
 */
export function follow(viewer, session) {
  viewer.addEventListener("toast-connection", (event) => {
    const { state } = /** @type {CustomEvent<{ state: Connection }>} */ (event).detail;
    show(state);
    // The session could not be loaded while the server was away.
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
