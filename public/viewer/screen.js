/**
 * The toasts on the screen, and how the first ones get there. What happens to them then is done by `later/stage.js`.
 *
 * @import { Action, Haptic, PersonsReason, Reason, Role, Settings, Toast } from "./wire.d.ts"
 * @import { motionOf } from "./later/motion.js"
 * @import { News } from "./later/news.js"
 * @import { Shelf } from "./later/shelf.js"
 * @import { Presented } from "./state.js"
 * @import { Say } from "./text.js"
 *
 * @typedef {object} Person - what a person does with the toasts
 * @property {(id: string, reason: PersonsReason) => void} close
 * @property {(id: string, action: Action) => void} act
 * @property {(id: string, path: string, body?: object) => void} send - says so to the server
 * @property {(name: string, detail: object, isCancelable?: boolean) => boolean} tell
 *
 * @typedef {object} Shown
 * @property {Card} card
 * @property {Presented} entry
 * @property {Promise<void>} ready - when what is known of it has been drawn; drawings come one after the other
 *
 * @typedef {(card: Card) => () => void} Arrive - called when a card comes; what it gives, when it is at its place
 */

import { Announcer } from "./announcer.js";
import { Card, prepare } from "./card.js";
import { dress, motion, prepareLook, prepareMotion, settingsProperties } from "./dress.js";
import { english, spoken } from "./text.js";

/** What a toast feels like, when the server has not decided it. @param {Toast} toast @returns {Haptic} */
function automatic({ haptic = "automatic", role }) {
  return haptic !== "automatic" ? haptic : role === "info" ? "light" : role;
}

export class Screen {
  layer = document.createElement("div");
  region = document.createElement("section");
  announcer = new Announcer();
  /** Where toasts of each placement are. */
  lists = /** @type {Map<string, HTMLOListElement>} */ (new Map());
  /** @type {Map<string, Shown>} Oldest first. */
  shown = new Map();
  /** @type {Settings} */
  settings = {};
  /** @type {ReturnType<typeof motionOf> | undefined} The channel's, where it is not what base.css has. */
  motion;
  /** @type {Shelf | undefined} Once it is there, it puts toasts where they belong. */
  shelf;
  /** @type {News | undefined} Once it is there, it says how toasts change. */
  news;
  /** @type {((card: Card, toast: Toast) => void) | undefined} What is done with each card that is drawn. */
  attend;
  person;
  /** @type {{ say: Say, hint: string, ready: Promise<void> }} */
  #words = { say: english, hint: "", ready: Promise.resolve() };
  #root;
  /** When all that the settings ask for is there. */
  #dressed = Promise.resolve();
  /** In the order that they came in, also when one needs more than another. @type {{ isPrepared: boolean, insert: () => void }[]} */
  #coming = [];

  /** @param {ShadowRoot} root @param {Person} person */
  constructor(root, person) {
    this.#root = root;
    this.person = person;
    const { layer, region, announcer } = this;
    layer.setAttribute("part", "layer");
    region.setAttribute("part", "region");
    region.hidden = true;
    for (const placement of ["top", "center", "bottom"]) {
      const list = region.appendChild(document.createElement("ol"));
      // Safari forgets that a list without markers is a list.
      list.role = "list";
      list.dataset.placement = placement;
      list.hidden = true;
      this.lists.set(placement, list);
    }
    layer.append(announcer.polite, announcer.assertive, region);
    root.append(layer);
  }

  /** Show the layer above everything that is in the top layer by now. */
  raise() {
    const { layer } = this;
    if (!layer.popover || !layer.isConnected) { return; }
    // In one go, with no style read between: an animation that runs goes on.
    if (layer.matches(":popover-open")) { layer.hidePopover(); }
    layer.showPopover();
  }

  /** Seconds of an exit that the server has not named. */
  get exitTime() {
    const { delay = 0, duration = 0.35 } = this.settings.animations?.exit ?? {};
    return delay + duration;
  }

  /** Show those of these toasts that are not there yet. @param {readonly Presented[]} presented @param {Settings} settings */
  begin(presented, settings) {
    this.configure(settings);
    for (const entry of presented) {
      if (!this.shown.has(entry.toast.id)) { this.show(entry); }
    }
    this.dim(presented);
  }

  /** @param {readonly Presented[]} presented */
  dim(presented) {
    this.layer.toggleAttribute("data-dimmed", presented.some(({ toast }) => toast.dimsBackground));
  }

  /** @param {Settings} settings */
  configure(settings) {
    if (settings === this.settings) { return; }
    this.settings = settings;
    this.#dressed = Promise.all([prepareMotion(settings), prepareLook(settings.theme, settings.appearance)]).then(() => {
      if (settings !== this.settings) { return; }
      this.motion = motion?.motionOf(settings);
      dress(this.layer, { ...settingsProperties(settings), ...this.motion && motion?.motionProperties(this.motion) });
      this.#redraw();
    });
  }

  /** Our own words. @param {{ say: Say, hint: string, ready: Promise<void> }} words */
  set words(words) {
    this.#words = words;
    this.#redraw();
  }

  #redraw() {
    for (const { card, entry } of this.shown.values()) {
      if (card.element.isConnected && !card.isLeaving) { this.draw(card, entry); }
    }
  }

  /** Take everything away at once. */
  clear() {
    for (const id of this.shown.keys()) { this.drop(id, "api"); }
  }

  /** Take a toast away at once. @param {string} id @param {Reason} reason */
  drop(id, reason) {
    const card = this.shown.get(id)?.card;
    if (!card) { return; }
    card.isLeaving = true;
    card.element.remove();
    this.shown.delete(id);
    this.region.hidden = !this.region.querySelector("li");
    this.person.tell("toast-dismiss", { id, reason });
  }

  /**
   * @param {Presented} entry
   * @param {Arrive} [arrive] - takes another one's place for it
   */
  show(entry, arrive) {
    const { id } = entry.toast;
    const card = new Card((action) => this.person.act(id, action), (reason) => this.person.close(id, reason));
    const one = { isPrepared: false, insert: () => {} };
    const ready = /** @type {Promise<void>} */ (new Promise((resolve) => {
      one.insert = () => resolve(this.#insert(id, card, arrive));
    }));
    this.shown.set(id, { card, entry, ready });
    this.#coming.push(one);
    Promise.all([this.prepare(entry), this.#dressed, this.#words.ready]).then(() => {
      one.isPrepared = true;
      while (this.#coming[0]?.isPrepared) { this.#coming.shift()?.insert(); }
    });
  }

  /** @param {Presented} entry */
  prepare({ toast }) { return prepare(this.#root, toast, this.settings); }

  /** @param {Card} card @param {Presented} entry */
  draw(card, { toast }) {
    this.attend?.(card, toast);
    card.update(toast, {
      settings: this.settings,
      say: this.#words.say,
      sign: (/** @type {Role} */ role) => this.#root.host.querySelector(`:scope > [slot="icon-${role}"]`)?.cloneNode(true),
    });
  }

  /** @param {string} id @param {Card} card @param {Arrive} [arrive] */
  async #insert(id, card, arrive) {
    const shown = this.shown.get(id);
    const arrived = arrive?.(card);
    // It may be over before its sheet has come.
    if (shown?.card !== card || card.isLeaving) { return; }
    const { entry } = shown;
    if (!this.region.querySelector("li")) { this.raise(); }
    this.draw(card, entry);
    await this.#place(card.element, entry.toast.placement);
    arrived?.();
    this.announce(entry);
    // A server that has words has decided on the haptic, too.
    const haptic = entry.announcement === undefined ? automatic(entry.toast) : entry.haptic;
    this.person.tell("toast-show", { toast: entry.toast, haptic });
  }

  /**
   * The oldest is nearest to the edge of the screen, the newest nearest to the middle.
   *
   * @param {HTMLLIElement} element
   * @param {Toast["placement"]} placement
   */
  #place(element, placement) {
    if (this.shelf) { return this.shelf.place(element, placement); }
    const list = this.lists.get(placement);
    list?.insertBefore(element, placement === "bottom" ? list.firstChild : null);
    if (list) { list.hidden = this.region.hidden = false; }
  }

  /** @param {Presented} entry */
  announce({ toast, spoken: news, announcement }) {
    const { say, hint } = this.#words;
    const { said } = this.announcer;
    const words = /** @type {const} */ ([spoken(toast, announcement, hint, say), toast.role === "error"]);
    if (this.news) { return this.news.say(toast.id, news, ...words); }
    if (!said.has(toast.id)) { this.announcer.say(...words); }
    said.set(toast.id, news);
  }
}
