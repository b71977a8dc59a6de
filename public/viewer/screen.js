/**
 * The toasts on the screen: what the state says, as cards, with focus, keys and announcements.
 *
 * @import { Action, PersonsReason, Reason, Role, Settings } from "./wire.d.ts"
 * @import { Exit, Presented } from "./state.js"
 * @import { Say } from "./words.js"
 *
 * @typedef {object} Person - what a person does with the toasts
 * @property {(id: string, reason: PersonsReason) => void} dismiss
 * @property {(id: string, action: Action) => void} act
 * @property {() => void} drag - a finger moves a toast
 * @property {() => void} drop - and lets go of it
 * @property {(name: string, detail: object) => void} tell
 */

import { Announcer } from "./announcer.js";
import { Card } from "./card.js";
import { dress, settingsProperties } from "./dress.js";
import { makeSwipeable, swipeRule, touchAction } from "./gestures.js";
import { automatic } from "./haptics.js";
import { motionOf } from "./motion.js";
import { Shelf } from "./shelf.js";
import { adoptStyle } from "./sheets.js";
import { spoken } from "./text.js";
import { english } from "./words.js";

/**
 * @typedef {object} Shown
 * @property {Card} card
 * @property {Presented} entry
 * @property {Promise<void>} ready - when what is known of it has been drawn; drawings come one after the other
 */

export class Screen {
  layer = document.createElement("div");
  announcer = new Announcer();
  /** Our own words, and what somebody who only hears of a toast has to do to answer it. */
  #words = { say: english, hint: "" };
  #shelf = new Shelf();
  #root;
  #person;
  /** @type {Map<string, Shown>} */
  #shown = new Map();
  /** @type {Settings} */
  #settings = {};
  #motion = motionOf({});

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
    dress(this.layer, settingsProperties({}, this.#motion));
  }

  get shelf() {
    return this.#shelf;
  }

  /** Show the layer above everything that is in the top layer by now. */
  raise() {
    if (!this.layer.popover || !this.layer.isConnected) { return; }
    // In one go, with no style read between: an animation that runs goes on.
    if (this.layer.matches(":popover-open")) { this.layer.hidePopover(); }
    this.layer.showPopover();
  }

  /** Seconds of an exit that the server has not named. */
  get #exitTime() {
    const { delay, duration } = this.#motion.exit;
    return (delay + duration) / 1000;
  }

  /** @param {{ presented: readonly Presented[], over: ReadonlySet<string>, exits: readonly Exit[], settings: Settings }} view */
  render({ presented, over, exits, settings }) {
    this.#configure(settings);
    const swapped = this.#sweep(presented, exits);
    for (const entry of presented) {
      const shown = this.#shown.get(entry.toast.id);
      if (shown) {
        if (shown.entry !== entry) { this.#update(shown, entry); }
      } else {
        const index = swapped.findIndex(({ toast }) => toast?.placement === entry.toast.placement);
        this.#show(entry, index < 0 ? undefined : swapped.splice(index, 1)[0]);
      }
    }
    for (const card of swapped) { this.#takeAway(card, this.#exitTime); }
    for (const id of over) { this.#shown.get(id)?.card.end(); }
    this.layer.toggleAttribute("data-dimmed", presented.some(({ toast }) => toast.dimsBackground && !over.has(toast.id)));
  }

  /**
   * Take away what is no longer presented.
   *
   * @param {readonly Presented[]} presented
   * @param {readonly Exit[]} exits
   * @returns {Card[]} those that were replaced on the spot: they go as another one comes
   */
  #sweep(presented, exits) {
    const present = new Set(presented.map(({ toast }) => toast.id));
    const swapped = [];
    for (const [id, { card }] of this.#shown) {
      if (present.has(id)) { continue; }
      const { exit = this.#exitTime, reason = /** @type {const} */ ("api") } = exits.find((it) => it.id === id) ?? {};
      if (reason === "replaced" && exit === 0 && !card.isLeaving && card.element.isConnected) {
        this.#shown.delete(id);
        this.#person.tell("toast-dismiss", { id, reason });
        swapped.push(card);
      } else {
        this.#remove(id, exit, reason);
      }
    }
    return swapped;
  }

  /** @param {Settings} settings */
  #configure(settings) {
    if (settings === this.#settings) { return; }
    this.#settings = settings;
    this.#motion = motionOf(settings);
    this.#shelf.move = this.#motion.move;
    dress(this.layer, settingsProperties(settings, this.#motion));
    this.#redraw();
  }

  /** @param {{ say: Say, hint: string }} words */
  set words(words) {
    this.#words = words;
    this.#redraw();
  }

  #redraw() {
    for (const { card, entry } of this.#shown.values()) {
      if (card.element.isConnected && !card.isLeaving) { this.#draw(card, entry); }
    }
  }

  /** Take everything away at once. */
  clear() {
    for (const id of [...this.#shown.keys()]) { this.#remove(id, 0, "api"); }
  }

  /**
   * Play a toast's exit. It stays in reach until the server agrees.
   *
   * @param {string} id
   * @param {number} [seconds]
   */
  hide(id, seconds = this.#exitTime) {
    const card = this.#shown.get(id)?.card;
    if (!card || card.isLeaving) { return; }
    if (card.hasFocus) { this.#passFocus(card); }
    card.leave(seconds);
    this.#shelf.lift(card.element);
  }

  /**
   * Show a toast again whose dismissal did not reach the server.
   *
   * @param {string} id
   */
  comeBack(id) {
    const card = this.#shown.get(id)?.card;
    if (!card) { return; }
    card.comeBack();
    this.#shelf.lower(card.element);
  }

  /** Move the focus to the newest toast, if there is one. */
  focus() {
    const cards = this.#cards();
    const newest = [...this.#shown.values()].map(({ card }) => card).findLast((card) => cards.includes(card));
    newest?.focus();
    return newest !== undefined;
  }

  /** The ids of the toasts that are there and stay. */
  get ids() {
    return [...this.#shown].filter(([, { card }]) => !card.isLeaving).map(([id]) => id);
  }

  /** The cards as they are seen and tabbed through. */
  #cards() {
    const { elements } = this.#shelf;
    return [...this.#shown.values()].map(({ card }) => card)
      .filter((card) => card.element.isConnected && !card.isLeaving)
      .sort((one, other) => elements.indexOf(one.element) - elements.indexOf(other.element));
  }

  /**
   * @param {Presented} entry
   * @param {Card} [before] - the toast whose place it takes
   */
  #show(entry, before) {
    const { id } = entry.toast;
    const { drag, drop } = this.#person;
    const card = new Card((action) => this.#act(id, action), (reason) => this.close(id, reason));
    const { element } = card;
    makeSwipeable(element, {
      rule: () => swipeRule(this.#settings, card.toast?.placement ?? entry.toast.placement),
      start: drag,
      accept: () => this.close(id, "swipe"),
      end: drop,
      tap: () => { if (this.#settings.gestures?.tap === "dismiss") { this.close(id, "tap"); } },
    });
    const ready = adoptStyle(this.#root, entry.toast.style).then(() => this.#insert(id, card, before));
    this.#shown.set(id, { card, entry, ready });
  }

  /**
   * @param {Card} card
   * @param {Presented} entry
   */
  #draw(card, { toast }) {
    card.element.style.touchAction = touchAction(swipeRule(this.#settings, toast.placement));
    card.update(toast, {
      settings: this.#settings,
      say: this.#words.say,
      sign: (/** @type {Role} */ role) => this.#root.host.querySelector(`:scope > [slot="icon-${role}"]`)?.cloneNode(true),
    });
  }

  /**
   * @param {string} id
   * @param {Card} card
   * @param {Card} [before]
   */
  async #insert(id, card, before) {
    const shown = this.#shown.get(id);
    const hadFocus = before?.hasFocus;
    if (before) { this.#takeAway(before, this.#motion.move.duration / 1000, true); }
    // It may be over before its sheet has come.
    if (shown?.card !== card || card.isLeaving) { return; }
    const { entry } = shown;
    if (this.#shelf.isEmpty) { this.raise(); }
    this.#draw(card, entry);
    if (before) { card.element.dataset.entry = "swap"; }
    await this.#shelf.place(card.element, entry.toast.placement);
    if (hadFocus) { card.focus(); }
    card.fit();
    this.#announce(entry);
    // A server that has words has decided on the haptic, too.
    const haptic = entry.announcement === undefined ? automatic(entry.toast) : entry.haptic;
    this.#person.tell("toast-show", { toast: entry.toast, haptic });
  }

  /**
   * @param {Shown} shown
   * @param {Presented} entry
   */
  #update(shown, entry) {
    const hasMoved = entry.moves > shown.entry.moves;
    shown.entry = entry;
    if (hasMoved) {
      // The newest one is the last here, too.
      this.#shown.delete(entry.toast.id);
      this.#shown.set(entry.toast.id, shown);
    }
    shown.ready = shown.ready.then(() => adoptStyle(this.#root, entry.toast.style)).then(async () => {
      const { card } = shown;
      if (shown.entry !== entry || !card.element.isConnected) { return; }
      this.#draw(card, entry);
      await this.#shelf.place(card.element, entry.toast.placement, hasMoved);
      card.fit();
      this.#announce(entry);
      this.#person.tell("toast-update", { toast: entry.toast });
    });
  }

  /** @param {Presented} entry */
  #announce({ toast, spoken: news, announcement }) {
    const { say, hint } = this.#words;
    this.announcer.sayNews(toast.id, news, spoken(toast, announcement, hint, say), toast.role === "error");
  }

  /**
   * Let go of a card that is no longer ours.
   *
   * @param {Card} card
   * @param {number} seconds
   * @param {boolean} [isSwapped] - it fades where it stands
   */
  #takeAway(card, seconds, isSwapped = false) {
    if (isSwapped) { card.element.dataset.entry = "swapped"; }
    card.leave(seconds);
    this.#shelf.lift(card.element);
    card.exit.then(() => this.#shelf.take(card.element));
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
  close(id, reason) {
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
      this.close(id, "escape");
    } else if (isOnCard && (event.key === "Delete" || event.key === "Backspace")) {
      this.close(id, "key");
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
