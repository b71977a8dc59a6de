/**
 * Where toasts stand: the oldest is nearest to the edge of the screen, the newest nearest to the middle.
 * `lazy/toast-layout.js` takes over, with motion, scrolling and making way.
 *
 * @import { Card } from "./card.js"
 * @import { Placement } from "./wire.d.ts"
 *
 * @typedef {object} Layout
 * @property {HTMLLIElement[]} elements - from top to bottom
 * @property {(element: HTMLLIElement, placement: Placement, isNewest?: boolean) => Promise<void> | void} place
 * @property {(element: HTMLLIElement) => void} lift - keep one that leaves where it stands
 * @property {(element: HTMLLIElement) => void} lower - put it back among the others
 * @property {(element: HTMLLIElement) => void} take - remove it
 * @property {(card: Card) => void} swap - remove one whose place another takes
 */

/**
 * How far a toast, with its shadow of 9 px, has to move to be beyond the edge of the layer.
 *
 * @param {HTMLElement} element
 * @returns {number} px, negative for upwards
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
  /** Toasts to measure: all but the first of a list, whose way is in the sheet. @type {HTMLElement[]} */
  #inner = [];

  /** @param {HTMLElement} region @param {Map<string, HTMLOListElement>} lists */
  constructor(region, lists) {
    this.#region = region;
    this.#lists = lists;
  }

  get elements() { return [...this.#region.querySelectorAll("li")]; }

  /** @param {HTMLLIElement} element @param {Placement} placement @param {boolean} [isNewest] - also within its list */
  place(element, placement, isNewest) {
    const list = this.#lists.get(placement);
    if (!list || element.parentNode === list && !isNewest) { return; }
    list.insertBefore(element, placement === "bottom" ? list.firstChild : null);
    this.#tidy();
    // Once for all toasts of a burst.
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

  /** Hide empty lists, and an empty region. */
  #tidy() {
    for (const list of this.#lists.values()) { list.hidden = !list.firstChild; }
    this.#region.hidden = !this.elements.length && !this.#region.hasAttribute("data-open");
  }
}

/** The element that had the focus before the toasts, and gets it back. */
export class FocusOrigin {
  /** The path of the last `focusout`: `relatedTarget` names only the host of another shadow root. @type {unknown[]} */
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

  /** Without scrolling: the next key press scrolls to the focus. */
  giveBack() {
    this.origin?.focus({ preventScroll: true });
    /** @type {HTMLElement | null} */ (this.#root.activeElement)?.blur();
  }
}

/** Whether a dialog, a popover or an element in full screen covers the page. */
export function isCovered() {
  return [document, document.activeElement?.shadowRoot].some((root) => root?.querySelector(":modal, :popover-open, :fullscreen"));
}
