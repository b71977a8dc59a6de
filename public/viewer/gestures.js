/**
 * Swiping a toast away: up from the top, down from the bottom, to either side in the center.
 *
 * @import { Placement } from "./wire.d.ts"
 */

/** Pixels that a toast is dragged before letting go dismisses it. */
export const threshold = 40;

/** Pixels before a press becomes a drag. */
const slop = { touch: 8, pen: 8, mouse: 3 };

/** Pixels that an accepted toast flies on. */
const flight = 200;

/**
 * What a drag means for a toast of a placement.
 *
 * @param {Placement} placement
 * @param {number} dx
 * @param {number} dy
 * @returns {{ x: number, y: number, opacity: number, isAccepted: boolean }} where the toast is now,
 *   and whether letting go here dismisses it
 */
export function swipe(placement, dx, dy) {
  const x = placement === "center" ? dx : 0;
  const y = placement === "top" ? Math.min(0, dy) : placement === "bottom" ? Math.max(0, dy) : 0;
  const distance = Math.abs(x + y);
  return { x, y, opacity: Math.max(0, 1 - 0.5 * (distance / threshold)), isAccepted: distance > threshold };
}

/**
 * Whether a drag is long enough, and goes the toast's way rather than across it.
 *
 * @param {Placement} placement
 * @param {number} dx
 * @param {number} dy
 * @param {string} pointerType
 */
export function isSwipe(placement, dx, dy, pointerType) {
  const along = Math.abs(placement === "center" ? dx : dy);
  const across = Math.abs(placement === "center" ? dy : dx);
  return along > (slop[/** @type {keyof typeof slop} */ (pointerType)] ?? 8) && along > 1.5 * across;
}

/**
 * Let an element be swiped away.
 *
 * @param {HTMLElement} element
 * @param {{ placement: () => Placement, start: () => void, end: () => void, accept: () => void }} callbacks -
 *   `end` comes after every `start`; `accept` before it when the toast is to go
 */
export function makeSwipeable(element, { placement, start, end, accept }) {
  /** @type {{ id: number, x: number, y: number, isSwiping: boolean } | undefined} */
  let press;

  /** @param {{ x: number, y: number, opacity: number } | undefined} place */
  const move = (place) => {
    element.style.translate = place ? `${place.x}px ${place.y}px` : "";
    element.style.opacity = place ? String(place.opacity) : "";
  };

  element.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (press || event.button !== 0 || target.closest("button, a, [tabindex='0']")) { return; }
    // A mouse on text selects it, as everywhere; a finger has no other way to swipe.
    if (event.pointerType === "mouse" && target.closest("p")) { return; }
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, isSwiping: false };
  });

  element.addEventListener("pointermove", (event) => {
    if (event.pointerId !== press?.id) { return; }
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.isSwiping) {
      if (!isSwipe(placement(), dx, dy, event.pointerType)) { return; }
      press.isSwiping = true;
      element.setPointerCapture(event.pointerId);
      element.dataset.dragging = "";
      start();
    }
    move(swipe(placement(), dx, dy));
  });

  const finish = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== press?.id) { return; }
    const { isSwiping } = press;
    const { x, y, isAccepted } = swipe(placement(), event.clientX - press.x, event.clientY - press.y);
    press = undefined;
    if (!isSwiping) { return; }
    delete element.dataset.dragging;
    const isGone = isAccepted && event.type === "pointerup";
    move(isGone ? { x: x + Math.sign(x) * flight, y: y + Math.sign(y) * flight, opacity: 0 } : undefined);
    if (isGone) { accept(); }
    end();
  };
  element.addEventListener("pointerup", finish);
  element.addEventListener("pointercancel", finish);
}
