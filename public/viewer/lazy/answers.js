/**
 * Sends a person's answers to the server. They show on the screen at once; a dismissal that does not get through is
 * sent again. Loaded with the first toast.
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

/** Milliseconds until a dismissal that did not get through is sent again. */
const retry = 5000;

/** Stands for the status of a request without a response. */
const unreached = 0;

/** Whether the page needs another credential: the same request would be refused again. @param {number} status */
const isForbidden = (status) => status === 401 || status === 403;

/** Whether the server has decided: it accepted the request, or another person was first. @param {number} status */
const isDecided = (status) => status && status < 500 && ![401, 403, 408, 429].includes(status);

export class Answers {
  /** The bodies of dismissals to send again, by toast. @type {Map<string, object>} */
  #unsent = new Map();
  /** The toasts with a request on its way. @type {Set<string>} */
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
    // The toast stays: the server's events say what comes of the action.
    this.post("POST", id, path);
  }

  /**
   * Play a toast's exit at once, and send the answer. If the server does not decide on an action, the toast comes back.
   * A dismissal is sent again, unless the page lacks the permission: then the toast comes back, too.
   *
   * @param {string} id
   * @param {string} path
   * @param {object} [body]
   */
  async send(id, path, body) {
    const { connection, drop, lifecycle, schedule, timers } = this.#means;
    if (this.#going.has(id)) { return; }
    this.#going.add(id);
    // Pass the focus on before the page's listeners run: a dialog that they open returns it to where it was.
    if (lifecycle.part) { lifecycle.part.hide(id); } else {
      // If it does not load, a dismissed toast is dropped; one with a pressed action waits for the server.
      lifecycle.get().then((it) => it.hide(id), () => { if (body) { drop(id); } });
    }
    const isLive = this.#channelOf(id) !== undefined;
    timers.dismiss(id);
    schedule();
    let status = 200;
    // An `onPress` of the page may throw.
    try { if (isLive) { status = await this.#request("POST", id, path, body); } } finally { this.#going.delete(id); }
    if (isDecided(status)) { return; }
    if (!body || isForbidden(status)) {
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
   * @param {Promise<unknown>} [previous] - a request to wait for; the toast's channel is the one of now
   * @returns {Promise<boolean | undefined>} whether the server accepted it; false also when another person was first;
   *   undefined if it did not decide: it was not reached, failed or was too busy, the page lacks a permission, or the
   *   toast does not have the action
   */
  async post(method, id, path, body, previous) {
    const status = await this.#request(method, id, path, body, previous);
    return isDecided(status) ? status < 300 : undefined;
  }

  /**
   * @param {string} method
   * @param {string} id
   * @param {string} path
   * @param {object} [body]
   * @param {Promise<unknown>} [previous]
   * @returns {Promise<number>} the status
   */
  async #request(method, id, path, body, previous) {
    const { connection, local, refuse, tokenOf } = this.#means;
    const own = local();
    if (own?.has(id)) {
      own.perform(id, path, body);
      return 200;
    }
    const address = connection.addressOf(this.#channelOf(id) ?? "", `toasts/${id}/${path}`);
    // Else sent at once: the page may be about to close.
    if (previous) { await previous; }
    const token = tokenOf(address);
    try {
      const shown = token && await (await import("./requests.js")).authorization(token);
      const headers = { ...body && { "content-type": "application/json" }, ...shown };
      // An answer is kept alive, because a listener of the page may navigate. Holds are not: browsers limit the number.
      const response = await fetch(address, {
        method, body: body && JSON.stringify(body), headers, keepalive: method === "POST", signal: AbortSignal.timeout(2e4),
      });
      const { ok, status } = response;
      if (!ok) { refuse(address, status); }
      // `action-not-found`: the toast is still presented, without this action.
      return status === 404 && (await response.text()).includes("action-not") ? unreached : status;
    } catch {
      return unreached;
    }
  }

  /** Send the dismissals that did not get through again. */
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
