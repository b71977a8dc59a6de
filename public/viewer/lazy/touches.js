/**
 * Pointer, focus and drags at the toasts, which hold them: touches.
 *
 * @import { Card } from "../card.js"
 * @import { Holds, HoldReason } from "../holds.js"
 */

/** How long the pointer or the focus may take from one toast to the next, in ms. */
const patience = 150;

/** @type {HoldReason[]} */
const reasons = ["hover", "focus", "drag"];

export class Touches {
  #holds;
  /** @type {Map<HoldReason, ReturnType<typeof setTimeout>>} The touches that are about to end. */
  #ending = new Map();

  /** @param {HTMLElement} region @param {Holds} holds */
  constructor(region, holds) {
    this.#holds = holds;
    followHand(region, this);
  }

  /** Whether a person touches the toasts: hover, focus or drag. */
  get isTouched() { return reasons.some((reason) => this.#holds.has(reason)); }

  /** @param {HoldReason} reason */
  add(reason) {
    this.#forget(reason);
    this.#holds.set(reason, true);
  }

  /** @param {HoldReason} reason */
  remove(reason) {
    this.#forget(reason);
    this.#holds.set(reason, false);
  }

  /**
   * End a reason unless it is back at once, as when the pointer goes from one toast to the next.
   *
   * @param {HoldReason} reason
   */
  removeSoon(reason) {
    if (this.#holds.has(reason) && !this.#ending.has(reason)) {
      this.#ending.set(reason, setTimeout(() => this.remove(reason), patience));
    }
  }

  /** End each reason that none of these toasts gives. @param {Iterable<{ card: Card }>} [shown] */
  letGo(shown = []) {
    const cards = [...shown].map(({ card }) => card);
    if (!cards.some((card) => card.hasFocus)) { this.remove("focus"); }
    if (!cards.some(({ element }) => element.matches(":hover"))) { this.remove("hover"); }
    if (!cards.some(({ element }) => element.matches("[data-dragging]"))) { this.remove("drag"); }
  }

  /** @param {HoldReason} reason */
  #forget(reason) {
    clearTimeout(this.#ending.get(reason));
    this.#ending.delete(reason);
  }
}

/** Milliseconds after which a pointer that does not move no longer holds: the person may have left. */
const rest = 10_000;

/**
 * A pointer that moves over the toasts, and the focus in them or in the toolbar, hold all of them. A pointer that
 * stands still while toasts come under it does not.
 *
 * @param {HTMLElement} region
 * @param {Touches} touches
 */
function followHand(region, touches) {
  let place = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  region.addEventListener("pointermove", ({ isTrusted, pointerType, screenX, screenY }) => {
    const there = `${screenX} ${screenY}`;
    // A finger does not hover: browsers send its moves, but no leave that would end the hold.
    if (!isTrusted || pointerType === "touch" || there === place) { return; }
    place = there;
    touches.add("hover");
    clearTimeout(timer);
    timer = setTimeout(() => touches.remove("hover"), rest);
  });
  const leave = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointermove" && event.composedPath().includes(region)) { return; }
    const there = `${event.screenX} ${event.screenY}`;
    // The pointer has not moved, a toast has gone from under it: the hold lasts until it moves.
    if (there === place) { return document.addEventListener("pointermove", leave, { once: true, capture: true }); }
    place = there;
    clearTimeout(timer);
    touches.removeSoon("hover");
  };
  region.addEventListener("pointerleave", leave);
  region.addEventListener("focusin", ({ target }) => {
    if (/** @type {Element} */ (target).matches(":focus-visible")) { touches.add("focus"); }
  });
  region.addEventListener("focusout", () => touches.removeSoon("focus"));
  // The focus may be there already.
  if (region.querySelector(":focus-visible")) { touches.add("focus"); }
}
