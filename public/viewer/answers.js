/**
 * What a person answers to toasts, on its way to the server: at once on the screen, and again if it was not heard.
 *
 * @import { ChannelConnection } from "./connection.js"
 * @import { DisplayTimers } from "./display-timers.js"
 * @import { LocalChannel } from "./lazy/local-channel.js"
 * @import { Screen } from "./screen.js"
 * @import { ToastLifecycle } from "./toast-lifecycle.js"
 * @import { ViewState } from "./view.d.ts"
 * @import { Action } from "./wire.d.ts"
 *
 * @typedef {object} Means
 * @property {Screen} screen
 * @property {ReadonlyMap<string, ViewState>} states - by channel
 * @property {ToastLifecycle} lifecycle
 * @property {DisplayTimers} timers
 * @property {ChannelConnection} connection
 * @property {(name: string, detail: object, isCancelable?: boolean) => boolean} tell - dispatches an event
 * @property {() => void} schedule - draw soon
 * @property {() => LocalChannel | undefined} local - the page's own toasts, if there are any
 */

import { after } from "./text.js";

/** Milliseconds until what did not come, or was not heard, is tried again. */
export const retry = 5000;

export class Answers {
  /** The dismissals that the server has not heard of, by toast. @type {Map<string, object>} */
  #unsent = new Map();
  #means;

  /** @param {Means} means */
  constructor(means) { this.#means = means; }

  /** A person presses an action. @param {string} id @param {Action} action */
  act(id, action) {
    const { screen, tell } = this.#means;
    const { card, entry } = screen.shown.get(id) ?? {};
    if (!card || card.isEnded || card.isLeaving || !tell("toast-action", { id, toast: entry?.toast, action }, true)) { return; }
    const path = `actions/${encodeURIComponent(action.id)}`;
    if (action.dismisses === undefined) { return this.send(id, path); }
    // It leaves its toast where it is. What comes of it, the server says.
    this.post("POST", id, path);
  }

  /**
   * Let a toast go at once, and send what a person did. If the server was not reached, an action has not been taken, so
   * its toast comes back; a dismissal is sent again.
   *
   * @param {string} id
   * @param {string} path
   * @param {object} [body]
   */
  async send(id, path, body) {
    const { connection, lifecycle, schedule, timers } = this.#means;
    lifecycle.hide(id);
    const isLive = this.#channelOf(id) !== undefined;
    timers.dismiss(id);
    schedule();
    if (!isLive || await this.post("POST", id, path, body) !== undefined) { return; }
    if (!body) {
      timers.dismiss(id, false);
      return lifecycle.comeBack(id);
    }
    this.#unsent.set(id, body);
    after(retry).then(() => { if (connection.connection === "open") { this.resend(); } });
  }

  /**
   * Tell the server what a person did with a toast.
   *
   * @param {string} method
   * @param {string} id
   * @param {string} path - below the toast
   * @param {object} [body]
   */
  async post(method, id, path, body) {
    const local = this.#means.local();
    if (local?.has(id)) { return local.perform(id, path, body); }
    return this.#means.connection.send(this.#channelOf(id) ?? "", method, `toasts/${id}/${path}`, body);
  }

  /** The server is there again, perhaps. */
  resend() {
    for (const [id, body] of this.#unsent) {
      this.#unsent.delete(id);
      this.send(id, "dismiss", body);
    }
  }

  clear() { this.#unsent.clear(); }

  /** The channel that shows a toast. @param {string} id */
  #channelOf(id) {
    for (const [channel, { presented }] of this.#means.states) {
      if (presented.some(({ toast }) => toast.id === id)) { return channel; }
    }
    return undefined;
  }
}
