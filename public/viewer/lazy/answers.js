/**
 * What a person answers to toasts, on its way to the server: at once on the screen, and again if it was not heard. Loaded
 * with the first toast.
 *
 * @import { ChannelConnection } from "../connection.js"
 * @import { DisplayTimers } from "../display-timers.js"
 * @import { LazyPart } from "../lazy-part.js"
 * @import { LocalChannel } from "./local-channel.js"
 * @import { Screen } from "../screen.js"
 * @import { ToastLifecycle } from "./toast-lifecycle.js"
 * @import { ViewState } from "../view.d.ts"
 * @import { Action } from "../wire.d.ts"
 * @import { refuse, tokenOf } from "../credentials.js"
 *
 * @typedef {object} Means
 * @property {Screen} screen
 * @property {ReadonlyMap<string, ViewState>} states - by channel
 * @property {LazyPart<ToastLifecycle>} lifecycle
 * @property {DisplayTimers} timers
 * @property {ChannelConnection} connection
 * @property {(name: string, detail: object, isCancelable?: boolean) => boolean} tell - dispatches an event
 * @property {() => void} schedule - draw soon
 * @property {() => LocalChannel | undefined} local - the page's own toasts, if there are any
 * @property {(id: string) => void} drop - takes a toast away at once
 * @property {typeof tokenOf} tokenOf
 * @property {typeof refuse} refuse
 */

/** Milliseconds until what was not heard is tried again. */
const retry = 5000;

export class Answers {
  /** The dismissals that the server has not heard of, by toast. @type {Map<string, object>} */
  #unsent = new Map();
  /** The toasts about which something is on its way. @type {Set<string>} */
  #going = new Set();
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
    const { connection, drop, lifecycle, schedule, timers } = this.#means;
    if (this.#going.has(id)) { return; }
    this.#going.add(id);
    // Without it an action waits on the screen for what comes of it.
    lifecycle.get().then((it) => it.hide(id), () => { if (body) { drop(id); } });
    const isLive = this.#channelOf(id) !== undefined;
    timers.dismiss(id);
    schedule();
    const isHeard = !isLive || await this.post("POST", id, path, body) !== undefined;
    this.#going.delete(id);
    if (isHeard) { return; }
    if (!body) {
      timers.dismiss(id, false);
      return lifecycle.part?.comeBack(id);
    }
    this.#unsent.set(id, body);
    setTimeout(() => { if (connection.connection === "open") { this.resend(); } }, retry);
  }

  /**
   * Tell the server what a person did with a toast.
   *
   * @param {string} method
   * @param {string} id
   * @param {string} path - below the toast
   * @param {object} [body]
   * @returns {Promise<boolean | undefined>} whether the server did it; undefined when it was not reached or is ill: then
   *   it did not happen. If it refuses, somebody else was first.
   */
  async post(method, id, path, body) {
    const { connection, local, refuse, tokenOf } = this.#means;
    const own = local();
    if (own?.has(id)) { return own.perform(id, path, body); }
    const address = connection.addressOf(this.#channelOf(id) ?? "", `toasts/${id}/${path}`);
    const token = tokenOf(address);
    try {
      const shown = token && await (await import("./requests.js")).authorization(token);
      const headers = { ...body && { "content-type": "application/json" }, ...shown };
      const response = await fetch(address, { method, body: body && JSON.stringify(body), headers });
      if (!response.ok) { refuse(address, response.status); }
      return response.status < 500 ? response.ok : undefined;
    } catch {
      return undefined;
    }
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
