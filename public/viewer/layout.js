/**
 * Where toasts stand, as plainly as can be: the oldest is nearest to the edge of the screen, the newest nearest to the
 * middle. `lazy/toast-layout.js` takes over from it with what moves, overflows and makes way.
 *
 * @import { Card } from "./card.js"
 * @import { Placement } from "./wire.d.ts"
 *
 * @typedef {object} Layout
 * @property {HTMLLIElement[]} elements - from top to bottom
 * @property {(element: HTMLLIElement, placement: Placement, isNewest?: boolean) => Promise<void> | void} place
 * @property {(element: HTMLLIElement) => void} lift - let one that leaves stand where it is
 * @property {(element: HTMLLIElement) => void} lower - put it back among the others
 * @property {(element: HTMLLIElement) => void} take - away
 * @property {(card: Card) => void} swap - let one go on the spot: another one takes its place
 */

/**
 * How far it is from a toast's place to where nothing of it, nor of its shadow of 9 px, is seen: the layer ends there.
 *
 * @param {HTMLElement} element
 */
export function wayOut(element) {
  const list = element.parentElement;
  if (!list) { return 0; }
  const top = list.offsetTop - list.scrollTop + element.offsetTop;
  switch (list.dataset.placement) {
    case "top": return -(top + element.offsetHeight + 9);
    case "bottom": return (/** @type {HTMLElement | null} */ (list.offsetParent)?.offsetHeight ?? innerHeight) - top + 9;
    default: return 0;
  }
}

/** @implements {Layout} */
export class PlainLayout {
  #region;
  #lists;
  /** Those that do not stand at the edge itself, for which the sheet knows the way. @type {HTMLElement[]} */
  #inner = [];

  /** @param {HTMLElement} region @param {Map<string, HTMLOListElement>} lists */
  constructor(region, lists) {
    this.#region = region;
    this.#lists = lists;
  }

  get elements() { return [...this.#region.querySelectorAll("li")]; }

  /** @param {HTMLLIElement} element @param {Placement} placement @param {boolean} [isNewest] - also when it stands there already */
  place(element, placement, isNewest) {
    const list = this.#lists.get(placement);
    if (!list || element.parentNode === list && !isNewest) { return; }
    list.insertBefore(element, placement === "bottom" ? list.firstChild : null);
    this.#tidy();
    // All of a burst at once, when the last one is there.
    if (list.children.length > 1 && this.#inner.push(element) === 1) { queueMicrotask(() => this.#measure()); }
  }

  #measure() {
    const ways = this.#inner.splice(0).map((it) => ({ it, way: wayOut(it) }));
    for (const { it, way } of ways) { it.style.setProperty("--out", `${way}px`); }
  }

  lift() {}

  lower() {}

  /** @param {HTMLLIElement} element */
  take(element) {
    element.remove();
    this.#tidy();
  }

  /** @param {Card} card */
  swap(card) {
    card.isLeaving = true;
    this.take(card.element);
  }

  /** An empty list or region is not there. */
  #tidy() {
    for (const list of this.#lists.values()) { list.hidden = !list.firstChild; }
    this.#region.hidden = !this.elements.length && !this.#region.hasAttribute("data-open");
  }
}

/** Where the focus came from when it came to the toasts, and goes back to. */
export class FocusOrigin {
  /** What lost the focus last, and all around it: of what is in another shadow root only the host is told. @type {unknown[]} */
  lost = [];
  /** @type {HTMLElement | undefined} */
  origin;
  #root;

  /** @param {ShadowRoot} root @param {HTMLElement} region */
  constructor(root, region) {
    this.#root = root;
    region.addEventListener("focusin", (event) => {
      const from = /** @type {HTMLElement | null} */ (event.relatedTarget);
      if (!from || root.contains(from)) { return; }
      this.origin = this.lost.includes(from) ? /** @type {HTMLElement} */ (this.lost[0]) : from;
    });
  }

  /** The page stays where it was scrolled to: the next key that what has the focus gets scrolls to it. */
  giveBack() {
    this.origin?.focus({ preventScroll: true });
    /** @type {HTMLElement | null} */ (this.#root.activeElement)?.blur();
  }
}

/** Whether something covers the page: beside it nothing can be used or heard. */
export function isCovered() {
  return [document, document.activeElement?.shadowRoot].some((root) => root?.querySelector(":modal, :popover-open, :fullscreen"));
}
