/**
 * What has been shown: a toast must never be the only copy of what it says.
 *
 * @import { Memory } from "../toast-viewer.d.ts"
 * @import { Envelope, Toast } from "./wire.d.ts"
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

  /** How many are new beside these, which are about to be seen. @param {ReadonlySet<string>} [ids] */
  unread(ids = none) {
    return [...this.#memories.values()].filter(({ id, isNew }) => isNew && !ids.has(id)).length;
  }

  /** @param {Envelope} event */
  take(event) {
    if (event.type === "snapshot" || event.type === "presented") {
      for (const { toast } of event.type === "snapshot" ? event.presented : [event]) { this.#add(toast, Date.parse(event.at)); }
    } else if (event.type === "updated") {
      this.#change(event.toast.id, { toast: event.toast });
    } else if (event.type === "dismissed") {
      this.#change(event.id, { reason: event.dismissReason });
    }
  }

  /**
   * These are on the screen.
   *
   * @param {Iterable<string>} ids
   */
  see(ids) {
    for (const id of ids) { this.#change(id, { isNew: false }); }
  }

  /** Forget all toasts but those that stay. @param {(toast: Toast) => boolean} stays */
  clear(stays) {
    for (const [id, { toast }] of this.#memories) { if (!stays(toast)) { this.#memories.delete(id); } }
  }

  /** @param {Toast} toast @param {number} at */
  #add(toast, at) {
    const { id } = toast;
    if (this.#change(id, { toast })) { return; }
    this.#memories.set(id, { id, toast, at, isNew: true });
    if (this.#memories.size > capacity) { this.#memories.delete([...this.#memories.keys()][0]); }
  }

  /** @param {string} id @param {Partial<Memory>} members @returns {Memory | undefined} what is remembered of it */
  #change(id, members) {
    const memory = this.#memories.get(id);
    return memory && Object.assign(memory, members);
  }
}
