/**
 * A channel's HTTP API, as far as this page needs it.
 *
 * @import { Settings, Toast } from "../viewer/wire.d.ts"
 */

/** An answer other than 2xx: a problem document. */
export class Problem extends Error {
  /** @param {{ title?: string, detail?: string, errors?: { pointer: string, detail: string }[] }} document */
  constructor({ title = "The server did not answer", detail, errors = [] }) {
    const lines = errors.map((issue) => `${issue.pointer}: ${issue.detail}`);
    super([title, lines.length ? lines.join("; ") : detail].filter(Boolean).join(". "));
  }
}

export class Channel {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.address = new URL(`v1/channels/${name}/`, document.baseURI);
  }

  get toastsAddress() {
    return new URL("toasts", this.address);
  }

  /**
   * @param {object} toast
   * @returns {Promise<Toast>}
   */
  post(toast) {
    return this.#fetch("POST", "toasts", toast);
  }

  /** @returns {Promise<{ toasts: Toast[] }>} Presented first, then queued in the order they will come. */
  toasts() {
    return this.#fetch("GET", "toasts");
  }

  /**
   * @param {string} id
   * @param {object} patch
   * @returns {Promise<Toast>}
   */
  update(id, patch) {
    return this.#fetch("PATCH", `toasts/${id}`, patch, "application/merge-patch+json");
  }

  /** @param {string} id */
  remove(id) {
    return this.#fetch("DELETE", `toasts/${id}`);
  }

  clear() {
    return this.#fetch("DELETE", "toasts");
  }

  /** @returns {Promise<{ audience?: Record<string, number>, settings: Settings }>} */
  describe() {
    return this.#fetch("GET", "");
  }

  /** @param {Settings} patch */
  configure(patch) {
    return this.#fetch("PATCH", "settings", patch, "application/merge-patch+json");
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {string} [type]
   */
  async #fetch(method, path, body, type = "application/json") {
    const address = path ? new URL(path, this.address) : this.address.href.slice(0, -1);
    const response = await fetch(address, {
      method,
      body: body && JSON.stringify(body),
      headers: body && { "content-type": type },
    }).catch(() => { throw new Problem({}); });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) { throw new Problem(answer); }
    return answer;
  }
}
