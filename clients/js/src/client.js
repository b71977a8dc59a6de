import { ConnectionLost } from "./errors.js";
import { encoded, listed, newKey, segment, send, serverURL, sleep, usualAttempts } from "./requests.js";
import { ToastStream } from "./stream.js";

/**
 * @import { Draft, Hold, PersonsReason, PublicationResults, Toast, ToastPage } from "./wire.d.ts"
 * @import { Token } from "./requests.js"
 * @import { StreamOptions } from "./stream.js"
 *
 * @typedef {{ signal?: AbortSignal }} RequestOptions - aborted, it ends the request and its repetition
 */

/** A server. */
export class ToastClient {
  #options;
  url;

  /** @param {string | URL} url @param {{ token?: Token, attempts?: number, fetch?: typeof globalThis.fetch }} [options] */
  constructor(url, options = {}) {
    this.url = serverURL(url);
    // Paths are relative, so that the server may be below a path of a proxy.
    if (!this.url.pathname.endsWith("/")) { this.url.pathname += "/"; }
    const { token, attempts, fetch } = options;
    this.#options = { token, attempts: attempts ?? usualAttempts, fetch: fetch ?? globalThis.fetch };
  }

  /** @param {string} name */
  channel(name) {
    return new ChannelClient(this, name);
  }

  /** The events of several channels. @param {string[]} channels @param {StreamOptions} [options] */
  stream(channels, options = {}) {
    const url = new URL("v1/stream", this.url);
    for (const name of listed(channels)) { url.searchParams.append("channel", name); }
    return this.open(url, options);
  }

  /**
   * Publishes one toast to several channels.
   *
   * @param {string[]} channels @param {Draft | string} toast @param {RequestOptions} [options]
   * @returns {Promise<PublicationResults>}
   */
  async publishTo(channels, toast, { signal } = {}) {
    const options = { body: { channels: listed(channels), toast: draft(toast) }, key: newKey(), signal };
    return (await this.send("POST", "v1/toasts", options)).json();
  }

  /** @param {URL} url @param {StreamOptions} options */
  open(url, options) {
    const { token, fetch } = this.#options;
    return new ToastStream(url, { ...options, token: options.token ?? token, fetch: options.fetch ?? fetch });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, type?: string, key?: string, revision?: number, until?: number,
   *   withdraw?: boolean, signal?: AbortSignal, isRepeatable?: boolean }} [options]
   */
  send(method, path, options = {}) {
    const { body, type = "application/json", key, revision, signal } = options;
    /** @type {Record<string, string>} */
    const headers = {};
    if (body !== undefined) { headers["Content-Type"] = type; }
    if (key) { headers["Idempotency-Key"] = key; }
    if (revision !== undefined) { headers["If-Match"] = `"${revision}"`; }
    const text = body === undefined ? undefined : encoded(body);
    const { until, withdraw, isRepeatable = true } = options;
    const limits = { until, withdraw, isRepeatable };
    return send(new URL(path, this.url), { method, headers, body: text, signal }, { ...this.#options, ...limits });
  }
}

/** A channel of a server. */
export class ChannelClient {
  #server;
  #path;

  /** @param {ToastClient} server @param {string} name */
  constructor(server, name) {
    this.#server = server;
    this.#path = `v1/channels/${segment(name)}`;
  }

  /**
   * Publishes a toast. A lost response is no risk: the request is repeated under the same idempotency key. So is one that
   * the server cannot accept yet, as when the channel's queue is full (429).
   *
   * @param {Draft | string} toast @param {{ key?: string } & RequestOptions} [options] @returns {Promise<Toast>}
   */
  async publish(toast, { key = newKey(), signal } = {}) {
    return (await this.#server.send("POST", `${this.#path}/toasts`, { body: draft(toast), key, signal })).json();
  }

  /**
   * Publishes up to 100 toasts: either all or none.
   *
   * @param {(Draft | string)[]} toasts @param {RequestOptions} [options] @returns {Promise<Toast[]>}
   */
  async publishBatch(toasts, { signal } = {}) {
    const options = { body: toasts.map(draft), key: newKey(), signal };
    return toastsOf((await this.#server.send("POST", `${this.#path}/toasts`, options)).json());
  }

  /**
   * Publishes a toast and waits until it ends, for `wait` seconds at most, also over restarts of the server. The pressed
   * action is in `action`. A toast whose `state` is not `dismissed` has not ended in time.
   *
   * @param {Draft | string} toast
   * @param {{ wait?: number, withdraw?: boolean, key?: string, signal?: AbortSignal }} [options]
   * @returns {Promise<Toast>}
   */
  async ask(toast, { wait = Infinity, withdraw = false, key = newKey(), signal } = {}) {
    const until = Date.now() + wait * 1000;
    const options = { body: draft(toast), key, until, withdraw, signal };
    for (;;) {
      const response = await this.#server.send("POST", `${this.#path}/toasts`, options);
      if (response.status !== 202 || Date.now() >= until - 500) { return response.json(); }
      // A server that stops answers all who wait at once.
      await sleep(Math.min(1, Math.max(0, until - Date.now()) / 1000), signal);
    }
  }

  /**
   * All toasts in their order.
   *
   * @param {"queued" | "presented" | "dismissed"} [state] @param {RequestOptions} [options] @returns {Promise<Toast[]>}
   */
  async toasts(state, { signal } = {}) {
    /** @type {Toast[]} */
    const found = [];
    /** @type {string | undefined} */
    let after;
    do {
      const page = await this.page({ state, after, signal });
      found.push(...toastsOf(page));
      after = page.next;
    } while (after);
    return found;
  }

  /**
   * A page of the list. A stream `since` its cursor continues without a gap.
   *
   * @param {{ state?: string, after?: string } & RequestOptions} [options] @returns {Promise<ToastPage>}
   */
  async page({ state, after, signal } = {}) {
    const query = new URLSearchParams({ ...(state ? { state } : {}), ...(after ? { after } : {}) });
    return (await this.#server.send("GET", `${this.#path}/toasts?${query}`, { signal })).json();
  }

  /** @param {string} id @param {RequestOptions} [options] @returns {Promise<Toast>} */
  async get(id, { signal } = {}) {
    return (await this.#server.send("GET", this.#toast(id), { signal })).json();
  }

  /**
   * Changes a toast; with `revision` only if it is still that one. Then it is sent only once, because the first request
   * changes the revision: after `ConnectionLost` it is not known whether the toast was changed.
   *
   * @param {string} id @param {Partial<Draft>} members @param {{ revision?: number } & RequestOptions} [options]
   * @returns {Promise<Toast>}
   */
  async patch(id, members, { revision, signal } = {}) {
    const isRepeatable = revision === undefined;
    const options = { body: members, type: "application/merge-patch+json", revision, signal, isRepeatable };
    return (await this.#server.send("PATCH", this.#toast(id), options)).json();
  }

  /** Takes a toast back (reason `api`). @param {string} id @param {{ revision?: number } & RequestOptions} [options] */
  async delete(id, { revision, signal } = {}) {
    await this.#server.send("DELETE", this.#toast(id), { revision, signal });
  }

  /**
   * Reports that a person dismissed a presented toast.
   *
   * @param {string} id
   * @param {PersonsReason} [reason]
   * @param {RequestOptions} [options]
   * @returns {Promise<Toast>}
   */
  async dismiss(id, reason = "close", { signal } = {}) {
    const options = { body: { dismissReason: reason }, signal };
    return (await this.#server.send("POST", `${this.#toast(id)}/dismiss`, options)).json();
  }

  /**
   * Reports that a person pressed an action of a presented toast. It is sent only once, because the server records every
   * press of an action that does not dismiss its toast: after `ConnectionLost` it is not known whether it was recorded.
   *
   * @param {string} id
   * @param {string} action
   * @param {RequestOptions} [options]
   * @returns {Promise<Toast>}
   */
  async act(id, action, { signal } = {}) {
    const path = `${this.#toast(id)}/actions/${segment(action)}`;
    return (await this.#server.send("POST", path, { signal, isRepeatable: false })).json();
  }

  /**
   * Stops a toast's countdown.
   *
   * @param {string} id @param {string} holder @param {number} [lease] @param {RequestOptions} [options] @returns {Promise<Hold>}
   */
  async hold(id, holder, lease = 10, { signal } = {}) {
    return (await this.#server.send("PUT", this.#hold(id, holder), { body: { lease }, signal })).json();
  }

  /** @param {string} id @param {string} holder @param {RequestOptions} [options] */
  async release(id, holder, { signal } = {}) {
    await this.#server.send("DELETE", this.#hold(id, holder), { signal });
  }

  /** The channel's events, for ever. @param {StreamOptions} [options] */
  stream(options = {}) {
    return this.#server.open(new URL(`${this.#path}/stream`, this.#server.url), options);
  }

  /** @param {string} id */
  #toast(id) {
    return `${this.#path}/toasts/${segment(id)}`;
  }

  /** @param {string} id @param {string} holder */
  #hold(id, holder) {
    return `${this.#toast(id)}/holds/${segment(holder)}`;
  }
}

/** @param {Draft | string} toast @returns {Draft} */
const draft = (toast) => (typeof toast === "string" ? { message: toast } : toast);

/** @param {{ toasts?: Toast[] }} document @returns {Toast[]} */
function toastsOf({ toasts }) {
  if (Array.isArray(toasts)) { return toasts; }
  throw new ConnectionLost(new Error("the answer is not one of toastd: it has no list of toasts"));
}
