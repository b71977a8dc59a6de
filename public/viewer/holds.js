/**
 * Which toasts are looked at, and so must not go away.
 *
 * A toast is held while there is a reason: the pointer rests on it, the focus is in it, a finger
 * drags it. Held locally, its dismissal waits here; shared, the server stops its countdown for all.
 *
 * @import { Client } from "./client.js"
 */

/** Half of the lease that the client asks for, in ms. */
const renewal = 5000;

export class Holds {
  /** @type {Map<string, { reasons: Set<string>, timer?: ReturnType<typeof setInterval> }>} */
  #held = new Map();
  #client;
  #isShared;
  #released;
  // Not crypto.randomUUID: viewers also live on plain http.
  #holder = `viewer-${crypto.getRandomValues(new Uint32Array(2)).join("")}`;

  /**
   * @param {Client} client
   * @param {() => boolean} isShared
   * @param {() => void} released - called when a toast is let go
   */
  constructor(client, isShared, released) {
    this.#client = client;
    this.#isShared = isShared;
    this.#released = released;
  }

  /** @param {string} id */
  has(id) {
    return this.#held.has(id);
  }

  /**
   * @param {string} id
   * @param {string} reason
   */
  add(id, reason) {
    const hold = this.#held.get(id);
    if (hold) {
      hold.reasons.add(reason);
      return;
    }
    const renew = () => this.#client.hold(id, this.#holder).catch(() => this.#stop(id));
    const isShared = this.#isShared();
    this.#held.set(id, { reasons: new Set([reason]), timer: isShared ? setInterval(renew, renewal) : undefined });
    if (isShared) { renew(); }
  }

  /**
   * @param {string} id
   * @param {string} [reason] - without one, all of them
   */
  remove(id, reason) {
    const hold = this.#held.get(id);
    if (!hold) { return; }
    if (reason) { hold.reasons.delete(reason); }
    if (reason && hold.reasons.size) { return; }
    // A hold that the server has forgotten needs no release.
    if (hold.timer) { this.#client.release(id, this.#holder).catch(() => {}); }
    this.#stop(id);
    this.#held.delete(id);
    this.#released();
  }

  clear() {
    for (const id of [...this.#held.keys()]) { this.remove(id); }
  }

  /**
   * No more renewals; the toast stays held here.
   *
   * @param {string} id
   */
  #stop(id) {
    const hold = this.#held.get(id);
    clearInterval(hold?.timer);
    if (hold) { hold.timer = undefined; }
  }
}
