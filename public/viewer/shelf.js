/**
 * Where toasts stand: a region with a list for each placement, and the focus that comes and goes.
 *
 * @import { Placement } from "./wire.d.ts"
 */

/** How long those that stay take to make room, in ms; as a toast's entrance. */
const room = 350;

export class Shelf {
  region = document.createElement("section");
  #lists = /** @type {Map<string, HTMLOListElement>} */ (new Map());
  /** @type {HTMLElement | undefined} What had the focus before it came here. */
  #before;

  constructor() {
    this.region.setAttribute("part", "region");
    this.region.hidden = true;
    for (const placement of ["top", "center", "bottom"]) {
      const list = this.region.appendChild(document.createElement("ol"));
      // Safari forgets that a list without markers is a list.
      list.role = "list";
      list.dataset.placement = placement;
      list.hidden = true;
      this.#lists.set(placement, list);
    }
    this.region.addEventListener("focusin", ({ relatedTarget: from }) => {
      if (from instanceof HTMLElement && !this.region.contains(from)) { this.#before = from; }
    });
  }

  get isEmpty() {
    return this.region.hidden;
  }

  /** The toasts as they are seen, tabbed through and read: newest first. */
  get elements() {
    return [...this.region.querySelectorAll("li")];
  }

  /**
   * @param {HTMLLIElement} element
   * @param {Placement} placement
   */
  place(element, placement) {
    const list = this.#lists.get(placement);
    if (list && element.parentElement !== list) { this.#rearrange(() => list.prepend(element)); }
  }

  /** @param {HTMLLIElement} element */
  take(element) {
    this.#rearrange(() => element.remove());
  }

  /** The focus, back to where it came from. */
  giveBackFocus() {
    const { activeElement } = /** @type {ShadowRoot} */ (this.region.getRootNode());
    if (this.#before?.isConnected) { this.#before.focus(); }
    if (activeElement instanceof HTMLElement && activeElement.matches(":focus")) { activeElement.blur(); }
  }

  /**
   * Change the lists and let what moved by it glide to its new place. A list or a region with nothing
   * in it is not there.
   *
   * @param {() => void} change
   */
  #rearrange(change) {
    const tops = this.elements.map((it) => ({ it, top: it.getBoundingClientRect().top }));
    change();
    for (const list of this.#lists.values()) { list.hidden = !list.firstChild; }
    this.region.hidden = !this.elements.length;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { return; }
    for (const { it, top } of tops) {
      const way = it.isConnected ? top - it.getBoundingClientRect().top : 0;
      const glide = { duration: room, easing: "cubic-bezier(0.2, 0, 0, 1)", composite: /** @type {const} */ ("add") };
      if (way) { it.animate({ translate: [`0 ${way}px`, "0 0"] }, glide); }
    }
  }
}
