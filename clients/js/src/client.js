import { ProblemError, UnexpectedAnswer } from "./errors.js";
import { documentOf, encoded, listed, newKey, segment, send, serverURL, sleep, usualAttempts } from "./requests.js";
import { ToastStream } from "./stream.js";

/**
 * @import {
 *   AskOptions, ClientOptions, Draft, Filter, Hold, PersonsReason, PublicationResults, RequestOptions, ShownToast,
 *   StreamOptions, Toast, ToastBatch, ToastPage, UpdatedToasts
 * } from "./index.d.ts"
 * @import { Answer, Call, Limits, Server } from "./requests.js"
 */

/** Milliseconds in which a question is repeated under its idempotency key: a server keeps it for at least an hour. */
const publicationTime = 3_000_000;

/** Milliseconds for a request that goes on when its caller has ended. */
const lastCallTime = 5000;

/** How often a list is begun anew, because the toast after which the next page begins is no longer in it. */
const maximumRestarts = 5;

/** The address and the options of each client. @type {WeakMap<ToastClient, Server>} */
const servers = new WeakMap();

/** @param {ToastClient} client @returns {Server} */
function serverOf(client) {
  const server = servers.get(client);
  if (!server) { throw new TypeError("a ToastClient is needed"); }
  return server;
}

/** A server. */
export class ToastClient {
  url;

  /** @param {string | URL} url @param {ClientOptions} [options] */
  constructor(url, options = {}) {
    this.url = serverURL(url);
    // Paths are relative, so that the server may be below a path of a proxy.
    if (!this.url.pathname.endsWith("/")) { this.url.pathname += "/"; }
    const { token, attempts = usualAttempts, fetch = globalThis.fetch } = options;
    servers.set(this, { url: this.url, token, attempts, fetch });
  }

  /** @param {string} name */
  channel(name) {
    return new ChannelClient(this, name);
  }

  /** The events of several channels. @param {string[]} channels @param {StreamOptions} [options] */
  stream(channels, options = {}) {
    const query = new URLSearchParams(listed(channels).map((name) => ["channel", name]));
    return streamOf(serverOf(this), `v1/stream?${query}`, options);
  }

  /**
   * Publishes one toast to several channels. The same call with the same `key` tries those again that refused it.
   *
   * @param {string[]} channels @param {Draft | string} toast @param {{ key?: string } & RequestOptions} [options]
   * @returns {Promise<PublicationResults>}
   */
  async publishTo(channels, toast, { key, signal } = {}) {
    const body = encoded({ channels: listed(channels), toast: draft(toast) });
    const publication = { method: "POST", path: "v1/toasts", body, key: keyFrom(key) };
    return withResults(documentOf(await send(serverOf(this), publication, { signal })));
  }
}

/** A channel of a server. */
export class ChannelClient {
  #server;
  #path;

  /** @param {ToastClient} server @param {string} name */
  constructor(server, name) {
    this.#server = serverOf(server);
    this.#path = `v1/channels/${segment(name)}`;
  }

  /**
   * Publishes a toast. If the response is lost, the request is repeated under the same idempotency key. It is also
   * repeated while the server cannot accept it, for example while the channel's queue is full (429).
   *
   * @param {Draft | string} toast @param {{ key?: string } & RequestOptions} [options]
   * @returns {Promise<ShownToast>}
   */
  async publish(toast, { key, signal } = {}) {
    const publication = { method: "POST", path: this.#toasts, body: encoded(draft(toast)), key: keyFrom(key) };
    return withId(await this.#request(publication, { signal }));
  }

  /**
   * Publishes up to 100 toasts: either all or none.
   *
   * @param {(Draft | string)[]} toasts @param {{ key?: string } & RequestOptions} [options]
   * @returns {Promise<ToastBatch>}
   */
  async publishBatch(toasts, { key, signal } = {}) {
    const publication = { method: "POST", path: this.#toasts, body: encoded(toasts.map(draft)), key: keyFrom(key) };
    return withToasts(await this.#request(publication, { signal }));
  }

  /**
   * Publishes a toast and waits until it ends, for `wait` seconds at most, also over restarts of the server. The
   * pressed action is in `action`. A toast whose `state` is not `dismissed` has not ended in time.
   *
   * Until `publicationTime` is over, the publication is repeated under its key, and the server waits for the same
   * toast. After that the toast is read, which needs the scope `subscribe`: a forgotten key would publish it again. A
   * publication whose first answer never came has no id to read, and is repeated under its key; after the server's
   * idempotency hours it may be published twice.
   *
   * @param {Draft | string} toast @param {AskOptions} [options] @returns {Promise<ShownToast>}
   */
  async ask(toast, { wait = Infinity, withdraw = false, key, signal } = {}) {
    // `performance.now` may stand still while this machine is suspended, and `Date.now` may be set back: the age of the
    // server's key is the greater one. `wait` ends by `performance.now`, which nothing sets.
    const [start, begun] = [Date.now(), performance.now()];
    const age = () => Math.max(Date.now() - start, performance.now() - begun);
    if (!(wait > -Infinity)) { throw new TypeError(`"wait" is ${wait}; a number of seconds is needed.`); }
    const until = begun + wait * 1000;
    const body = encoded(draft(toast));
    const publication = { method: "POST", path: this.#toasts, body, key: keyFrom(key), withdraw };
    /** @type {Call | undefined} */
    let reading;
    /** The id of the toast that this question made. @type {string | undefined} */
    let own;
    const current = () => (reading && age() > publicationTime ? reading : publication);
    try {
      for (;;) {
        const answer = await send(this.#server, current, { until, signal });
        /** @type {ShownToast} */
        const shown = withState(withId(documentOf(answer)));
        if (shown.state === "dismissed" || performance.now() >= until - 500) { return shown; }
        if (isOfNewToast(answer)) { own = shown.id; }
        reading = { method: "GET", path: this.#toast(shown.id) };
        // A pause, because a server that stops answers all waiting requests at once.
        await sleep(Math.min(1, Math.max(0, until - performance.now()) / 1000), signal);
      }
    } catch (error) {
      // The server withdraws the toast itself only when a connection that publishes is lost, not while this client
      // reads the toast or pauses. Like the server, this client spares a toast that existed before: where the channel
      // deduplicates, or with `whenPresent`, it can be another publisher's.
      if (withdraw && own) { this.#withdraw(own); }
      throw error;
    }
  }

  /**
   * All toasts in their order, presented ones first. The list is read again from its beginning if the last toast of a
   * page has left it meanwhile: five times at most, then `ProblemError` (404) is thrown.
   *
   * @param {"queued" | "presented" | "dismissed"} [state] @param {RequestOptions} [options] @returns {Promise<Toast[]>}
   */
  async toasts(state, { signal } = {}) {
    // By id, because a toast that moves between the requests of two pages may be on both.
    /** @type {Map<string, Toast>} */
    const found = new Map();
    /** @type {string | undefined} */
    let after;
    for (let restarts = 0; ;) {
      try {
        const page = await this.page({ state, after, signal });
        for (const toast of page.toasts) { found.set(toast.id, toast); }
        after = page.next;
        if (!after) { return [...found.values()]; }
      } catch (error) {
        const isGone = after && error instanceof ProblemError && error.type === "toast-not-found";
        if (!isGone || restarts === maximumRestarts) { throw error; }
        restarts += 1;
        found.clear();
        after = undefined;
      }
    }
  }

  /**
   * The page of the list after the toast `after`. A stream `since` its cursor continues without a gap.
   *
   * @param {{ state?: Toast["state"], after?: string } & RequestOptions} [options] @returns {Promise<ToastPage>}
   */
  async page({ state, after, signal } = {}) {
    const query = new URLSearchParams({ ...(state ? { state } : {}), ...(after ? { after } : {}) });
    return withToasts(await this.#request({ method: "GET", path: `${this.#toasts}?${query}` }, { signal }));
  }

  /** @param {string} id @param {RequestOptions} [options] @returns {Promise<Toast>} */
  async get(id, { signal } = {}) {
    return withId(await this.#request({ method: "GET", path: this.#toast(id) }, { signal }));
  }

  /**
   * Changes a toast; with `revision` only if the toast still has it. Then the request is sent only once, because it
   * changes the revision: after `ConnectionLost`, 502, 504 or 503 `store-undecided` it is unknown whether the toast was
   * changed.
   *
   * @param {string} id @param {Partial<Draft>} members @param {{ revision?: number } & RequestOptions} [options]
   * @returns {Promise<ShownToast>}
   */
  async patch(id, members, { revision, signal } = {}) {
    const isRepeatable = revision === undefined;
    return withId(await this.#request({ ...change(this.#toast(id), members), revision }, { signal, isRepeatable }));
  }

  /**
   * Changes all toasts with a `reuseIdentifier`: all or none. The answer has as many as fit into 256 KiB, and at least
   * one.
   *
   * @param {string} reuseIdentifier @param {Partial<Draft>} members @param {RequestOptions} [options]
   * @returns {Promise<UpdatedToasts>}
   */
  async patchAll(reuseIdentifier, members, { signal } = {}) {
    const query = new URLSearchParams({ reuseIdentifier });
    return withToasts(await this.#request(change(`${this.#toasts}?${query}`, members), { signal }));
  }

  /**
   * Dismisses a toast (reason `api`). One that has already ended is returned unchanged, with the `action` if one was
   * pressed.
   *
   * @param {string} id @param {{ revision?: number } & RequestOptions} [options] @returns {Promise<ShownToast>}
   */
  async delete(id, { revision, signal } = {}) {
    return withId(await this.#request({ method: "DELETE", path: this.#toast(id), revision }, { signal }));
  }

  /**
   * Dismisses all toasts, or those that match all members of a filter, and returns their number. The request is sent
   * only once, because a second one would dismiss toasts that were published meanwhile: after `ConnectionLost`, 502,
   * 504 or 503 `store-undecided` it is unknown whether toasts were dismissed.
   *
   * @param {Filter} [filter] @param {RequestOptions} [options] @returns {Promise<number>}
   */
  async clear(filter = {}, { signal } = {}) {
    for (const [name, value] of Object.entries(filter)) {
      // `URLSearchParams` would write an undefined value as "undefined", and other toasts would be dismissed.
      if (typeof value !== "string") { throw new TypeError(`"${name}" is ${value}; a text is needed.`); }
    }
    const path = `${this.#toasts}?${new URLSearchParams({ ...filter })}`;
    return withCount(await this.#request({ method: "DELETE", path }, { signal, isRepeatable: false })).dismissedCount;
  }

  /**
   * Reports that a person dismissed a presented toast.
   *
   * @param {string} id @param {PersonsReason} [reason] @param {RequestOptions} [options]
   * @returns {Promise<ShownToast>}
   */
  async dismiss(id, reason = "close", { signal } = {}) {
    const body = encoded({ dismissReason: reason });
    return withId(await this.#request({ method: "POST", path: `${this.#toast(id)}/dismiss`, body }, { signal }));
  }

  /**
   * Reports that a person pressed an action of a presented toast. The request is sent only once, because the server
   * records every press of an action that does not dismiss its toast: after `ConnectionLost`, 502, 504 or 503
   * `store-undecided` it is unknown whether the press was recorded.
   *
   * @param {string} id @param {string} action @param {RequestOptions} [options] @returns {Promise<ShownToast>}
   */
  async act(id, action, { signal } = {}) {
    const path = `${this.#toast(id)}/actions/${segment(action)}`;
    return withId(await this.#request({ method: "POST", path }, { signal, isRepeatable: false }));
  }

  /**
   * Stops a toast's countdown for `lease` seconds. The same `holder` may renew the hold.
   *
   * @param {string} id @param {string} holder @param {number} [lease] @param {RequestOptions} [options]
   * @returns {Promise<Hold>}
   */
  async hold(id, holder, lease = 10, { signal } = {}) {
    const body = encoded({ lease });
    return withId(await this.#request({ method: "PUT", path: this.#hold(id, holder), body }, { signal }));
  }

  /** @param {string} id @param {string} holder @param {RequestOptions} [options] */
  async release(id, holder, { signal } = {}) {
    await send(this.#server, { method: "DELETE", path: this.#hold(id, holder) }, { signal });
  }

  /** The channel's events, without end. @param {StreamOptions} [options] */
  stream(options = {}) {
    return streamOf(this.#server, `${this.#path}/stream`, options);
  }

  /** Dismisses a toast by one request, whose failure nobody learns. @param {string} id */
  async #withdraw(id) {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), lastCallTime);
    try {
      const call = { method: "DELETE", path: this.#toast(id) };
      await send(this.#server, call, { isRepeatable: false, signal: control.signal });
    } catch { /* The caller gets the error that ended its question. */ } finally { clearTimeout(timer); }
  }

  /** @param {Call} call @param {Limits} limits */
  async #request(call, limits) {
    return documentOf(await send(this.#server, call, limits));
  }

  get #toasts() {
    return `${this.#path}/toasts`;
  }

  /** @param {string} id */
  #toast(id) {
    return `${this.#toasts}/${segment(id)}`;
  }

  /** @param {string} id @param {string} holder */
  #hold(id, holder) {
    return `${this.#toast(id)}/holds/${segment(holder)}`;
  }
}

/** @param {Draft | string} toast @returns {Draft} */
const draft = (toast) => (typeof toast === "string" ? { message: toast } : toast);

/** @param {string} path @param {Partial<Draft>} members @returns {Call} */
const change = (path, members) =>
  ({ method: "PATCH", path, body: encoded(members), type: "application/merge-patch+json" });

/**
 * The caller's key, or a new one. An empty text or `null` is no key: a repetition without one would publish again.
 *
 * @param {string | null | undefined} key
 */
const keyFrom = (key) => key || newKey();

/**
 * Whether the toast of an answer is one that the request made: the server waited and would withdraw it, or could not
 * wait and answered at once.
 *
 * @param {Answer} answer
 */
const isOfNewToast = ({ response }) =>
  response.status === 201 || /\bwithdraw\b/.test(response.headers.get("Preference-Applied") ?? "");

// The JSON of another server lacks what every answer of toastd has.

/** @param {any} document @param {boolean} isThere @param {string} name @returns {any} */
function having(document, isThere, name) {
  if (isThere) { return document; }
  throw new UnexpectedAnswer(`it has no ${name}`);
}

/** A toast, a receipt or a hold. @param {any} document */
const withId = (document) => having(document, typeof document.id === "string", "id");

/** @param {any} document */
const withState = (document) => having(document, typeof document.state === "string", "state of a toast");

/** @param {any} document */
const withToasts = (document) => having(document, Array.isArray(document.toasts), "list of toasts");

/** @param {any} document */
const withResults = (document) => having(document, Array.isArray(document.results), "list of results");

/** @param {any} document */
const withCount = (document) => having(document, typeof document.dismissedCount === "number", "number of toasts");

/** @param {Server} server @param {string} path @param {StreamOptions} options */
function streamOf(server, path, options) {
  const { token = server.token, fetch = server.fetch } = options;
  return new ToastStream(new URL(path, server.url), { ...options, token, fetch });
}
