/**
 * Why toasts must not go away now.
 *
 * While there is a reason, no countdown runs here: the pointer rests on a toast, the focus is in one, a finger drags
 * one, the page is hidden, a person has paused all. Where the page allows it, the first three also stop the server's
 * countdown, for everybody. The others never do: a tab that somebody has forgotten would stop the channel for all.
 *
 * @typedef {"hover" | "focus" | "drag" | "hidden" | "pause" | "never"} HoldReason
 */

/** How long a pointer that does not move counts, in ms: perhaps nobody is at it. */
const rest = 10_000;

/** How long the way from one toast to the next may take, in ms. */
const patience = 150;

/** Those of somebody who is at the toasts. @type {HoldReason[]} */
const touches = ["hover", "focus", "drag"];

export class Holds {
  /** @type {Set<HoldReason>} */
  #reasons = new Set();
  /** @type {Map<HoldReason, ReturnType<typeof setTimeout>>} Those that are about to end. */
  #ending = new Map();
  #changed;

  /** @param {(reasons: Set<HoldReason>) => void} changed */
  constructor(changed) { this.#changed = changed; }

  /** Whether somebody is at the toasts. */
  get isTouched() { return touches.some((reason) => this.#reasons.has(reason)); }

  /** @param {HoldReason} reason */
  add(reason) {
    clearTimeout(this.#ending.get(reason));
    this.#ending.delete(reason);
    if (this.#reasons.has(reason)) { return; }
    this.#reasons.add(reason);
    this.#changed(this.#reasons);
  }

  /** @param {HoldReason} reason */
  remove(reason) {
    if (!this.#reasons.delete(reason)) { return; }
    clearTimeout(this.#ending.get(reason));
    this.#ending.delete(reason);
    this.#changed(this.#reasons);
  }

  /**
   * End a reason unless it is back at once, as when the pointer goes from one toast to the next.
   *
   * @param {HoldReason} reason
   */
  removeSoon(reason) {
    if (this.#reasons.has(reason) && !this.#ending.has(reason)) {
      this.#ending.set(reason, setTimeout(() => this.remove(reason), patience));
    }
  }

  /** @param {HoldReason} reason @param {boolean} isOn */
  set(reason, isOn) {
    if (isOn) { this.add(reason); } else { this.remove(reason); }
  }

  /** Nothing is touched any more. */
  letGo() {
    for (const reason of touches) { this.remove(reason); }
  }
}

/**
 * The pointer that moves over the toasts, and the focus in them or in the bar below them, hold all of them. A pointer
 * that toasts have come under has not moved.
 *
 * @param {HTMLElement} region
 * @param {Holds} holds
 */
export function followHand(region, holds) {
  let place = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  region.addEventListener("pointermove", ({ isTrusted, pointerType, screenX, screenY }) => {
    const there = `${screenX} ${screenY}`;
    // A finger does not hover, it only looks like it, and never leaves.
    if (!isTrusted || pointerType === "touch" || there === place) { return; }
    place = there;
    holds.add("hover");
    clearTimeout(timer);
    timer = setTimeout(() => holds.remove("hover"), rest);
  });
  const leave = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointermove" && event.composedPath().includes(region)) { return; }
    const there = `${event.screenX} ${event.screenY}`;
    // A toast has gone from under it, and it is about to close the next one, perhaps.
    if (there === place) { return document.addEventListener("pointermove", leave, { once: true, capture: true }); }
    place = there;
    clearTimeout(timer);
    holds.removeSoon("hover");
  };
  region.addEventListener("pointerleave", leave);
  region.addEventListener("focusin", ({ target }) => {
    if (/** @type {Element} */ (target).matches(":focus-visible")) { holds.add("focus"); }
  });
  region.addEventListener("focusout", () => holds.removeSoon("focus"));
}
