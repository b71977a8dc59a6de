/**
 * The events of the channel, newest first.
 *
 * @import { Envelope } from "../viewer/wire.d.ts"
 */

import { isolated } from "./elements.js";
import { t } from "./language.js";
import { wordsOf } from "./toast-words.js";

const limit = 200;

export class Log {
  #list;
  /** @type {Map<string, string>} What a toast says, by its id: most events only have the id. */
  #words = new Map();

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list;
  }

  clear() {
    this.#list.replaceChildren();
  }

  /** @param {Envelope} envelope */
  take(envelope) {
    const item = document.createElement("li");
    item.dataset.type = envelope.type;
    const time = document.createElement("time");
    time.dateTime = envelope.at;
    time.textContent = clock(envelope.at);
    const type = document.createElement("b");
    type.textContent = envelope.type;
    const words = document.createElement("span");
    words.textContent = this.#describe(envelope);
    item.append(time, type, words);
    this.#list.prepend(item);
    while (this.#list.childElementCount > limit) { this.#list.lastElementChild?.remove(); }
  }

  /** @param {Envelope} envelope */
  #describe(envelope) {
    if ("toast" in envelope) { this.#remember(envelope.toast.id, wordsOf(envelope.toast)); }
    switch (envelope.type) {
      case "snapshot":
        for (const { toast } of envelope.presented) { this.#remember(toast.id, wordsOf(toast)); }
        return t("log.snapshot", { presented: envelope.presented.length, waiting: envelope.queuedCount })
          + (envelope.reset ? t("log.cut") : "");
      case "enqueued":
        return this.#quote(envelope.toast.id);
      case "presented":
        return `${this.#quote(envelope.toast.id)} ${envelope.remaining === undefined ? t("log.stays") : t("log.for", { seconds: envelope.remaining })}`;
      case "updated":
        return `${this.#quote(envelope.toast.id)} ${envelope.changed.join(", ")}`;
      case "acted":
        return `${this.#quote(envelope.id)} ${envelope.action}`;
      case "dismissed":
        return `${this.#quote(envelope.id)} ${t("log.by", { reason: envelope.action ?? t(`reason.${envelope.dismissReason}`) })}`;
      case "held":
      case "released":
        return `${this.#quote(envelope.id)} ${envelope.remaining === undefined ? "" : t("log.left", { seconds: envelope.remaining })}`;
      case "configured":
        return `${envelope.effective.mode}`;
      case "shutdown":
        return t("log.back", { seconds: envelope.retry });
      default:
        return "";
    }
  }

  /**
   * @param {string} id
   * @param {string} words
   */
  #remember(id, words) {
    this.#words.set(id, words);
    if (this.#words.size > 2 * limit) { this.#words.delete([...this.#words.keys()][0]); }
  }

  /** @param {string} id */
  #quote(id) {
    const words = this.#words.get(id) ?? id.slice(0, 8);
    return t("log.quote", { words: isolated(words.length > 40 ? `${words.slice(0, 39)}…` : words) });
  }
}

/**
 * The local time of day, to the millisecond.
 *
 * @param {string} at
 */
function clock(at) {
  const date = new Date(at);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
