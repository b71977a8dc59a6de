/**
 * The bar below the toasts and the panel beside them: made when they are first needed, and the panel's code loaded then.
 *
 * @import { makeIcon } from "../icons.js"
 * @import { History } from "./history.js"
 * @import { Panel } from "./panel.js"
 * @import { Shelf } from "./shelf.js"
 * @import { Summary } from "./controls.js"
 * @import { PreferenceStore } from "./preferences.js"
 * @import { wordsIn } from "./messages.js"
 *
 * @typedef {object} Means
 * @property {ShadowRoot} root
 * @property {(root: ShadowRoot, name: string) => Promise<void>} adopt - gets a sheet
 * @property {PreferenceStore} store
 * @property {typeof makeIcon} makeIcon
 * @property {ReadonlyMap<string, unknown>} registered - the page's own styles
 * @property {() => URL} server - its address
 * @property {HTMLElement} layer
 * @property {Shelf} shelf
 * @property {History} history
 * @property {() => { say: ReturnType<typeof wordsIn>, language: string }} words
 * @property {() => void} expand - show all that there are
 * @property {() => void} pause - or go on
 * @property {() => void} clear - dismiss all
 * @property {() => void} read - the history was looked at
 */

import { Controls } from "./controls.js";

export class Desk {
  #means;
  /** @type {Controls | undefined} */
  #controls;
  /** @type {Promise<Panel> | undefined} */
  #loading;
  /** @type {Panel | undefined} */
  #panel;
  /** @type {Summary} */
  #summary = { count: 0, more: 0, isPaused: false, unread: 0 };
  /** @type {Element | null} What had the focus before the panel. */
  #before = null;

  /** @param {Means} means */
  constructor(means) {
    this.#means = means;
    // Whoever comes near gets the bar; until then a page does not pay for it.
    for (const type of ["pointerover", "focusin"]) {
      means.shelf.region.addEventListener(type, () => this.#make(), { once: true });
    }
    means.shelf.region.addEventListener("pointerdown", ({ pointerType, target }) => {
      // A finger cannot come near without touching.
      if (pointerType !== "mouse" && !this.#controls?.element.contains(/** @type {Node} */ (target))) { means.shelf.isOpen = true; }
    });
    // Somebody may be there already.
    if (means.shelf.region.matches(":hover, :focus-within")) { this.#make(); }
    // Escape in a toast is for that toast; in the bar it means: back to where I was.
    means.shelf.region.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) { return; }
      event.preventDefault();
      event.stopPropagation();
      means.shelf.giveBackFocus();
    });
    means.shelf.region.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && means.root.contains(relatedTarget)) { return; }
      means.shelf.isOpen = false;
    });
  }

  /** @param {Summary} summary */
  update(summary) {
    this.#summary = summary;
    const { count, more, isPaused, unread } = summary;
    if (count + more > 1 || isPaused || unread) { this.#make(); }
    this.#controls?.update(summary);
    this.#panel?.updateHistory(this.#means.history.all);
    // Paused, or with something that was missed, there is something to say also without a toast.
    if (!count && (isPaused || unread > 0)) { this.#means.shelf.isOpen = true; }
    this.#shrink();
  }

  /** The region is there for nothing? */
  #shrink() {
    const { count, isPaused, unread } = this.#summary;
    const { shelf } = this.#means;
    if (!count && !isPaused && !unread && !this.#panel?.page && !shelf.region.matches(":focus-within")) { shelf.isOpen = false; }
  }

  /** Bring the focus here: there is no toast to bring it to. */
  focus() {
    this.#make();
    const { shelf } = this.#means;
    shelf.isOpen = true;
    // At once, also when the sheet takes its time.
    if (this.#controls) { shelf.region.append(this.#controls.element); }
    this.#controls?.focus();
  }

  /** @param {"history" | "preferences"} page */
  async open(page) {
    const { activeElement } = this.#means.root;
    if (!this.#panel?.page) { this.#before = activeElement ?? document.activeElement; }
    const panel = await this.#load();
    if (page === "preferences") { return panel.showPreferences(); }
    panel.showHistory(this.#means.history.all);
    this.#means.read();
  }

  close() {
    this.#panel?.close();
  }

  /** Speak another language. */
  renew() {
    const page = this.#panel?.page;
    this.close();
    this.#panel?.element.remove();
    this.#panel = undefined;
    this.#loading = undefined;
    if (this.#controls) {
      this.#controls.element.remove();
      this.#controls = undefined;
      this.#make();
    }
    // Somebody reads it: what it says is the same.
    if (page) { this.open(page); }
  }

  #make() {
    if (this.#controls) { return; }
    const { root, adopt, shelf, words, expand, pause, clear } = this.#means;
    const { say } = words();
    const presses = { more: expand, pause, clear, history: () => this.#toggle("history"), preferences: () => this.#toggle("preferences") };
    this.#controls = new Controls(say, (name) => presses[name]());
    this.#controls.update(this.#summary);
    // The bar of that time: it may have become one in another language.
    adopt(root, "controls").then(() => { if (this.#controls && !this.#controls.element.isConnected) { shelf.region.append(this.#controls.element); } });
  }

  /** @param {"history" | "preferences"} page */
  #toggle(page) {
    if (this.#panel?.page === page) { this.close(); } else { this.open(page); }
  }

  #load() {
    const { root, adopt, makeIcon: draw, registered, store, server } = this.#means;
    this.#loading ??= Promise.all([import("./panel.js"), adopt(root, "controls")]).then(([{ Panel }]) => {
      if (this.#panel) { return this.#panel; }
      const { say, language } = this.#means.words();
      this.#panel = new Panel(say, language, store, {
        draw, server: server(), registered, closed: () => this.#closed(), history: () => this.open("history"),
      });
      this.#means.layer.append(this.#panel.element);
      return this.#panel;
    });
    // Whoever asks again finds it, perhaps.
    this.#loading.catch(() => { this.#loading = undefined; });
    return this.#loading;
  }

  #closed() {
    const before = this.#before;
    this.#before = null;
    if (before instanceof HTMLElement && before.isConnected && before.checkVisibility()) { before.focus(); }
    else { this.#means.shelf.giveBackFocus(); }
    this.#shrink();
  }
}
