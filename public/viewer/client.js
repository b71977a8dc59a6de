/**
 * What a person does with a toast, sent to the server.
 *
 * @import { PersonsReason } from "./wire.d.ts"
 */

import { tokenOf } from "./credentials.js";

/** The server refused; `status` says why. 0 when it was not reached. */
export class Refusal extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`The server answered ${status}.`);
    this.status = status;
  }
}

/** Seconds that a hold lives unless it is renewed. */
const lease = 10;

export class Client {
  #channel;

  /** @param {URL} channel - ends in "/" */
  constructor(channel) {
    this.#channel = channel;
  }

  /**
   * @param {string} id
   * @param {PersonsReason} reason
   */
  dismiss(id, reason) {
    return this.#send("POST", `toasts/${id}/dismiss`, { reason });
  }

  /**
   * @param {string} id
   * @param {string} action
   */
  act(id, action) {
    return this.#send("POST", `toasts/${id}/actions/${encodeURIComponent(action)}`);
  }

  /**
   * Stop a toast's countdown for everybody; to be renewed within the lease.
   *
   * @param {string} id
   * @param {string} holder
   */
  hold(id, holder) {
    return this.#send("PUT", `toasts/${id}/holds/${holder}`, { lease });
  }

  /**
   * @param {string} id
   * @param {string} holder
   */
  release(id, holder) {
    return this.#send("DELETE", `toasts/${id}/holds/${holder}`);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async #send(method, path, body) {
    const shown = tokenOf(this.#channel) && await (await import("./tickets.js")).authorization(this.#channel);
    const response = await fetch(new URL(path, this.#channel), {
      method,
      body: body && JSON.stringify(body),
      headers: { ...body && { "content-type": "application/json" }, ...shown },
    }).catch(() => { throw new Refusal(0); });
    if (!response.ok) { throw new Refusal(response.status); }
  }
}
