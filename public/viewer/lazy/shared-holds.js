/**
 * What somebody looks at here stays for everybody: holds on the server, where the page allows it.
 *
 * Each is a lease that this viewer renews, so that a tab that dies holds nothing for long.
 */

/** Seconds that a hold lives unless it is renewed. */
const lease = 10;

/** Milliseconds, half of it. */
const renewal = 5000;

/** Leases at a time; a stack may be longer. */
const most = 10;

export class SharedHolds {
  /** Leases by toast, with the timers that renew them. @type {Map<string, ReturnType<typeof setInterval> | undefined>} */
  #leases = new Map();
  /** What was sent last about each toast: a hold that comes after its release would stay. @type {Map<string, Promise<boolean | void>>} */
  #sent = new Map();
  #post;
  // Not crypto.randomUUID: viewers also live on plain http.
  #holder = `viewer-${crypto.getRandomValues(new Uint32Array(2)).join("")}`;

  /** @param {(method: string, id: string, path: string, body?: object) => Promise<boolean | undefined>} post */
  constructor(post) { this.#post = post; }

  /**
   * Hold these on the server, and no others.
   *
   * @param {readonly string[]} ids
   * @param {readonly string[]} [live] - those that are not over; a hold ends with its toast
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
    const go = () => this.#post(method, id, `holds/${this.#holder}`, body);
    // With nothing on the way at once: the connection may be about to close.
    const sent = (this.#sent.get(id)?.then(go) ?? go()).catch(() => {});
    this.#sent.set(id, sent);
    sent.then(() => { if (this.#sent.get(id) === sent) { this.#sent.delete(id); } });
    return sent;
  }
}
