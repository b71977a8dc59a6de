/**
 * What happens to toasts on the screen: they change, move, leave, come back, pass the focus on, and are held.
 * Loaded with the first toast, which is shown without it.
 *
 * @import { Card } from "../card.js"
 * @import { Holds } from "../holds.js"
 * @import { Screen, Shown } from "../screen.js"
 * @import { Exit, Presented } from "../view.d.ts"
 * @import { Reason } from "../wire.d.ts"
 */

import { identityOf } from "../state.js";
import { after } from "../text.js";
import { Touches } from "./touches.js";

export class ToastLifecycle {
  touches;
  #screen;

  /** @param {Screen} screen @param {Holds} holds */
  constructor(screen, holds) {
    this.#screen = screen;
    this.touches = new Touches(screen.region, holds);
  }

  /** Seconds of an exit, if the server did not say. */
  get #exitTime() {
    const { delay = 0, duration = 0.35 } = this.#screen.settings.animations?.exit ?? {};
    return delay + duration;
  }

  /** Toasts were removed without an exit: end the touches that no other toast has. */
  letGo() { this.touches.letGo(this.#screen.shown.values()); }

  /** @param {{ presented: readonly Presented[], over: ReadonlySet<string>, waiting: readonly Presented[], exits: readonly Exit[] }} view */
  render({ presented, over, waiting, exits }) {
    const screen = this.#screen;
    const swapped = this.#sweep(presented, exits, waiting);
    for (const entry of presented) {
      const shown = screen.shown.get(entry.toast.id);
      if (shown) {
        if (shown.entry !== entry) { this.#update(shown, entry); }
      } else {
        const index = swapped.findIndex(({ toast }) => toast?.placement === entry.toast.placement);
        const [before] = index < 0 ? [] : swapped.splice(index, 1);
        screen.show(entry, before && ((card) => this.#swap(before, card)));
      }
    }
    for (const card of swapped) { this.#takeAway(card); }
    for (const id of over) { this.#end(id); }
  }

  /**
   * Take away what is no longer presented.
   *
   * @param {readonly Presented[]} presented
   * @param {readonly Exit[]} exits
   * @param {readonly Presented[]} waiting - those that are still presented, but have no room now
   * @returns {Card[]} those whose place another card takes: they leave when it comes
   */
  #sweep(presented, exits, waiting) {
    const { shown } = this.#screen;
    const swapped = [];
    for (const [id, { card, entry }] of shown) {
      const isSame = (/** @type {Presented} */ { toast }) => identityOf(toast) === identityOf(entry.toast);
      if (presented.some(isSame)) { continue; }
      if (waiting.some(isSame)) {
        shown.delete(id);
        this.#takeAway(card);
        continue;
      }
      const { exit = this.#exitTime, reason = /** @type {const} */ ("api") } = exits.find((it) => it.id === id) ?? {};
      // A toast that reuses the id takes its place, and its focus.
      const isReplaced = reason === "replaced" && exit === 0 || presented.some(({ toast }) => toast.id === id);
      if (isReplaced && !card.isLeaving && card.element.isConnected) {
        this.#screen.tellDismissal(id, reason);
        shown.delete(id);
        swapped.push(card);
      } else {
        this.#remove(id, exit, reason);
      }
    }
    return swapped;
  }

  /** One card takes another's place, and the focus if that one has it. @param {Card} before @param {Card} card */
  #swap(before, card) {
    const { hasFocus } = before;
    this.#screen.layout.swap(before);
    card.element.dataset.entry = "swap";
    return () => { if (hasFocus) { card.focus(); } };
  }

  /**
   * @param {Shown} shown
   * @param {Presented} entry
   */
  #update(shown, entry) {
    const screen = this.#screen;
    const { toast } = entry;
    const hasMoved = entry.moves > shown.entry.moves;
    shown.entry = entry;
    if (hasMoved) {
      // The newest is the last of `shown`.
      screen.shown.delete(toast.id);
      screen.shown.set(toast.id, shown);
    }
    shown.ready = shown.ready.then(() => screen.prepare(entry)).then(async () => {
      const { card } = shown;
      if (shown.entry !== entry || !card.element.isConnected) { return; }
      screen.draw(card, entry);
      await screen.layout.place(card.element, toast.placement, hasMoved);
      screen.announce(entry);
      screen.presenter.tell("toast-update", { toast });
    });
  }

  /**
   * Play a toast's exit; its card is kept until the server has confirmed the dismissal, for `comeBack`.
   *
   * @param {string} id
   * @param {number} [seconds]
   */
  hide(id, seconds = this.#exitTime) {
    const card = this.#screen.shown.get(id)?.card;
    if (!card || card.isLeaving) { return; }
    if (card.hasFocus) { this.passFocus(card); }
    this.playExit(card, seconds);
    this.#screen.layout.lift(card.element);
  }

  /**
   * Play the exit. A timer ends it, not the event of a transition, which never comes where transitions are off.
   *
   * @param {Card} card
   * @param {number} seconds
   */
  playExit(card, seconds) {
    const { element } = card;
    card.isLeaving = true;
    element.style.setProperty("--exit", `${seconds}s`);
    element.dataset.state = "leaving";
    element.inert = true;
    // Once it is removed it does not hear that the finger is lifted.
    if ("dragging" in element.dataset) { this.touches.removeSoon("drag"); }
    card.exit = after(seconds * 1000);
  }

  /**
   * Play the exit of a card that is no longer in `shown`, and remove it.
   *
   * @param {Card} card
   */
  #takeAway(card) {
    this.playExit(card, this.#exitTime);
    this.#screen.layout.lift(card.element);
    card.exit.then(() => this.#screen.layout.take(card.element));
  }

  /**
   * @param {string} id
   * @param {number} seconds
   * @param {Reason} reason
   */
  #remove(id, seconds, reason) {
    const { shown } = this.#screen;
    this.hide(id, seconds);
    const card = shown.get(id)?.card;
    this.#screen.tellDismissal(id, reason);
    shown.delete(id);
    card?.exit.then(() => this.#screen.layout.take(card.element));
  }

  /**
   * The server has ended the toast, which stays here for a while: it can be read, not answered.
   *
   * @param {string} id
   */
  #end(id) {
    const card = this.#screen.shown.get(id)?.card;
    if (!card) { return; }
    card.isEnded = true;
    card.element.dataset.state = "ended";
    // Not `disabled`: a disabled button loses the focus.
    for (const button of card.surface.querySelectorAll("[part=actions] button")) { button.ariaDisabled = "true"; }
  }

  /**
   * Undo the exit of a toast: the page prevented its dismissal, or the server did not accept the answer.
   *
   * @param {string} id
   */
  comeBack(id) {
    const shown = this.#screen.shown.get(id);
    if (!shown) { return; }
    const { card } = shown;
    const { element } = card;
    shown.isTold = false;
    card.isLeaving = false;
    element.dataset.state = "back";
    delete element.dataset.swiped;
    element.inert = false;
    Object.assign(element.style, { translate: "", opacity: "" });
    this.#screen.layout.lower(element);
  }

  /** The cards from top to bottom, which is the order of the tab key. */
  cards() {
    const { elements } = this.#screen.layout;
    return [...this.#screen.shown.values()].map(({ card }) => card)
      .filter((card) => card.element.isConnected && !card.isLeaving)
      .sort((one, other) => elements.indexOf(one.element) - elements.indexOf(other.element));
  }

  /**
   * Move the focus of a card that leaves to the next card, else the one before, else to where it came from.
   *
   * @param {Card} card
   */
  passFocus(card) {
    const cards = this.cards();
    const index = cards.indexOf(card);
    const next = cards[index + 1] ?? cards[index - 1];
    if (next) { next.focus(); } else { this.#screen.focusOrigin.giveBack(); }
  }
}
