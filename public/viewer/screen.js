/**
 * The toasts on the screen: what the state says, as cards, with focus, keys and announcements.
 *
 * @import { Action, PersonsReason, Reason } from "./wire.d.ts"
 * @import { Presented, ViewState } from "./state.js"
 *
 * @typedef {object} Person - what a person does with the toasts
 * @property {(id: string, reason: PersonsReason) => void} dismiss
 * @property {(id: string, action: Action) => void} act
 * @property {(id: string, reason: string) => void} hold
 * @property {(id: string, reason?: string) => void} release
 * @property {(id: string) => boolean} isHeld
 * @property {(name: string, detail: object) => void} tell
 */

import { Announcer } from "./announcer.js";
import { Card } from "./card.js";
import { makeSwipeable } from "./gestures.js";
import { Shelf } from "./shelf.js";
import { adopt, knownStyle } from "./sheets.js";
import { spoken } from "./text.js";

/** Seconds of an exit that the server has not named. */
export const exitTime = 0.35;

/** Milliseconds after its time in which the server may still say that a toast is over. */
const grace = 2000;

/**
 * @typedef {object} Shown
 * @property {Card} card
 * @property {Presented} entry
 * @property {number} end - when its time is over, by our own monotonic clock
 */

export class Screen {
  layer = document.createElement("div");
  announcer = new Announcer();
  #shelf = new Shelf();
  #root;
  #person;
  /** @type {Map<string, Shown>} */
  #shown = new Map();

  /**
   * @param {ShadowRoot} root
   * @param {Person} person
   */
  constructor(root, person) {
    this.#root = root;
    this.#person = person;
    this.layer.setAttribute("part", "layer");
    this.layer.append(this.announcer.polite, this.announcer.assertive, this.#shelf.region);
    this.#shelf.region.addEventListener("keydown", (event) => this.#key(event));
    root.append(this.layer);
  }

  /** @param {string} label */
  set label(label) {
    this.#shelf.region.ariaLabel = label;
  }

  /** Show the layer above everything that is in the top layer by now. */
  raise() {
    if (!this.layer.popover || !this.layer.isConnected) { return; }
    // In one go, with no style read between: an animation that runs goes on.
    if (this.layer.matches(":popover-open")) { this.layer.hidePopover(); }
    this.layer.showPopover();
  }

  /** @param {ViewState} state */
  render({ presented, exits }) {
    for (const entry of presented) {
      const shown = this.#shown.get(entry.toast.id);
      if (shown) {
        if (shown.entry !== entry) { this.#update(shown, entry); }
      } else if (entry.remaining !== 0) {
        // At 0 it was out of time before it was seen, and its dismissal is on the way.
        this.#show(entry);
      }
    }
    const present = new Set(presented.map(({ toast }) => toast.id));
    for (const [id, { card }] of this.#shown) {
      if (present.has(id)) { continue; }
      if (this.#person.isHeld(id) && !card.isLeaving) {
        card.end();
      } else {
        const exit = exits.find((it) => it.id === id);
        this.#remove(id, exit?.exit ?? exitTime, exit?.reason ?? "api");
      }
    }
    this.layer.toggleAttribute("data-dimmed", presented.some(({ toast }) => toast.dimsBackground));
  }

  /** Take everything away at once. */
  clear() {
    for (const id of [...this.#shown.keys()]) { this.#remove(id, 0, "api"); }
  }

  /** Take away what the server, were it there, would have ended. */
  expire() {
    for (const [id, { card, end }] of this.#shown) {
      if (end + grace < performance.now() && !this.#person.isHeld(id) && !card.isLeaving) { this.hide(id); }
    }
  }

  /**
   * Play a toast's exit. It stays in reach until the server agrees.
   *
   * @param {string} id
   * @param {number} [seconds]
   */
  hide(id, seconds = exitTime) {
    const card = this.#shown.get(id)?.card;
    if (!card || card.isLeaving) { return; }
    if (card.hasFocus) { this.#passFocus(card); }
    card.leave(seconds);
    this.#person.release(id);
  }

  /**
   * Show a toast again whose dismissal did not reach the server.
   *
   * @param {string} id
   */
  comeBack(id) {
    this.#shown.get(id)?.card.comeBack();
  }

  /** Move the focus to the newest toast. */
  focus() {
    this.#cards()[0]?.focus();
  }

  /** The cards as they are seen and tabbed through. */
  #cards() {
    const { elements } = this.#shelf;
    return [...this.#shown.values()].map(({ card }) => card)
      .filter((card) => card.element.isConnected && !card.isLeaving)
      .sort((one, other) => elements.indexOf(one.element) - elements.indexOf(other.element));
  }

  /** @param {Presented} entry */
  #show(entry) {
    const { id } = entry.toast;
    const { hold, release } = this.#person;
    const card = new Card((action) => this.#act(id, action), (reason) => this.#close(id, reason));
    const { element } = card;
    element.addEventListener("pointerenter", ({ pointerType }) => {
      // A finger does not hover, it only looks like it, and never leaves.
      if (pointerType !== "touch") { hold(id, "hover"); }
    });
    element.addEventListener("pointerleave", () => release(id, "hover"));
    element.addEventListener("focusin", ({ target }) => {
      if (/** @type {Element} */ (target).matches(":focus-visible")) { hold(id, "focus"); }
    });
    element.addEventListener("focusout", () => release(id, "focus"));
    makeSwipeable(element, {
      placement: () => card.toast?.placement ?? "top",
      start: () => hold(id, "drag"),
      accept: () => this.#close(id, "swipe"),
      end: () => release(id, "drag"),
    });
    this.#shown.set(id, { card, entry, end: endOf(entry) });
    card.update(entry.toast);
    this.#adopt(entry).then(() => {
      if (this.#shown.get(id)?.card === card) { this.#insert(card, entry); }
    });
  }

  /** @param {Presented} entry */
  #adopt({ toast }) {
    return Promise.all([adopt(this.#root, "base"), adopt(this.#root, knownStyle(toast.style))]);
  }

  /**
   * @param {Card} card
   * @param {Presented} entry
   */
  #insert(card, entry) {
    if (this.#shelf.isEmpty) { this.raise(); }
    this.#shelf.place(card.element, entry.toast.placement);
    card.fit();
    this.#announce(entry);
    this.#person.tell("toast-show", { toast: entry.toast });
  }

  /**
   * @param {Shown} shown
   * @param {Presented} entry
   */
  async #update(shown, entry) {
    shown.entry = entry;
    shown.end = endOf(entry);
    await this.#adopt(entry);
    const { card } = shown;
    if (shown.entry !== entry || !card.element.isConnected) { return; }
    card.update(entry.toast);
    this.#shelf.place(card.element, entry.toast.placement);
    card.fit();
    this.#announce(entry);
    this.#person.tell("toast-update", { toast: entry.toast });
  }

  /** @param {Presented} entry */
  #announce({ toast, spoken: news }) {
    this.announcer.sayNews(toast.id, news, spoken(toast), toast.role === "error");
  }

  /**
   * @param {string} id
   * @param {number} seconds
   * @param {Reason} reason
   */
  #remove(id, seconds, reason) {
    this.hide(id, seconds);
    const card = this.#shown.get(id)?.card;
    this.#shown.delete(id);
    card?.exit.then(() => this.#shelf.take(card.element));
    this.#person.tell("toast-dismiss", { id, reason });
  }

  /**
   * @param {string} id
   * @param {PersonsReason} reason
   */
  #close(id, reason) {
    if (this.#shown.get(id)?.card.isEnded) { return this.#remove(id, exitTime, reason); }
    this.hide(id);
    this.#person.dismiss(id, reason);
  }

  /**
   * @param {string} id
   * @param {Action} action
   */
  #act(id, action) {
    const card = this.#shown.get(id)?.card;
    if (!card?.isEnded && !card?.isLeaving) { this.#person.act(id, action); }
  }

  /**
   * The focus of a toast that goes: to the next one, else the one before, else back where it came from.
   *
   * @param {Card} card
   */
  #passFocus(card) {
    const cards = this.#cards();
    const index = cards.indexOf(card);
    const next = cards[index + 1] ?? cards[index - 1];
    if (next) { next.focus(); } else { this.#shelf.giveBackFocus(); }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const cards = this.#cards();
    const index = cards.findIndex((card) => card.hasFocus);
    const id = cards[index]?.toast?.id;
    if (!id) { return; }
    const isOnCard = event.target === cards[index].surface;
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: cards.length - 1 }[event.key];
    if (event.key === "Escape") {
      this.#close(id, "escape");
    } else if (isOnCard && (event.key === "Delete" || event.key === "Backspace")) {
      this.#close(id, "key");
    } else if (isOnCard && next !== undefined) {
      cards[next]?.focus();
    } else {
      return;
    }
    // Handled here: a dialog below stays open, the page does not scroll.
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Presented} entry */
function endOf({ remaining, holders }) {
  return remaining === undefined || holders.length ? Infinity : performance.now() + remaining * 1000;
}
