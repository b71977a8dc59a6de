/**
 * Toasts that a person touches here stay for everybody: holds on the server, where the page allows it.
 *
 * Each hold is a lease that this viewer renews: when a tab dies, its holds end with the lease.
 */

/** Seconds that a hold lives unless it is renewed. */
const lease = 10;

/** Milliseconds between renewals: half a lease. */
const renewal = 5000;

/** The most toasts to hold at a time; a stack may have more. */
const most = 10;

export class SharedHolds {
  /**
   * The timers that renew leases, by toast; undefined if the server refused the hold.
   *
   * @type {Map<string, ReturnType<typeof setInterval> | undefined>}
   */
  #leases = new Map();
  /**
   * The last request about each toast. The next waits for it: a hold that arrives after its release would stay.
   *
   * @type {Map<string, Promise<boolean | void>>}
   */
  #sent = new Map();
  #post;
  // Not crypto.randomUUID, which plain http does not have.
  #holder = `viewer-${crypto.getRandomValues(new Uint32Array(2)).join("")}`;

  /** @param {import("./answers.js").Answers["post"]} post */
  constructor(post) { this.#post = post; }

  /**
   * Hold these toasts on the server, and release the others.
   *
   * @param {readonly string[]} ids
   * @param {readonly string[]} [live] - the toasts that are not over: only these need a release; absent: all need one
   */
  share(ids, live) {
    const wanted = new Set(ids.slice(0, most));
    for (const [id, timer] of this.#leases) {
      if (wanted.has(id)) { continue; }
      // A hold that the server has refused needs no release.
      if (timer && (!live || live.includes(id))) { this.#send("DELETE", id); }
      clearInterval(timer);
      this.#leases.delete(id);
    }
    for (const id of wanted) {
      if (this.#leases.has(id)) { continue; }
      const renew = async () => {
        if (await this.#send("PUT", id, { lease })) { return; }
        clearInterval(this.#leases.get(id));
        if (this.#leases.has(id)) { this.#leases.set(id, undefined); }
      };
      this.#leases.set(id, setInterval(renew, renewal));
      renew();
    }
  }

  /** @param {string} method @param {string} id @param {object} [body] */
  #send(method, id, body) {
    const sent = this.#post(method, id, `holds/${this.#holder}`, body, this.#sent.get(id)).catch(() => {});
    this.#sent.set(id, sent);
    sent.then(() => { if (this.#sent.get(id) === sent) { this.#sent.delete(id); } });
    return sent;
  }
}
