/**
 * Where toasts stand, in a region with a list for each placement: motion, collapsed stacks, lists that scroll, making
 * way for the page's focus. It takes over from `layout.js`, which only inserts and removes cards.
 *
 * @import { wayOut } from "../layout.js"
 * @import { Card } from "../card.js"
 * @import { Timing } from "./motion.js"
 * @import { ToastLifecycle } from "./toast-lifecycle.js"
 * @import { Placement } from "../wire.d.ts"
 */

import { makeWay } from "./clearance.js";
import { arrange } from "./neighbours.js";
import { fit, measureText, reveal } from "./list-fit.js";

/** How toasts glide to make room, unless the channel says otherwise. @type {Timing} */
const usual = { duration: 300, delay: 0, easing: "ease-in-out" };

/** Whether the person prefers reduced motion. Not cached, because it may change. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Milliseconds that a list keeps the position to which a finger has scrolled it. */
const reading = 10_000;

/** Milliseconds that a stack stays open after pointer and focus have left: on the way to the toolbar, or over a gap. */
const patience = 350;

export class ToastLayout {
  region;
  /** Measures where the toolbar is to stand, and returns a function that puts it there. */
  measureToolbar = () => () => {};
  /** How toasts glide to make room: the channel's timing. @type {Timing | undefined} */
  move;
  /** Called when a list has changed its edge, begins or ceases to scroll, or gets toasts while it scrolls. */
  turned = () => {};
  #isCollapsible = false;
  #lists;
  #lifecycle;
  #wayOut;
  /** @type {(() => void)[]} */
  #changes = [];
  /** Toasts whose text and way out the next flush measures: new, moved or redrawn. @type {Set<HTMLLIElement>} */
  #fresh;
  /** @type {Set<HTMLLIElement>} */
  #lifted = new Set();
  /** @type {Promise<void> | undefined} */
  #flushed;
  /** Whether something in the page has had the focus: from then on toasts must not cover the focus. */
  #isWary = false;
  /** Whether the pointer or the focus is in the region, or was a moment ago. */
  #isNear = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #going;
  /** When a finger last scrolled a list, as `performance.now()`. */
  #scrolledAt = -Infinity;
  /** Whether the region is shown also without toasts. */
  #isKept = false;

  /**
   * @param {HTMLElement} region
   * @param {Map<string, HTMLOListElement>} lists
   * @param {ToastLifecycle} lifecycle
   * @param {typeof wayOut} way - measures how far a toast has to move to be out of sight
   */
  constructor(region, lists, lifecycle, way) {
    this.#lifecycle = lifecycle;
    this.#wayOut = way;
    this.region = region;
    this.#lists = lists;
    // `PlainLayout` has not measured the texts of the toasts that are already there.
    this.#fresh = new Set(this.elements);
    region.addEventListener("focusin", ({ target }) => this.#focus(target));
    region.addEventListener("focusout", () => this.#goSoon());
    // A finger does not hover: for it see isOpen.
    region.addEventListener("pointerenter", ({ pointerType }) => { if (pointerType !== "touch") { this.#come(); } });
    region.addEventListener("pointerleave", () => this.#goSoon());
    // Not a pointer event: these end when the browser begins to scroll.
    region.addEventListener("touchmove", ({ target }) => {
      if (/** @type {Element} */ (target).closest("[data-crowded]")) { this.#scrolledAt = performance.now(); }
    }, { passive: true });
    // A picture that loads late makes its toast taller. The event does not bubble.
    region.addEventListener("load", () => this.#remeasure(), true);
    // In another size, lines break elsewhere, and lists have other room.
    if (region.parentElement) { new ResizeObserver(() => this.#remeasure()).observe(region.parentElement); }
  }

  /**
   * Whether several toasts of an edge are drawn as one, with the others behind it, until a pointer or the focus comes
   * near.
   *
   * @param {boolean} isOn
   */
  set isCollapsible(isOn) {
    if (isOn === this.#isCollapsible) { return; }
    this.#isCollapsible = isOn;
    this.refresh();
  }

  /** @param {EventTarget | null} target */
  #focus(target) {
    this.#come();
    // A toast that was clicked stays below the pointer.
    if (!(target instanceof HTMLElement) || !target.matches(":focus-visible")) { return; }
    // After the browser has scrolled.
    queueMicrotask(() => reveal(target));
  }

  #remeasure() {
    const { elements } = this;
    if (!elements.length) { return; }
    this.#fresh = new Set(elements);
    this.refresh();
  }

  #come() {
    clearTimeout(this.#going);
    if (this.#isNear) { return; }
    this.#isNear = true;
    if (this.#isCollapsible) { this.refresh(); }
  }

  #goSoon() {
    clearTimeout(this.#going);
    this.#going = setTimeout(() => {
      if (this.region.hasAttribute("data-open") || this.region.matches(":hover, :focus-within")) { return; }
      this.#isNear = false;
      if (this.#isCollapsible) { this.refresh(); }
    }, patience);
  }

  /**
   * Whether a person has asked for the region with the toolbar, also without a toast.
   *
   * @param {boolean} isOpen
   */
  set isOpen(isOpen) {
    if (this.region.hasAttribute("data-open") !== isOpen) { this.refresh(); }
    this.region.toggleAttribute("data-open", isOpen);
    this.#hide();
    if (isOpen) { this.#come(); } else { this.#goSoon(); }
  }

  /** Whether the region is shown also without toasts. @param {boolean} isKept */
  set isKept(isKept) {
    this.#isKept = isKept;
    this.#hide();
  }

  #hide() { this.region.hidden = !this.#isKept && !this.region.hasAttribute("data-open") && !this.elements.length; }

  /** The toasts as they are seen, tabbed through and read: from top to bottom. */
  get elements() {
    return [...this.region.querySelectorAll("li")];
  }

  /**
   * Put a toast at its place: the oldest is nearest to the edge of the screen, the newest nearest to the middle.
   *
   * @param {HTMLLIElement} element
   * @param {Placement} placement
   * @param {boolean} [isNewest] - move it to the newest place also within its list
   * @returns {Promise<void>} fulfilled when it is in its place
   */
  place(element, placement, isNewest = false) {
    return this.#change(() => {
      const list = this.#lists.get(placement);
      if (!list) { return; }
      // Also a toast that does not move: its content may have changed.
      this.#fresh.add(element);
      if (element.parentElement === list && !isNewest) { return; }
      const newest = placement === "bottom" ? list.firstChild : list.lastChild;
      if (element === newest) { return; }
      const before = placement === "bottom" ? newest : null;
      if (element.isConnected) { this.#carry(element, list, before); } else { list.insertBefore(element, before); }
    });
  }

  /**
   * Keep a toast that leaves where it stands, while the others close its gap or another takes its place.
   *
   * @param {HTMLLIElement} element
   */
  lift(element) {
    this.#lifted.add(element);
    return this.#change(() => {});
  }

  /**
   * Put a lifted toast back among the others.
   *
   * @param {HTMLLIElement} element
   */
  lower(element) {
    this.#lifted.delete(element);
    return this.#change(() => Object.assign(element.style, { position: "", left: "", width: "", top: "", bottom: "" }));
  }

  /** Fade a toast out where it stands, because another one takes its place. @param {Card} card */
  swap(card) {
    card.element.dataset.entry = "swapped";
    this.#lifecycle.playExit(card, (this.move ?? usual).duration / 1000);
    this.lift(card.element);
    card.exit.then(() => this.take(card.element));
  }

  /** @param {HTMLLIElement} element */
  take(element) {
    return this.#change(() => element.remove());
  }

  /** The focus has moved in the page: do not cover it. */
  clear() {
    this.#isWary = true;
    if (this.elements.length) { this.refresh(); }
  }

  /** Lay out again. */
  refresh() { return this.#change(() => {}); }

  /** Lay out again when the sheet that lets lists scroll has come, and scroll to what has the focus. */
  async restyle() {
    await this.refresh();
    const focused = this.region.querySelector(":focus");
    if (focused) { reveal(focused); }
  }

  /**
   * Move a toast that is in the page, with the focus in it, and without playing its entry again.
   *
   * @param {HTMLLIElement} element
   * @param {HTMLOListElement} list
   * @param {ChildNode | null} before
   */
  #carry(element, list, before) {
    element.dataset.entry = "carried";
    if ("moveBefore" in Element.prototype) { return list.moveBefore(element, before); }
    const { activeElement } = /** @type {ShadowRoot} */ (element.getRootNode());
    const focused = element.contains(activeElement) && activeElement;
    list.insertBefore(element, before);
    if (focused instanceof HTMLElement) { focused.focus(); }
  }

  /**
   * The styles that keep a toast where it stands when it is taken out of the flow of its list.
   *
   * @param {HTMLLIElement} element
   */
  #place(element) {
    const list = element.parentElement;
    const { offsetTop, offsetLeft, offsetWidth, offsetHeight } = element;
    return {
      position: "absolute", left: `${offsetLeft}px`, width: `${offsetWidth}px`,
      ...list?.dataset.placement === "bottom" ? { bottom: `${list.offsetHeight - offsetTop - offsetHeight}px` } : { top: `${offsetTop}px` },
    };
  }

  /**
   * Make all changes of a burst together, so that the browser computes the layout once before and once after.
   *
   * @param {() => void} change
   */
  #change(change) {
    this.#changes.push(change);
    this.#flushed ??= Promise.resolve().then(() => this.#flush());
    return this.#flushed;
  }

  /** Make the changes, and let moved toasts glide to their new places. Empty lists, and an empty region, are hidden. */
  #flush() {
    const changes = this.#changes;
    this.#changes = [];
    this.#flushed = undefined;
    const tops = this.elements.map((it) => ({ it, top: it.getBoundingClientRect().top }));
    const leaving = [...this.#lifted].filter((it) => it.isConnected && !it.style.position).map((it) => ({ it, place: this.#place(it) }));
    this.#lifted.clear();
    for (const { it, place } of leaving) {
      Object.assign(it.style, place);
      this.#fresh.add(it);
    }
    for (const list of this.#lists.values()) { list.hidden = false; }
    this.region.hidden = false;
    for (const change of changes) { change(); }
    const manner = {
      isCollapsible: this.#isCollapsible, isNear: this.#isNear, isRead: performance.now() - this.#scrolledAt < reading,
    };
    let hasTurned = false;
    for (const list of this.#lists.values()) {
      list.hidden = !list.firstChild;
      if (!list.hidden && fit(list, this.region.parentElement, manner)) { hasTurned = true; }
    }
    this.#hide();
    arrange();
    if (this.#isWary && makeWay(this.region, this.#lists)) { hasTurned = true; }
    if (hasTurned || [...this.#fresh].some((it) => it.closest("[data-crowded]"))) { this.turned(); }
    this.region.dataset.placement = [...this.#lists.values()].findLast((list) => !list.hidden)?.dataset.placement ?? "none";
    const glides = tops.map(({ it, top }) => ({ it, way: it.isConnected ? top - it.getBoundingClientRect().top : 0 }));
    const ways = [...this.#fresh].map((it) => ({ it, way: this.#wayOut(it) }));
    const marks = [this.measureToolbar(), ...[...this.#fresh].map(measureText)];
    this.#fresh.clear();
    for (const mark of marks) { mark(); }
    for (const { it, way } of ways) { it.style.setProperty("--out", `${way}px`); }
    for (const { it, way } of glides) { this.#glide(it, way); }
  }

  /**
   * @param {HTMLLIElement} element
   * @param {number} way - how far it stood below its new place, in px
   */
  #glide(element, way) {
    if (Math.abs(way) < 1) { return; }
    const { duration, delay, easing } = this.move ?? usual;
    const timing = { duration, delay, fill: /** @type {const} */ ("backwards"), easing };
    if (isStill()) {
      element.animate({ opacity: [0, 1] }, timing);
    } else {
      element.animate({ translate: [`0 ${way}px`, "0 0"] }, { ...timing, composite: "add" });
    }
  }
}
