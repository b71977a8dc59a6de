/**
 * What a person does at the toasts, which holds them.
 *
 * @import { Card } from "../card.js"
 * @import { Holds, HoldReason } from "../holds.js"
 */

/** How long the way from one toast to the next may take, in ms. */
const patience = 150;

/** @type {HoldReason[]} */
const reasons = ["hover", "focus", "drag"];

export class Touches {
  #holds;
  /** @type {Map<HoldReason, ReturnType<typeof setTimeout>>} Those that are about to end. */
  #ending = new Map();

  /** @param {HTMLElement} region @param {Holds} holds */
  constructor(region, holds) {
    this.#holds = holds;
    followHand(region, this);
  }

  /** Whether somebody is at the toasts. */
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

/** How long a pointer that does not move counts, in ms: perhaps nobody is at it. */
const rest = 10_000;

/**
 * The pointer that moves over the toasts, and the focus in them or in the bar below them, hold all of them. A pointer
 * that toasts have come under has not moved.
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
    // A finger does not hover, it only looks like it, and never leaves.
    if (!isTrusted || pointerType === "touch" || there === place) { return; }
    place = there;
    touches.add("hover");
    clearTimeout(timer);
    timer = setTimeout(() => touches.remove("hover"), rest);
  });
  const leave = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointermove" && event.composedPath().includes(region)) { return; }
    const there = `${event.screenX} ${event.screenY}`;
    // A toast has gone from under it, and it is about to close the next one, perhaps.
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
  // It may be there already.
  if (region.querySelector(":focus-visible")) { touches.add("focus"); }
}
