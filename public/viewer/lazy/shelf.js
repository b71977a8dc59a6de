/**
 * Where toasts stand: a region with a list for each placement, and the focus that comes and goes. It takes over from the
 * screen, which knows only how the first ones are put there.
 *
 * @import { Card } from "../card.js"
 * @import { Timing } from "./motion.js"
 * @import { Placement } from "../wire.d.ts"
 */

import { makeWay } from "./clearance.js";

/** How those that stay make room, unless the channel says it. @type {Timing} */
const usual = { duration: 300, delay: 0, easing: "ease-in-out" };

/** Whether a person wants things to stand still. Asked when it counts: it may change. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** How far it is from a toast's place to where nothing of it, nor of its shadow, is seen. @param {HTMLLIElement} element */
function wayOut(element) {
  const list = element.parentElement;
  const shadow = 9;
  switch (list?.dataset.placement) {
    case "top": return -(list.offsetTop + element.offsetTop + element.offsetHeight + shadow);
    case "bottom": return innerHeight - list.offsetTop - element.offsetTop + shadow;
    default: return 0;
  }
}

export class Shelf {
  region;
  /** How those that stay make room. @type {Timing | undefined} */
  move;
  /** Called when a list stands at another edge. */
  turned = () => {};
  #lists;
  /** @type {HTMLElement | undefined} What had the focus before it came here. */
  #before;
  /** @type {(() => void)[]} */
  #changes = [];
  /** Those that have come to another place. @type {Set<HTMLLIElement>} */
  #fresh;
  /** @type {Set<HTMLLIElement>} */
  #lifted = new Set();
  /** @type {Promise<void> | undefined} */
  #flushed;
  /** Whether something in the page has had the focus: then toasts must not stand on it. */
  #isWary = false;

  /**
   * @param {HTMLElement} region
   * @param {Map<string, HTMLOListElement>} lists
   */
  constructor(region, lists) {
    this.region = region;
    this.#lists = lists;
    // Those that are there already were put there in a hurry.
    this.#fresh = new Set(this.elements);
    this.region.addEventListener("focusin", ({ relatedTarget: from }) => {
      if (from instanceof HTMLElement && !this.region.getRootNode().contains(from)) { this.#before = from; }
    });
  }

  /**
   * Whether the region is there without a toast, too: somebody has asked for what else is in it.
   *
   * @param {boolean} isOpen
   */
  set isOpen(isOpen) {
    this.region.toggleAttribute("data-open", isOpen);
    this.region.hidden = !isOpen && !this.elements.length;
  }

  /** The toasts as they are seen, tabbed through and read: from top to bottom. */
  get elements() {
    return [...this.region.querySelectorAll("li")];
  }

  /**
   * Put a toast at its place: the oldest is nearest to the edge of the screen, the newest nearest to the middle.
   *
   * @param {HTMLLIElement} element
   * @param {Placement} placement
   * @param {boolean} [isNewest] - also when it stands there already
   * @returns {Promise<void>} fulfilled when it is there
   */
  place(element, placement, isNewest = false) {
    return this.#change(() => {
      const list = this.#lists.get(placement);
      if (!list || (element.parentElement === list && !isNewest)) { return; }
      const newest = placement === "bottom" ? list.firstChild : list.lastChild;
      if (element === newest) { return; }
      const before = placement === "bottom" ? newest : null;
      if (element.isConnected) { this.#carry(element, list, before); } else { list.insertBefore(element, before); }
      this.#fresh.add(element);
    });
  }

  /**
   * Let a toast that leaves stand where it is, while the others close its gap or another takes its place.
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

  /** Let a toast stand where it is until it has gone. @param {Card} card */
  leave(card) {
    this.lift(card.element);
    card.exit.then(() => this.take(card.element));
  }

  /** Let a toast fade where it stands: another one takes its place. @param {Card} card */
  swap(card) {
    card.element.dataset.entry = "swapped";
    card.leave((this.move ?? usual).duration / 1000);
    this.leave(card);
  }

  /** @param {HTMLLIElement} element */
  take(element) {
    return this.#change(() => element.remove());
  }

  /** The focus, back to where it came from. */
  giveBackFocus() {
    const { activeElement } = /** @type {ShadowRoot} */ (this.region.getRootNode());
    if (this.#before?.isConnected) { this.#before.focus(); }
    if (activeElement instanceof HTMLElement && activeElement.matches(":focus")) { activeElement.blur(); }
  }

  /** The focus is elsewhere in the page: do not stand on it. */
  clear() {
    this.#isWary = true;
    if (this.elements.length) { this.refresh(); }
  }

  /** See to it that everything stands where it should. */
  refresh() { return this.#change(() => {}); }

  /**
   * Move a toast that is there already, and what has the focus in it. It does not enter once more.
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
   * Where a toast stands, as the styles that keep it there when it is no longer one of its list.
   *
   * @param {HTMLLIElement} element
   */
  #place(element) {
    const list = element.parentElement;
    const { offsetTop, offsetLeft, offsetWidth, offsetHeight } = element;
    const place = { position: "absolute", left: `${offsetLeft}px`, width: `${offsetWidth}px` };
    return list?.dataset.placement === "bottom"
      ? { ...place, bottom: `${list.offsetHeight - offsetTop - offsetHeight}px` }
      : { ...place, top: `${offsetTop}px` };
  }

  /**
   * All changes of one burst are made together: the layout is asked for once before and once after.
   *
   * @param {() => void} change
   */
  #change(change) {
    this.#changes.push(change);
    this.#flushed ??= Promise.resolve().then(() => this.#flush());
    return this.#flushed;
  }

  /** Make the changes, and let what they moved glide to its new place. An empty list or region is not there. */
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
    for (const list of this.#lists.values()) {
      const { scrollTop } = list;
      list.hidden = !list.firstChild;
      delete list.dataset.crowded;
      if (Math.max(list.offsetHeight, list.scrollHeight) > innerHeight) { this.#crowd(list, scrollTop); }
    }
    this.region.hidden = !this.elements.length && !this.region.hasAttribute("data-open");
    if (this.#isWary && makeWay(this.region, this.#lists)) { this.turned(); }
    this.region.dataset.placement = [...this.#lists.values()].findLast((list) => !list.hidden)?.dataset.placement ?? "none";
    const glides = tops.map(({ it, top }) => ({ it, way: it.isConnected ? top - it.getBoundingClientRect().top : 0 }));
    const ways = [...this.#fresh].map((it) => ({ it, way: wayOut(it) }));
    for (const it of this.#fresh) { fit(it); }
    this.#fresh.clear();
    for (const { it, way } of ways) { it.style.setProperty("--out", `${way}px`); }
    for (const { it, way } of glides) { this.#glide(it, way); }
  }

  /**
   * More than the screen has room for is scrolled, and the newest is in sight, unless somebody looks at another one.
   *
   * @param {HTMLOListElement} list
   * @param {number} place - where it was scrolled to
   */
  #crowd(list, place) {
    list.dataset.crowded = "";
    list.scrollTop = list.matches(":focus-within, :hover") ? place : list.dataset.placement === "bottom" ? 0 : list.scrollHeight;
  }

  /**
   * @param {HTMLLIElement} element
   * @param {number} way - in px, upwards
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

/** A message that is cut by the height it may have can be scrolled by finger and key. @param {HTMLLIElement} element */
export function fit(element) {
  const message = element.querySelector("[part=message]");
  if (message && message.scrollHeight > message.clientHeight + 1) { message.setAttribute("tabindex", "0"); }
}
