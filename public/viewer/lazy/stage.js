/**
 * What happens to toasts that are on the screen: they change, move, go, come back, get the focus and keys.
 *
 * @import { Card } from "../card.js"
 * @import { Screen, Shown } from "../screen.js"
 * @import { Exit, Presented } from "../view.d.ts"
 * @import { PersonsReason, Reason, Settings, Toast } from "../wire.d.ts"
 */

import { UpdateAnnouncer } from "./update-announcer.js";
import { Shelf, fit } from "./shelf.js";

export class Stage {
  shelf;
  news;
  #screen;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    this.news = new UpdateAnnouncer(screen.announcer);
    this.shelf = screen.shelf = new Shelf(screen.region, screen.lists);
    screen.news = this.news;
    screen.region.addEventListener("keydown", (event) => this.#key(event));
    this.shelf.refresh();
  }

  /** @param {{ presented: readonly Presented[], over: ReadonlySet<string>, exits: readonly Exit[], settings: Settings }} view */
  render({ presented, over, exits, settings }) {
    const screen = this.#screen;
    screen.configure(settings);
    this.shelf.move = screen.motion?.move;
    const swapped = this.#sweep(presented, exits);
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
    this.#dim(presented.findLast(({ toast }) => toast.dimsBackground && !over.has(toast.id))?.toast, settings);
  }

  /**
   * Dim the page, in the colour that the newest toast or the channel has for it.
   *
   * @param {Toast | undefined} toast - the newest one that wants it
   * @param {Settings} settings
   */
  #dim(toast, settings) {
    const { layer } = this.#screen;
    layer.toggleAttribute("data-dimmed", toast !== undefined);
    // What goes keeps its colour.
    if (!toast) { return; }
    if (!settings.appearance?.dimming && !toast.appearance?.dimming) { return layer.style.removeProperty("--set-dim"); }
    // It is there already: the toast was drawn with it.
    import("./look.js").then(({ appearanceOf, dimmed }) => layer.style.setProperty("--set-dim", dimmed(appearanceOf(settings, toast))), () => {});
  }

  /**
   * Take away what is no longer presented.
   *
   * @param {readonly Presented[]} presented
   * @param {readonly Exit[]} exits
   * @returns {Card[]} those that were replaced on the spot: they go as another one comes
   */
  #sweep(presented, exits) {
    const { shown, exitTime, person } = this.#screen;
    const present = new Set(presented.map(({ toast }) => toast.id));
    const swapped = [];
    for (const [id, { card }] of shown) {
      if (present.has(id)) { continue; }
      const { exit = exitTime, reason = /** @type {const} */ ("api") } = exits.find((it) => it.id === id) ?? {};
      if (reason === "replaced" && exit === 0 && !card.isLeaving && card.element.isConnected) {
        shown.delete(id);
        person.tell("toast-dismiss", { id, reason });
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
    this.shelf.swap(before);
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
      // The newest one is the last here, too.
      screen.shown.delete(toast.id);
      screen.shown.set(toast.id, shown);
    }
    shown.ready = shown.ready.then(() => screen.prepare(entry)).then(async () => {
      const { card } = shown;
      if (shown.entry !== entry || !card.element.isConnected) { return; }
      screen.draw(card, entry);
      await this.shelf.place(card.element, toast.placement, hasMoved);
      fit(card.element);
      screen.announce(entry);
      screen.person.tell("toast-update", { toast });
    });
  }

  /**
   * Play a toast's exit. It stays in reach until the server agrees.
   *
   * @param {string} id
   * @param {number} [seconds]
   */
  hide(id, seconds = this.#screen.exitTime) {
    const card = this.#screen.shown.get(id)?.card;
    if (!card || card.isLeaving) { return; }
    if (card.hasFocus) { this.passFocus(card); }
    card.leave(seconds);
    this.shelf.lift(card.element);
  }

  /**
   * Let go of a card that is no longer ours.
   *
   * @param {Card} card
   */
  #takeAway(card) {
    card.leave(this.#screen.exitTime);
    this.shelf.leave(card);
  }

  /**
   * @param {string} id
   * @param {number} seconds
   * @param {Reason} reason
   */
  #remove(id, seconds, reason) {
    const { shown, person } = this.#screen;
    this.hide(id, seconds);
    const card = shown.get(id)?.card;
    shown.delete(id);
    card?.exit.then(() => this.shelf.take(card.element));
    person.tell("toast-dismiss", { id, reason });
  }

  /**
   * The toast is over for the server but still looked at here: it can be read, not answered.
   *
   * @param {string} id
   */
  #end(id) {
    const card = this.#screen.shown.get(id)?.card;
    if (!card) { return; }
    card.isEnded = true;
    card.element.dataset.state = "ended";
    for (const button of card.surface.querySelectorAll("[part=actions] button")) { button.toggleAttribute("disabled", true); }
  }

  /**
   * Show a toast again whose dismissal did not reach the server: its exit was too early.
   *
   * @param {string} id
   */
  comeBack(id) {
    const card = this.#screen.shown.get(id)?.card;
    if (!card) { return; }
    const { element } = card;
    card.isLeaving = false;
    element.dataset.state = "back";
    delete element.dataset.swiped;
    element.inert = false;
    Object.assign(element.style, { translate: "", opacity: "" });
    this.shelf.lower(element);
  }

  /** The ids of the toasts that are there and stay. */
  get ids() {
    return [...this.#screen.shown].filter(([, { card }]) => !card.isLeaving).map(([id]) => id);
  }

  /** The cards as they are seen and tabbed through. */
  #cards() {
    const { elements } = this.shelf;
    return [...this.#screen.shown.values()].map(({ card }) => card)
      .filter((card) => card.element.isConnected && !card.isLeaving)
      .sort((one, other) => elements.indexOf(one.element) - elements.indexOf(other.element));
  }

  /**
   * The focus of a toast that goes: to the next one, else the one before, else back where it came from; unless it has
   * gone elsewhere meanwhile.
   *
   * @param {Card} card
   */
  passFocus(card) {
    if (!card.hasFocus && ![null, document.body].includes(/** @type {HTMLElement | null} */ (document.activeElement))) { return; }
    const cards = this.#cards();
    const index = cards.indexOf(card);
    const next = cards[index + 1] ?? cards[index - 1];
    if (next) { next.focus(); } else { this.shelf.giveBackFocus(); }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const cards = this.#cards();
    const index = cards.findIndex((card) => card.hasFocus);
    const id = cards[index]?.toast?.id;
    if (!id) { return; }
    const close = (/** @type {PersonsReason} */ reason) => this.#screen.person.close(id, reason);
    const isOnCard = event.target === cards[index].surface;
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: cards.length - 1 }[event.key];
    if (event.key === "Escape") {
      close("escape");
    } else if (isOnCard && (event.key === "Delete" || event.key === "Backspace")) {
      close("key");
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
