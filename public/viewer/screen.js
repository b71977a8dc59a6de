/**
 * The toasts on the screen, and how they get there. What happens to them then is done by
 * `lazy/toast-lifecycle.js`.
 *
 * @import { Reason, Role, Settings, Toast } from "./wire.d.ts"
 * @import { motionOf } from "./lazy/motion.js"
 * @import { Layout } from "./layout.js"
 * @import { Presenter } from "./presenter.js"
 * @import { Presented } from "./view.d.ts"
 * @import { Say } from "./text.js"
 *
 * @typedef {object} Shown
 * @property {Card} card
 * @property {Presented} entry
 * @property {boolean} [isTold] - whether `toast-dismiss` was dispatched, and not prevented
 * @property {Promise<void>} ready - fulfilled when `entry` has been drawn; the next drawing waits for it
 *
 * @typedef {(card: Card) => () => void} Arrive - called before a card is inserted; its result, when the card is placed
 */

import { Announcer } from "./announcer.js";
import { Card, prepare } from "./card.js";
import { dress, look, motion, prepareLook, prepareMotion, settingsProperties } from "./css-properties.js";
import { FocusOrigin, PlainLayout } from "./layout.js";
import { identityOf } from "./state.js";
import { after, make, spoken } from "./text.js";

/** Milliseconds that a toast waits for sheets, code and words. */
const patience = 1000;

export class Screen {
  layer = make("div", "layer");
  region = make("section", "region");
  announcer = new Announcer();
  /** By placement. */
  lists = /** @type {Map<string, HTMLOListElement>} */ (new Map());
  /** @type {Map<string, Shown>} Oldest first. */
  shown = new Map();
  /** @type {Settings} */
  settings = {};
  /** @type {ReturnType<typeof motionOf> | undefined} The channel's, if it differs from that in base.css. */
  motion;
  /** @type {Layout} */
  layout;
  focusOrigin;
  /** Called after each drawing of a card. @type {(card: Card, toast: Toast) => void} */
  attend = () => {};
  /** @type {Presenter} */
  presenter = /** @type {any} */ (undefined);
  #words;
  #root;
  /** Fulfilled when the settings have been applied. */
  #dressed = Promise.resolve();
  /** To be inserted, in the order of `show`. @type {{ isReady: () => boolean, insert: () => void }[]} */
  #coming = [];

  /**
   * @param {ShadowRoot} root
   * @param {{ say: Say, hint: string, ready: Promise<void> }} words - the viewer's own; call `redraw` when they change
   */
  constructor(root, words) {
    this.#root = root;
    this.#words = words;
    const { layer, region, announcer } = this;
    region.hidden = true;
    for (const placement of ["top", "center", "bottom"]) {
      const list = region.appendChild(document.createElement("ol"));
      // Safari forgets that a list without markers is a list.
      list.role = "list";
      list.dataset.placement = placement;
      list.hidden = true;
      this.lists.set(placement, list);
    }
    this.layout = new PlainLayout(region, this.lists);
    this.focusOrigin = new FocusOrigin(root, region);
    layer.append(announcer.polite, announcer.assertive, region);
    root.append(layer);
  }

  /** Show the layer above everything that is in the top layer by now. */
  raise() {
    const { layer } = this;
    if (!layer.popover || !layer.isConnected) { return; }
    // Running animations go on, if no style is read between these two.
    layer.hidePopover();
    layer.showPopover();
  }

  /** @param {Settings} settings */
  configure(settings) {
    if (settings === this.settings) { return; }
    this.settings = settings;
    this.#dressed = Promise.all([prepareMotion(settings), prepareLook(settings.theme, settings.appearance, settings.layout?.inset)]).then(() => {
      if (settings !== this.settings) { return; }
      look?.frame(this.#root, settings);
      this.motion = motion?.motionOf(settings);
      dress(this.layer, { ...settingsProperties(settings), ...this.motion && motion?.motionProperties(this.motion) });
      this.redraw();
    });
  }

  redraw() {
    for (const { card, entry } of this.shown.values()) {
      if (card.element.isConnected && !card.isLeaving) { this.draw(card, entry); }
    }
  }

  /** Take all toasts away at once but those that stay. @param {(toast: Toast) => boolean} stays */
  clear(stays) {
    for (const [id, { entry }] of this.shown) { if (!stays(entry.toast)) { this.drop(id, "api"); } }
    this.#insertReady();
  }

  /** Take a toast away at once. @param {string} id @param {Reason} reason */
  drop(id, reason) {
    const card = this.shown.get(id)?.card;
    if (!card) { return; }
    card.isLeaving = true;
    if (card.hasFocus) { this.focusOrigin.giveBack(); }
    this.layout.take(card.element);
    this.tellDismissal(id, reason);
    this.shown.delete(id);
  }

  /** @param {Presented} entry @param {Arrive} [arrive] - puts it in another card's place */
  show(entry, arrive) {
    const { id } = entry.toast;
    const card = new Card((action) => this.presenter.act(id, action), (reason) => this.presenter.close(id, reason));
    let isPrepared = false;
    const one = { isReady: () => isPrepared || card.isLeaving, insert: () => {} };
    const ready = /** @type {Promise<void>} */ (new Promise((resolve) => {
      one.insert = () => resolve(this.#insert(id, card, arrive));
    }));
    this.shown.set(id, { card, entry, ready });
    this.#coming.push(one);
    const come = () => {
      isPrepared = true;
      this.#insertReady();
    };
    // A failure does not stop the cards after it.
    this.prepare(entry).then(come, come);
  }

  /** Insert the cards whose turn it is. A dropped one waits for nothing: the card that it replaces goes now. */
  #insertReady() { while (this.#coming[0]?.isReady()) { this.#coming.shift()?.insert(); } }

  /** Load what a toast is drawn with, for at most a second; what comes later is drawn then. @param {Presented} entry */
  prepare({ toast }) {
    let isLate = false;
    const all = Promise.all([prepare(this.#root, toast, this.settings), this.#dressed, this.#words.ready]).then(() => {
      const card = this.shown.get(toast.id)?.card;
      if (!isLate || !card) { return; }
      card.drawn = "";
      this.redraw();
    });
    return Promise.race([all, after(patience).then(() => { isLate = true; })]);
  }

  /** Move the focus to the newest toast. @returns {boolean} whether there is one */
  focus() { return [...this.shown.values()].reverse().some(({ card }) => card.focus()); }

  /** @param {Card} card @param {Presented} entry */
  draw(card, { toast }) {
    // A toast's own alignment, else that of the page, else that of the channel.
    const alignments = [toast.align, this.#root.host.getAttribute("align"), this.settings.align];
    card.element.dataset.align = alignments.find((it) => it && /^(start|center|end)$/.test(it)) ?? "center";
    card.update(toast, {
      settings: this.settings,
      say: this.#words.say,
      sign: (/** @type {Role} */ role) => this.#root.host.querySelector(`:scope > [slot="icon-${role}"]`)?.cloneNode(true),
    });
    this.attend(card, toast);
  }

  /** @param {string} id @param {Card} card @param {Arrive} [arrive] */
  async #insert(id, card, arrive) {
    const shown = this.shown.get(id);
    const arrived = arrive?.(card);
    // It may be over by now.
    if (shown?.card !== card || card.isLeaving) { return; }
    const { entry } = shown;
    const { toast, haptic } = entry;
    if (!this.presenter.tell("toast-show", { toast, haptic }, true)) {
      // A toast that never came dispatches no `toast-dismiss`.
      shown.isTold = true;
      this.presenter.refuse(id);
    }
    // The listener may have dismissed it.
    if (card.isLeaving) { return; }
    // Of several that come at once only the first one raises the layer.
    if (![...this.shown.values()].some((it) => it.card.drawn)) { this.raise(); }
    this.draw(card, entry);
    await this.layout.place(card.element, toast.placement);
    arrived?.();
    this.announce(entry);
  }

  /**
   * Dispatch `toast-dismiss`, once for a toast.
   *
   * @param {string} id
   * @param {Reason} reason
   * @param {boolean} [isCancelable]
   * @returns {boolean} whether the toast may go
   */
  tellDismissal(id, reason, isCancelable) {
    const shown = this.shown.get(id);
    if (!shown || shown.isTold) { return true; }
    shown.isTold = this.presenter.tell("toast-dismiss", { id, toast: shown.entry.toast, reason }, isCancelable);
    return shown.isTold;
  }

  /** @param {Presented} entry */
  announce({ toast, spoken: count, announcement }) {
    const { say, hint } = this.#words;
    this.announcer.sayOf(identityOf(toast), count, spoken(toast, announcement, hint, say), toast.role === "error", () => this.presenter.isHeard(toast.channel));
  }
}
