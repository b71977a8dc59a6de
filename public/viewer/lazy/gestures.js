/**
 * Swiping a toast away, and tapping it.
 *
 * @import { Direction, Placement, Settings, Swipe } from "../wire.d.ts"
 */

/** Pixels that a toast is dragged before letting go dismisses it, unless the channel says otherwise. */
export const threshold = 40;

/** Pixels before a press becomes a drag. @param {string} pointerType */
const slopOf = (pointerType) => (pointerType === "mouse" ? 3 : 8);

/** Pixels that a toast flies on after an accepted swipe. */
const flight = 200;

/** Seconds that a toast would glide on when let go, as iOS predicts it. */
const glide = 0.25;

/** The last milliseconds of a drag, from which its speed is taken. */
const recent = 100;

/** Pixels that a toast has to glide on sideways, in the prediction of iOS, to be flicked away: 400 px a second. */
const flick = 100;

/**
 * @typedef {Swipe & { edge?: "left" | "right" }} SwipeRule - with the side of the screen at which the toast stands, if
 *   it can be swiped and flicked there beside the channel's directions
 */

/** @type {Record<Placement, Swipe>} */
const plain = {
  top: { directions: ["up"], threshold },
  center: { directions: ["left", "right"], threshold },
  bottom: { directions: ["down"], threshold },
};

/**
 * How a toast of a placement is swiped.
 *
 * @param {Settings} settings
 * @param {Placement} placement
 * @param {"left" | "right"} [edge] - the side of the screen that it stands at
 * @param {boolean} [isScrolled] - whether its list scrolls: then moving up and down is scrolling
 * @returns {SwipeRule}
 */
export function swipeRule({ gestures }, placement, edge, isScrolled) {
  const rule = gestures?.swipe?.[placement] ?? plain[placement];
  // A channel without any direction wants no swipes.
  const all = edge && rule.directions.length ? { ...rule, directions: [...new Set([...rule.directions, edge])], edge } : rule;
  return isScrolled ? { ...all, directions: all.directions.filter((it) => it === "left" || it === "right") } : all;
}

/**
 * The side of the screen at which a toast stands; undefined in the middle.
 *
 * @param {HTMLElement} element - its list item
 * @returns {"left" | "right" | undefined}
 */
export function sideOf(element) {
  const { align } = element.dataset;
  if (align !== "start" && align !== "end") { return undefined; }
  return (align === "start") === element.matches(":dir(ltr)") ? "left" : "right";
}

/** @param {Swipe} rule */
function axes({ directions }) {
  /** @param {Direction[]} names */
  const has = (...names) => names.some((it) => directions.includes(it));
  return { isAcross: has("left", "right"), isUpright: has("up", "down") };
}

/**
 * The value of `touch-action`: two fingers zoom, and the browser scrolls the page in the directions that are no swipe.
 *
 * @param {Swipe} rule
 */
export function touchAction(rule) {
  const { isAcross, isUpright } = axes(rule);
  return `pinch-zoom${isAcross ? "" : " pan-x"}${isUpright ? "" : " pan-y"}`;
}

/**
 * What a drag means for a toast.
 *
 * @param {SwipeRule} rule
 * @param {number} dx
 * @param {number} dy
 * @param {{ x: number, y: number }} [speed] - in pixels per second
 * @returns {{ x: number, y: number, opacity: number, isAccepted: boolean }} where the toast is now,
 *   and whether letting go here dismisses it
 */
export function swipe({ directions, threshold: far, predictedThreshold = Infinity, edge }, dx, dy, speed = { x: 0, y: 0 }) {
  /** @param {number} way @param {Direction} back @param {Direction} forth */
  const clamp = (way, back, forth) => (
    Math.min(directions.includes(forth) ? Infinity : 0, Math.max(directions.includes(back) ? -Infinity : 0, way))
  );
  const place = { x: clamp(dx, "left", "right"), y: clamp(dy, "up", "down") };
  // If it can go both across and up or down, it goes where the finger went further.
  const isAcross = Math.abs(place.x) > Math.abs(place.y);
  const { x, y } = isAcross ? { x: place.x, y: 0 } : { x: 0, y: place.y };
  const distance = Math.abs(x + y);
  const fast = isAcross && edge ? Math.min(flick, predictedThreshold) : predictedThreshold;
  const ahead = (isAcross ? speed.x * Math.sign(x) : speed.y * Math.sign(y)) * glide;
  return {
    x, y,
    opacity: Math.max(0, 1 - 0.5 * (distance / far)),
    isAccepted: distance > far || (distance > 0 && ahead > fast),
  };
}

/**
 * Whether a drag is long enough, and goes the toast's way rather than across it.
 *
 * @param {Swipe} rule
 * @param {number} dx
 * @param {number} dy
 * @param {string} pointerType
 */
export function isSwipe(rule, dx, dy, pointerType) {
  const { isAcross, isUpright } = axes(rule);
  const goesAcross = Math.abs(dx) > Math.abs(dy);
  const [long, short] = goesAcross ? [Math.abs(dx), Math.abs(dy)] : [Math.abs(dy), Math.abs(dx)];
  const isClear = (isAcross && isUpright) || long > 1.5 * short;
  return (goesAcross ? isAcross : isUpright) && isClear && long > slopOf(pointerType);
}

/** Tell the sheets how a toast can be dismissed other than by a swipe. @param {HTMLElement} surface @param {Settings} settings */
export function offer(surface, { closeButton, gestures }) {
  surface.toggleAttribute("data-quiet", closeButton === false);
  surface.toggleAttribute("data-tap", gestures?.tap === "dismiss");
}

/**
 * Let an element be swiped away.
 *
 * @param {HTMLElement} element
 * @param {{ rule: () => SwipeRule, start: () => void, end: () => void, accept: () => void, tap: () => void }} callbacks -
 *   `end` is called after every `start`; `accept` before `end`, if the swipe dismisses the toast; `tap` when the toast
 *   was clicked without a drag, not on a button or link, and no text is selected
 */
export function makeSwipeable(element, { rule, start, end, accept, tap }) {
  /** @type {{ id: number, isSwiping: boolean, x: number, y: number, path: { at: number, x: number, y: number }[] } | undefined} */
  let press;
  let wasMoved = false;

  /** @param {{ x: number, y: number, opacity: number } | undefined} place */
  const move = (place) => {
    element.style.translate = place ? `${place.x}px ${place.y}px` : "";
    element.style.opacity = place ? String(place.opacity) : "";
  };

  element.addEventListener("pointerdown", (event) => {
    const target = /** @type {Element} */ (event.target);
    wasMoved = false;
    if (press || event.button !== 0 || target.closest("button, [part~=action], [tabindex='0']")) { return; }
    // A mouse on text selects it, as everywhere; a finger has no other way to swipe.
    if (event.pointerType === "mouse" && target.closest("p")) { return; }
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, isSwiping: false, path: [] };
  });

  element.addEventListener("pointermove", (event) => {
    if (event.pointerId !== press?.id) { return; }
    // The button was released outside of the window.
    if (!event.buttons) { return finish(event); }
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    press.path = [...press.path.filter(({ at }) => event.timeStamp - at < recent), { at: event.timeStamp, x: dx, y: dy }];
    if (!press.isSwiping) {
      if (!isSwipe(rule(), dx, dy, event.pointerType)) { return; }
      press.isSwiping = wasMoved = true;
      // Capturing throws if the pointer is no longer active.
      try { element.setPointerCapture(event.pointerId); } catch { /* The swipe works without. */ }
      element.dataset.dragging = "";
      start();
    }
    move(swipe(rule(), dx, dy));
  });

  const finish = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== press?.id) { return; }
    const { isSwiping, path } = press;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    const [first = { at: event.timeStamp, x: dx, y: dy }] = path.filter(({ at }) => event.timeStamp - at < recent);
    const seconds = Math.max(1, event.timeStamp - first.at) / 1000;
    const { x, y, isAccepted } = swipe(rule(), dx, dy, { x: (dx - first.x) / seconds, y: (dy - first.y) / seconds });
    press = undefined;
    if (!isSwiping) { return; }
    delete element.dataset.dragging;
    const isGone = isAccepted && event.type === "pointerup";
    move(isGone ? { x: x + Math.sign(x) * flight, y: y + Math.sign(y) * flight, opacity: 0 } : undefined);
    if (isGone) {
      element.dataset.swiped = "";
      accept();
    }
    end();
  };
  element.addEventListener("pointerup", finish);
  element.addEventListener("pointercancel", finish);

  element.addEventListener("click", (event) => {
    // The click that ends a swipe follows no link; Enter, which has no detail, does.
    if (!wasMoved || !event.detail || !(/** @type {Element} */ (event.target).closest("a[part=body]"))) { return; }
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  element.addEventListener("click", ({ target }) => {
    const isPressed = /** @type {Element} */ (target).closest("button, a");
    if (!wasMoved && !isPressed && getSelection()?.isCollapsed !== false) { tap(); }
  });
}
