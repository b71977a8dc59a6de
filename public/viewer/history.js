/**
 * What has been shown: a toast must never be the only copy of what it says.
 *
 * @import { Envelope, Reason, Toast } from "./wire.d.ts"
 *
 * @typedef {object} Memory
 * @property {string} id
 * @property {Toast} toast
 * @property {number} at - when it came, in ms since 1970
 * @property {Reason} [reason] - why it went
 * @property {boolean} isNew - came since the history was last looked at, and was not seen on the screen
 */

/** How many are remembered. */
const capacity = 200;

const none = new Set();

export class History {
  /** @type {Map<string, Memory>} Oldest first. */
  #memories = new Map();

  /** Newest first. */
  get all() {
    return [...this.#memories.values()].reverse();
  }

  get unread() { return this.unreadBeside(none); }

  /** How many are new beside these, which are about to be seen. @param {ReadonlySet<string>} ids */
  unreadBeside(ids) {
    return [...this.#memories.values()].filter(({ id, isNew }) => isNew && !ids.has(id)).length;
  }

  /** @param {Envelope} event */
  take(event) {
    switch (event.type) {
      case "snapshot":
        for (const { toast } of event.presented) { this.#add(toast, Date.parse(event.at)); }
        break;
      case "presented":
        this.#add(event.toast, Date.parse(event.at));
        break;
      case "updated": {
        const memory = this.#memories.get(event.toast.id);
        if (memory) { memory.toast = event.toast; }
        break;
      }
      case "dismissed": {
        const memory = this.#memories.get(event.id);
        if (memory) { memory.reason = event.dismissReason; }
      }
    }
  }

  /**
   * These are on the screen.
   *
   * @param {Iterable<string>} ids
   */
  see(ids) {
    for (const id of ids) {
      const memory = this.#memories.get(id);
      if (memory) { memory.isNew = false; }
    }
  }

  /** All of it has been looked at. */
  read() {
    this.see(this.#memories.keys());
  }

  clear() {
    this.#memories.clear();
  }

  /**
   * @param {Toast} toast
   * @param {number} at
   */
  #add(toast, at) {
    const known = this.#memories.get(toast.id);
    if (known) {
      known.toast = toast;
      return;
    }
    this.#memories.set(toast.id, { id: toast.id, toast, at, isNew: true });
    if (this.#memories.size > capacity) { this.#memories.delete([...this.#memories.keys()][0]); }
  }
}
