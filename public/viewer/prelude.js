/**
 * The first toasts, before the rest is there or where it does not come: they come and go plainly, and what the rest has
 * to know of it is kept.
 *
 * @import { Screen } from "./screen.js"
 * @import { Presented, ViewState } from "./view.d.ts"
 * @import { Envelope } from "./wire.d.ts"
 */

/** What a person does with the toasts: it is done again when the rest is there. */
const kinds = ["pointerenter", "pointerover", "pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave", "keydown", "click", "focusin"];

/** How many of these are kept, and how many events of the server's. */
const mostTouches = 500;
const mostEvents = 2000;

/** How many toasts are on the screen at a time. */
const room = 10;

export class Prelude {
  /** What the server said. @type {Envelope[]} */
  envelopes = [];
  /** What a person did. @type {{ event: Event, target: EventTarget | null }[]} */
  touches = [];
  /** Since when each toast is on the screen. @type {Map<string, number>} */
  seen = new Map();
  /** Whether something came while nobody could see it. */
  wasHidden = false;
  /** What the page has set. @type {boolean | undefined} */
  isPaused;
  #screen;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    for (const kind of kinds) { screen.region.addEventListener(kind, this.#touch, { passive: true }); }
  }

  /** @param {Event} event */
  #touch = (event) => {
    // With a shelf, the rest is there. In a shadow tree an event forgets its target when it is over.
    if (!this.#screen.shelf && this.touches.length < mostTouches) { this.touches.push({ event, target: event.target }); }
  };

  /** @param {Envelope} envelope @returns {boolean} whether that was too much to be kept: then the server has to say anew what is */
  take(envelope) {
    this.wasHidden ||= document.hidden;
    if (this.envelopes.push(envelope) <= mostEvents) { return false; }
    this.envelopes = [];
    for (const id of this.seen.keys()) { if (!this.#screen.shown.has(id)) { this.seen.delete(id); } }
    return true;
  }

  /** Show what has come, as far as there is room. @param {ViewState} state */
  show({ presented, settings }) {
    this.#screen.configure(settings);
    for (const entry of presented) {
      const { toast: { id }, remaining } = entry;
      // At 0 it was out of time before it was seen, and its dismissal is on the way.
      if (remaining === 0 || this.seen.has(id) || this.#screen.shown.size === room) { continue; }
      this.seen.set(id, performance.now());
      this.#screen.show(entry);
    }
  }

  /** Take away at once what is no longer there. @param {readonly Presented[]} presented */
  sweep(presented) {
    const there = new Set(presented.map(({ toast }) => toast.id));
    for (const id of this.#screen.shown.keys()) { if (!there.has(id)) { this.#screen.drop(id, "api"); } }
  }

  /** Let a toast be shown once more. @param {string} id */
  drop(id) {
    this.#screen.drop(id, "api");
    this.seen.delete(id);
  }

  clear() {
    this.envelopes = [];
    this.seen.clear();
  }
}
