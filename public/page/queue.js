/**
 * The queue as the server has it: what is on the screen with the time it has left, what waits and in which order.
 *
 * @import { Envelope, Toast } from "../viewer/wire.d.ts"
 * @import { ViewState } from "../viewer/state.js"
 * @import { Channel } from "./channel.js"
 */

import { emptyState, reduce } from "../viewer/state.js";
import { text, titleOf } from "../viewer/text.js";

/** Events after which the queue may be another one. */
const changes = ["snapshot", "resumed", "enqueued", "presented", "updated", "dismissed", "configured"];

export class Queue {
  #list;
  #empty;
  #watching;
  #channel;
  /** @type {ViewState} */
  #state = emptyState;
  /** @type {Toast[]} */
  #toasts = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} section
   * @param {() => Channel} channel
   */
  constructor(section, channel) {
    this.#list = /** @type {HTMLElement} */ (section.querySelector("[data-queue]"));
    this.#empty = /** @type {HTMLElement} */ (section.querySelector("[data-empty]"));
    this.#watching = /** @type {HTMLElement} */ (section.querySelector("[data-watching]"));
    this.#channel = channel;
  }

  /** @param {Envelope} envelope */
  take(envelope) {
    this.#state = reduce(this.#state, envelope);
    if (envelope.type === "held" || envelope.type === "released") { this.#draw(); }
    // The order is the server's business: ask for it, but not for each event of a burst.
    if (changes.includes(envelope.type) && !this.#timer) { this.#timer = setTimeout(() => this.#load(), 60); }
  }

  async #load() {
    this.#timer = undefined;
    const channel = this.#channel();
    try {
      const [{ toasts }, { audience = {} }] = await Promise.all([channel.toasts(), channel.describe()]);
      if (channel !== this.#channel()) { return; }
      this.#toasts = toasts;
      const watching = Object.values(audience).reduce((sum, count) => sum + count, 0);
      this.#watching.textContent = watching === 1 ? "1 watching" : `${watching} watching`;
      this.#draw();
    } catch {
      // The stream says by itself when the server is away, and what changed when it is back.
    }
  }

  #draw() {
    this.#empty.hidden = this.#toasts.length > 0;
    this.#list.replaceChildren(...this.#toasts.slice(0, 50).map((toast, index) => this.#item(toast, index)));
    if (this.#toasts.length > 50) {
      const rest = document.createElement("li");
      rest.dataset.state = "rest";
      rest.textContent = `and ${this.#toasts.length - 50} more`;
      this.#list.append(rest);
    }
  }

  /**
   * @param {Toast} toast
   * @param {number} index
   */
  #item(toast, index) {
    const item = document.createElement("li");
    item.dataset.role = toast.role;
    item.dataset.state = toast.state;
    const place = document.createElement("span");
    place.textContent = toast.state === "presented" ? "now" : String(index + Number(this.#toasts[0].state !== "presented"));
    const words = document.createElement("p");
    words.textContent = text(toast.message) || titleOf(toast);
    const about = document.createElement("small");
    about.textContent = `${toast.role}, ${toast.style}, ${toast.duration === "indefinite" ? "stays" : `${toast.duration} s`}`;
    const remove = document.createElement("button");
    remove.type = "button";
    remove.ariaLabel = `Dismiss: ${words.textContent}`;
    remove.textContent = "×";
    remove.addEventListener("click", () => this.#channel().remove(toast.id).catch(() => {}));
    item.append(place, words, about, remove);
    this.#drain(item, toast);
    return item;
  }

  /**
   * The time that is left, as a line that gets shorter.
   *
   * @param {HTMLElement} item
   * @param {Toast} toast
   */
  #drain(item, toast) {
    const entry = this.#state.presented.find((it) => it.toast.id === toast.id);
    if (entry?.remaining === undefined || typeof toast.duration !== "number") { return; }
    item.style.setProperty("--duration", `${toast.duration}s`);
    item.style.setProperty("--gone", `${entry.remaining - toast.duration}s`);
    item.toggleAttribute("data-held", entry.holders.length > 0);
  }
}
