/**
 * What has been shown: a toast must never be the only copy of what it says.
 *
 * @import { Memory } from "../toast-viewer.d.ts"
 * @import { Envelope, Toast } from "./wire.d.ts"
 */

import { isSilenced } from "./preferences.js";

/** How many are remembered. */
const capacity = 200;

export class History {
  /** How many toasts have come, read or not, since this was last set to 0; without those that were not to disturb. */
  came = 0;
  /** Oldest first. @type {Memory[]} */
  #memories = [];

  /** Newest first. */
  get all() {
    return [...this.#memories].reverse();
  }

  /** How many are new, without those that are about to be seen. @param {ReadonlySet<string>} [ids] */
  unread(ids = new Set()) {
    return this.#memories.filter(({ id, isNew }) => isNew && !ids.has(id)).length;
  }

  /** @param {Envelope} event */
  take(event) {
    if (event.type === "snapshot" || event.type === "presented") {
      for (const { toast } of event.type === "snapshot" ? event.presented : [event]) {
        this.#add(toast, Date.parse(toast.presentedAt ?? event.at));
      }
    } else if (event.type === "updated") {
      Object.assign(this.#find(event.toast.id) ?? {}, { toast: event.toast });
    } else if (event.type === "dismissed") {
      Object.assign(this.#find(event.id) ?? {}, { reason: event.dismissReason });
    }
  }

  /** These are on the screen. @param {Iterable<string>} ids */
  see(ids) {
    const seen = new Set(ids);
    for (const memory of this.#memories) { memory.isNew &&= !seen.has(memory.id); }
  }

  /** Forget all toasts but those that stay. @param {(toast: Toast) => boolean} stays */
  clear(stays) {
    this.#memories = this.#memories.filter(({ toast }) => stays(toast));
    this.came = 0;
  }

  /** @param {Toast} toast @param {number} at */
  #add(toast, at) {
    const { id } = toast;
    const memory = this.#find(id);
    // A toast that has gone keeps its memory when its id is reused.
    if (memory) { memory.toast = toast; } else {
      this.#memories = [...this.#memories, { id, toast, at, isNew: true }].slice(-capacity);
      this.came += Number(!isSilenced(toast));
    }
  }

  /** The memory of a toast that has not gone. @param {string} id */
  #find(id) { return this.#memories.findLast((it) => it.id === id && !it.reason); }
}
