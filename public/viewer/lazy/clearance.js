/**
 * Toasts must not hide what has the focus in the page (WCAG 2.4.11): they make way to another edge meanwhile.
 */

import { boxOf } from "./list-fit.js";

/** The edges for the lists by placement, in order of preference. @type {Record<string, string>[]} */
const arrangements = [
  { top: "top", center: "center", bottom: "bottom" },
  { top: "bottom", center: "center", bottom: "top" },
  { top: "top", center: "bottom", bottom: "bottom" },
  { top: "top", center: "top", bottom: "bottom" },
];

/**
 * The element with the focus, through shadow roots; undefined for the body or the root element.
 *
 * @param {Node} root - a shadow root whose own focus does not count
 */
export function focusedBeside(root) {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement && found.shadowRoot !== root) { found = found.shadowRoot.activeElement; }
  return found && found !== document.body && found !== document.documentElement ? found : undefined;
}

/**
 * Whether the toasts of a list cover a box entirely when their animations are over.
 *
 * @param {HTMLOListElement} list
 * @param {DOMRect} box
 */
function covers(list, box) {
  const toasts = boxOf(list);
  if (!toasts) { return false; }
  // The page may keep its header free of toasts: then the layer begins below it.
  const layer = list.offsetParent?.getBoundingClientRect().top ?? 0;
  const { left, right } = toasts;
  const [top, bottom] = [layer + toasts.top, layer + toasts.bottom];
  return box.width > 0 && box.height > 0 && box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom;
}

/**
 * Put the lists where they do not cover an element: at their own edges if possible, or if every arrangement covers it.
 *
 * @param {Map<string, HTMLOListElement>} lists - by the placement of their toasts
 * @param {Element} [element]
 */
function arrange(lists, element) {
  const shown = [...lists].filter(([, list]) => !list.hidden);
  const box = element?.getBoundingClientRect();
  const put = (/** @type {Record<string, string>} */ places) => {
    for (const [name, list] of lists) { if (list.dataset.placement !== places[name]) { list.dataset.placement = places[name]; } }
  };
  for (const places of box ? arrangements : []) {
    if (new Set(shown.map(([name]) => places[name])).size < shown.length) { continue; }
    put(places);
    if (box && !shown.some(([, list]) => covers(list, box))) { return; }
  }
  put(arrangements[0]);
}

/**
 * Move the lists away from the page's focus, or back. Nothing moves while the focus is in them; lists that have made
 * way also stay while the pointer is over them.
 *
 * @param {HTMLElement} region
 * @param {Map<string, HTMLOListElement>} lists
 * @returns {boolean} whether one of them stands elsewhere now
 */
export function makeWay(region, lists) {
  const places = () => [...lists.values()].map(({ dataset }) => dataset.placement).join();
  const before = places();
  const root = /** @type {ShadowRoot} */ (region.getRootNode());
  const element = focusedBeside(root);
  const isHome = [...lists].every(([name, list]) => list.dataset.placement === name);
  if (element === root.host || (isHome ? !element : region.matches(":hover"))) { return false; }
  arrange(lists, element);
  return places() !== before;
}
