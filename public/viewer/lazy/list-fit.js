/**
 * How the toasts of a list are drawn together: all of them, as a collapsed stack, or scrolled where there is no room;
 * and measurements of their boxes and texts.
 *
 * @import { Box } from "./toolbar-position.js"
 */

import { isNarrow, strip } from "./toolbar-position.js";

/** A list's toasts, without those that leave, which are positioned. @param {HTMLElement} list */
function standing(list) {
  return /** @type {HTMLLIElement[]} */ ([...list.children]).filter((it) => !it.style.position);
}

/**
 * The box around the toasts of a list when their animations are over, in px of the layer. A list that scrolls counts
 * with its own height.
 *
 * @param {HTMLOListElement} list
 * @returns {Box | undefined}
 */
export function boxOf(list) {
  const toasts = standing(list);
  if (!toasts.length) { return undefined; }
  const { offsetLeft: x, offsetTop: y } = list;
  const isCrowded = "crowded" in list.dataset;
  return {
    left: x + Math.min(...toasts.map((it) => it.offsetLeft)),
    right: x + Math.max(...toasts.map((it) => it.offsetLeft + it.offsetWidth)),
    top: isCrowded ? y : y + Math.min(...toasts.map((it) => it.offsetTop)),
    bottom: isCrowded ? y + list.offsetHeight : y + Math.max(...toasts.map((it) => it.offsetTop + it.offsetHeight)),
  };
}

/**
 * The height of a list's toasts in px, independent of how the list is drawn: nothing has to be undone to measure it.
 *
 * @param {HTMLElement} list
 */
export function heightOf(list) {
  const toasts = standing(list);
  if (!toasts.length) { return 0; }
  return Math.max(...toasts.map((it) => it.offsetTop + it.offsetHeight)) - Math.min(...toasts.map((it) => it.offsetTop));
}

/**
 * Find out whether a list has room on the screen, and mark how it is drawn.
 *
 * @param {HTMLOListElement} list
 * @param {HTMLElement | null} layer
 * @param {{ isCollapsible: boolean, isNear: boolean, isRead: boolean }} manner - `isCollapsible`: it is drawn as one toast
 *   until a pointer or the focus is near; `isRead`: it stays where it is scrolled to
 * @returns {boolean} whether it begins or ceases to scroll
 */
export function fit(list, layer, { isCollapsible, isNear, isRead }) {
  const toasts = standing(list);
  const isCollapsed = isCollapsible && !isNear && toasts.length > 1;
  list.toggleAttribute("data-collapsed", isCollapsed);
  list.toggleAttribute("data-spread", isCollapsible && !isCollapsed);
  // The newest is at depth 0, in front of two others.
  const isUpward = list.dataset.placement === "bottom";
  for (const [index, it] of toasts.entries()) {
    const depth = isUpward ? index : toasts.length - 1 - index;
    if (isCollapsed) { it.dataset.depth = String(Math.min(depth, 3)); } else { delete it.dataset.depth; }
  }
  if (!toasts.length) { return false; }
  const left = Math.min(...toasts.map((it) => it.offsetLeft));
  const right = Math.max(...toasts.map((it) => it.offsetLeft + it.offsetWidth));
  // The layer's size, not the window's: a page may keep the layer below its header.
  const { clientWidth: width, clientHeight: height } = layer ?? document.documentElement;
  const isTight = isNarrow({ left, right }, { width: width || innerWidth });
  const wasCrowded = "crowded" in list.dataset;
  // Set where other lists share the screen: see neighbours.js.
  const room = list.style.getPropertyValue("--room");
  const isCrowded = heightOf(list) + (isTight ? strip : 0) > (parseFloat(room) || height || innerHeight) && !isCollapsed;
  list.toggleAttribute("data-narrow", isTight);
  list.toggleAttribute("data-crowded", isCrowded);
  if (!isCrowded) { return wasCrowded; }
  // Scrolls to the beginning of the newest toast, unless a person looks at another one.
  const newest = isUpward ? 0 : Number(toasts.at(-1)?.offsetTop) - toasts[0].offsetTop;
  if (!isRead && !list.matches(":focus-within, :hover")) { list.scrollTop = newest; }
  const focused = list.querySelector(":focus");
  if (focused && !wasCrowded) { reveal(focused); }
  return !wasCrowded;
}

/**
 * Scroll a crowded list until an element in one of its toasts is visible. The browser itself scrolls a focused element
 * to where it is drawn, which is elsewhere while its toast glides to its place.
 *
 * @param {Element} element
 */
export function reveal(element) {
  const toast = element.closest("li");
  const list = element.closest("ol");
  if (!toast || !list || !("crowded" in list.dataset)) { return; }
  const { top, height } = element.getBoundingClientRect();
  const start = toast.offsetTop + top - toast.getBoundingClientRect().top;
  // Room for the focus ring.
  const gap = parseFloat(getComputedStyle(list).rowGap) || 0;
  list.scrollTop = Math.min(start - gap, Math.max(list.scrollTop, start + height + gap - list.clientHeight));
}

/** A toast of more lines of text is tall: its icon is not centred beside them. */
const lowLines = 2;

/**
 * Measure a toast's text: a message that is cut by its maximum height can be scrolled by finger and key, and styles
 * draw a toast of many lines differently.
 *
 * @param {HTMLLIElement} element
 * @returns {() => void} marks the toast; separate, so that measuring many toasts costs one layout
 */
export function measureText(element) {
  const surface = element.firstElementChild;
  const lines = [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[part=title], [part=message]"))];
  const last = lines.at(-1);
  if (!surface || !last) { return () => {}; }
  const isCut = last.getAttribute("part") === "message" && last.scrollHeight > last.clientHeight + 1;
  const height = lines.reduce((sum, it) => sum + it.offsetHeight, 0);
  const isTall = height > (lowLines + 0.5) * parseFloat(getComputedStyle(last).lineHeight);
  return () => {
    if (isCut) { last.setAttribute("tabindex", "0"); } else if (!last.matches(":focus")) { last.removeAttribute("tabindex"); }
    surface.toggleAttribute("data-tall", isTall);
  };
}
