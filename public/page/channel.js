/**
 * The part of a channel's HTTP API that this page uses.
 *
 * @import { Settings, Toast } from "../viewer/wire.d.ts"
 *
 * @typedef {{ pointer: string, detail: string }} Issue - an error or warning about a member
 * @typedef {{ own: Settings, effective: Settings, sources?: Record<string, string>, warnings?: Issue[] }} SettingsAnswer
 * @typedef {{ name: string, summary: string }} Preset
 */

import { t } from "./language.js";

/** A response other than 2xx, as its problem document; or no whole response. */
export class Problem extends Error {
  /**
   * @param {{ title?: string, detail?: string, errors?: Issue[] }} document
   * @param {number} [status] - absent when the server was not reached
   */
  constructor({ title = t("problem.away"), detail, errors = [] }, status) {
    super([title, errors.length ? "" : detail].filter(Boolean).join(" "));
    this.issues = errors;
    this.status = status;
  }
}

/** Milliseconds in which a request must be answered, as in the client libraries. */
const patience = 20_000;

/**
 * Send a request to the server.
 *
 * @param {string} method
 * @param {string | URL} address - relative to the page's
 * @param {object} [body] - sent as JSON
 * @param {Record<string, string>} [fields] - header fields
 * @throws {Problem} if the server refused the request, was not reached, or did not answer it whole and in time
 */
export async function request(method, address, body, fields = {}) {
  const headers = { ...body && { "content-type": "application/json" }, ...fields };
  const signal = AbortSignal.timeout(patience);
  const response = await fetch(new URL(address, document.baseURI), { method, body: body && JSON.stringify(body), headers, signal })
    .catch(() => { throw new Problem({}); });
  // A response may be empty, as to DELETE. One that is cut off is no answer.
  const answer = await response.text().then((text) => text ? JSON.parse(text) : {}).catch(() => undefined);
  if (!response.ok || !answer) { throw new Problem(answer ?? {}, response.status); }
  return answer;
}

/**
 * Await work on a toast that may end meanwhile: that it is gone is no failure.
 *
 * @param {Promise<unknown>} work
 */
export async function unlessGone(work) {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404 && error.status !== 409) { throw error; }
  }
}

/** Whether a channel may have this name. */
export const isChannelName = (/** @type {string} */ name) => /^[A-Za-z0-9_-]{1,64}$/.test(name);

const asPatch = { "content-type": "application/merge-patch+json" };

export class Channel {
  /** Whether a request from outside of this browser needs a key. */
  needsKey = false;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.address = new URL(`v1/channels/${name}/`, document.baseURI);
  }

  get toastsAddress() {
    return new URL("toasts", this.address);
  }

  get settingsAddress() {
    return new URL("settings", this.address);
  }

  /**
   * @param {object} toast
   * @returns {Promise<Toast & { warnings?: Issue[] }>}
   */
  post(toast) {
    return this.#fetch("POST", "toasts", toast);
  }

  /**
   * @param {string} id
   * @param {object} patch
   * @returns {Promise<Toast>}
   */
  update(id, patch) {
    return this.#fetch("PATCH", `toasts/${id}`, patch, asPatch);
  }

  /** @param {string} id */
  remove(id) {
    return this.#fetch("DELETE", `toasts/${id}`);
  }

  clear() {
    return this.#fetch("DELETE", "toasts");
  }

  /** @returns {Promise<{ audience?: Record<string, number> }>} */
  describe() {
    return this.#fetch("GET", "");
  }

  /** @returns {Promise<SettingsAnswer>} */
  settings() {
    return this.#fetch("GET", "settings");
  }

  /**
   * @param {object} patch
   * @returns {Promise<SettingsAnswer>}
   */
  configure(patch) {
    return this.#fetch("PATCH", "settings", patch, asPatch);
  }

  unconfigure() {
    return this.#fetch("DELETE", "settings");
  }

  /** @returns {Promise<Preset[]>} None from a server that has none. */
  async presets() {
    const answer = await this.#fetch("GET", new URL("v1/presets", document.baseURI)).catch(() => ({}));
    return answer.presets ?? [];
  }

  /**
   * @param {string} method
   * @param {string | URL} path
   * @param {object} [body]
   * @param {Record<string, string>} [fields] - header fields
   */
  #fetch(method, path, body, fields) {
    return request(method, path ? new URL(path, this.address) : this.address.href.slice(0, -1), body, fields);
  }
}
