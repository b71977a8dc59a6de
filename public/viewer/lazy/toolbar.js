/**
 * The toolbar beside the toasts, and its panel. Both are made when first needed; the panel's code is loaded then.
 *
 * @import { makeIcon } from "../icons.js"
 * @import { FocusOrigin } from "../layout.js"
 * @import { History } from "../history.js"
 * @import { Panel } from "./panel.js"
 * @import { ToastLayout } from "./toast-layout.js"
 * @import { Summary } from "./controls.js"
 * @import { PreferenceStore } from "../preferences.js"
 * @import { wordsIn } from "./messages.js"
 *
 * @typedef {object} Means
 * @property {ShadowRoot} root
 * @property {(root: ShadowRoot, name: string) => Promise<void>} adopt - gets a sheet
 * @property {PreferenceStore} store
 * @property {typeof makeIcon} makeIcon
 * @property {ReadonlyMap<string, unknown>} registered - the page's own styles
 * @property {() => URL | undefined} server - its address, if there is one
 * @property {HTMLElement} layer
 * @property {ToastLayout} layout
 * @property {FocusOrigin} focusOrigin
 * @property {History} history
 * @property {() => { say: ReturnType<typeof wordsIn>, language: string, lang: string }} words - `lang`: of `say`
 * @property {(isExpanded: boolean) => void} expand - show all toasts, or again as many as usual
 * @property {() => void} pause - or go on
 * @property {() => void} clear - dismiss all
 * @property {() => void} read - the history was looked at
 */

import { focusedBeside } from "./clearance.js";
import { Controls } from "./controls.js";
import { boxOf } from "./list-fit.js";
import { toastBeside } from "./neighbours.js";
import { positionOf, sizeOf } from "./toolbar-position.js";

/** Between the toolbar's edge and its buttons, in px. */
const inset = 3;

/** Milliseconds that the history's button stays visible after something new has come. */
const news = 10_000;

export class Toolbar {
  #means;
  /** @type {Controls | undefined} */
  #controls;
  /** @type {Promise<Panel> | undefined} */
  #loading;
  /** @type {Panel | undefined} */
  #panel;
  /** @type {Summary} */
  #summary = { count: 0, more: 0, isExpanded: false, isPaused: false, unread: 0, isNews: false };
  /** @type {ReturnType<typeof setTimeout> | undefined} While something is new. */
  #fading;
  /** @type {number | undefined} */
  #frame;
  /** Whether the pointer has moved on the toolbar, which may also have moved under a pointer that stands still. */
  #isAimedAt = false;
  /** @type {HTMLElement | undefined} What had the focus before the panel opened. */
  #before;

  /** @param {Means} means */
  constructor(means) {
    this.#means = means;
    // The toolbar is made when pointer or focus first reach the toasts.
    for (const type of ["pointerover", "focusin"]) {
      means.layout.region.addEventListener(type, () => this.#make(), { once: true });
    }
    means.layout.measureToolbar = () => this.#measure();
    means.layout.region.addEventListener("pointerenter", () => this.#placeSoon());
    means.layout.region.addEventListener("focusin", () => this.#placeSoon());
    means.layout.region.addEventListener("pointerdown", ({ pointerType, target }) => {
      // A finger cannot hover: its touch opens the region.
      if (pointerType === "mouse" || this.#controls?.element.contains(/** @type {Node} */ (target))) { return; }
      means.layout.isOpen = true;
      document.addEventListener("pointerdown", this.#leave);
    });
    // Pointer or focus may be there already.
    if (means.layout.region.matches(":hover, :focus-within")) { this.#make(); }
    // Escape in a toast dismisses it; in the toolbar it returns the focus.
    means.layout.region.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) { return; }
      event.preventDefault();
      event.stopPropagation();
      means.focusOrigin.giveBack();
    });
    means.layout.region.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && means.root.contains(relatedTarget)) { return; }
      means.layout.isOpen = false;
    });
  }

  /** @param {Omit<Summary, "isNews">} summary */
  update(summary) {
    const { count, more, isPaused, unread } = summary;
    if (unread > this.#summary.unread) { this.#show(); }
    if (!unread) { this.#fade(); }
    if (count + more > 1 || isPaused || unread) { this.#make(); }
    this.#draw({ ...summary, isNews: this.#fading !== undefined });
    this.#panel?.update(this.#means.history.all);
    this.#shrink();
  }

  /** @param {Summary} summary */
  #draw(summary) {
    const { layout } = this.#means;
    const hasChanged = JSON.stringify(summary) !== JSON.stringify(this.#summary);
    this.#summary = summary;
    this.#controls?.update(summary);
    // A pause, news in the history and waiting toasts are shown also without a toast.
    layout.isKept = summary.isPaused || summary.isNews || summary.more > 0;
    if (hasChanged) { this.#placeSoon(); }
  }

  /** Something unseen has come into the history: show its button for a while. */
  #show() {
    clearTimeout(this.#fading);
    this.#fading = setTimeout(() => {
      this.#fade();
      this.#draw({ ...this.#summary, isNews: false });
    }, news);
  }

  #fade() {
    clearTimeout(this.#fading);
    this.#fading = undefined;
  }

  /** A finger touches something else. @param {PointerEvent} event */
  #leave = (event) => {
    const { layout, layer } = this.#means;
    if (event.composedPath().includes(layer)) { return; }
    document.removeEventListener("pointerdown", this.#leave);
    layout.isOpen = false;
  };

  /** Close the region if it has neither toasts, nor a panel, nor the focus. */
  #shrink() {
    const { layout } = this.#means;
    if (!this.#summary.count && !this.#panel?.page && !layout.region.matches(":focus-within")) { layout.isOpen = false; }
  }

  /** Put the toolbar where it is to stand, together with all that changes in this frame. */
  #placeSoon() {
    if (this.#frame !== undefined) { return; }
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#measure()();
    });
  }

  /** Measure where the toolbar is to stand, if it is seen. @returns {() => void} puts it there */
  #measure() {
    const { region } = this.#means.layout;
    const bar = this.#controls?.element;
    if (!this.#controls || !bar?.isConnected) { return () => {}; }
    const { more, isPaused, isNews } = this.#summary;
    if (!more && !isPaused && !isNews && !region.matches(":hover, :focus-within, [data-open]")) { return () => {}; }
    // It must not move away from under the pointer.
    if (this.#isAimedAt && bar.style.left && matchMedia("(hover: hover)").matches) { return () => {}; }
    const list = /** @type {HTMLOListElement | null} */ (region.querySelector(`ol[data-placement="${region.dataset.placement}"]:not([hidden])`));
    const buttons = this.#controls.shown.map(({ offsetWidth: width, offsetHeight: height }) => ({ width, height }));
    const measure = { padding: bar.clientLeft + inset, space: 2 };
    const sizes = { row: sizeOf(buttons, measure, false), column: sizeOf(buttons, measure, true) };
    const { clientWidth: width, clientHeight: height } = this.#means.layer;
    const place = positionOf(sizes, list ? boxOf(list) : undefined, { width, height }, region.dataset.placement ?? "", region.matches(":dir(rtl)"));
    return () => {
      Object.assign(bar.style, { left: `${place.left}px`, top: `${place.top}px` });
      bar.toggleAttribute("data-column", place.isColumn);
    };
  }

  /** This viewer has no toast to focus: focus a toast of another viewer, else the toolbar. */
  focus() {
    const { layout } = this.#means;
    const toast = toastBeside(layout.region);
    if (toast) {
      toast.tabIndex = -1;
      toast.addEventListener("blur", () => toast.removeAttribute("tabindex"), { once: true });
      return toast.focus();
    }
    const controls = this.#make();
    layout.isOpen = true;
    // At once: it cannot be focused before, and the sheet may come later.
    layout.region.append(controls.element);
    controls.focus();
    this.#placeSoon();
  }

  /** @param {"history" | "preferences"} page @param {boolean} [takesFocus] */
  async open(page, takesFocus) {
    const { root } = this.#means;
    this.#before ??= /** @type {HTMLElement | undefined} */ (root.activeElement ?? focusedBeside(root));
    const panel = await this.#load();
    if (page === "preferences") { return panel.showPreferences(takesFocus); }
    panel.showHistory(this.#means.history.all, takesFocus);
    this.#means.read();
  }

  close() {
    this.#panel?.close();
  }

  /** Make panel and toolbar in another language. A focus in them goes to the panel's heading, or the same button. */
  renew() {
    const { activeElement } = this.#means.root;
    const panel = this.#panel;
    const bar = this.#controls?.element;
    this.#panel = this.#loading = this.#controls = undefined;
    if (panel) {
      const hadFocus = panel.element.contains(activeElement);
      panel.element.remove();
      // A panel that was open stays open, in the new language.
      if (panel.page) { this.open(panel.page, hadFocus); }
    }
    if (bar) {
      const controls = this.#make();
      // Before the old one is removed: a region that loses the focus is closed.
      bar.after(controls.element);
      const index = [...bar.children].indexOf(/** @type {Element} */ (activeElement));
      /** @type {HTMLElement | undefined} */ (controls.element.children[index])?.focus();
      bar.remove();
      this.#placeSoon();
    }
  }

  #make() {
    if (this.#controls) { return this.#controls; }
    const { root, adopt, layout, words, expand, pause, clear } = this.#means;
    const { say, lang } = words();
    const presses = { more: () => expand(true), less: () => expand(false), pause, clear, history: () => this.#toggle("history"), preferences: () => this.#toggle("preferences") };
    const controls = new Controls(say, (name) => presses[name]());
    this.#controls = controls;
    controls.update(this.#summary);
    const { element } = controls;
    element.lang = lang;
    element.addEventListener("pointermove", ({ movementX, movementY }) => { if (movementX || movementY) { this.#isAimedAt = true; } });
    element.addEventListener("pointerleave", () => { this.#isAimedAt = false; });
    this.#isAimedAt = false;
    adopt(root, "controls").then(() => {
      // `renew` may have replaced them meanwhile.
      if (controls !== this.#controls || element.isConnected) { return; }
      layout.region.append(element);
      // Not in the next frame: a finger on a toast could press a button that is not in its place yet.
      this.#measure()();
    });
    return controls;
  }

  /** @param {"history" | "preferences"} page */
  #toggle(page) {
    if (this.#panel?.page === page) { this.close(); } else { this.open(page); }
  }

  #load() {
    const { root, adopt, makeIcon: draw, registered, store, server } = this.#means;
    this.#loading ??= Promise.all([import("./panel.js"), adopt(root, "controls")]).then(([{ Panel }]) => {
      if (this.#panel) { return this.#panel; }
      const { say, language, lang } = this.#means.words();
      this.#panel = new Panel(say, language, store, {
        draw, server: server(), registered, closed: () => this.#closed(), history: () => this.open("history"),
      });
      this.#panel.element.lang = lang;
      this.#means.layer.append(this.#panel.element);
      return this.#panel;
    });
    // The next call tries again.
    this.#loading.catch(() => { this.#loading = undefined; });
    return this.#loading;
  }

  #closed() {
    const before = this.#before;
    const { root } = this.#means;
    this.#before = undefined;
    // Return the focus only if it is in the panel or nowhere, not if it has moved elsewhere.
    if (this.#panel?.element.contains(root.activeElement) || !focusedBeside(root)) {
      // A button of the toolbar may be hidden by now, which takes no focus.
      before?.focus();
      if (!before?.matches(":focus")) { this.#means.focusOrigin.giveBack(); }
    }
    this.#shrink();
  }
}
