/**
 * The lists of a page share the screen, those of one viewer and those of several: at an edge the toasts of a later viewer
 * stand behind those of an earlier one, instead of over them. Where they do not fit, each list gets a part of the height
 * and is scrolled.
 */

import { heightOf } from "./list-fit.js";

/**
 * The regions of the page's viewers that have shown something, and what fits their lists anew; one for all copies of this
 * module.
 */
const key = Symbol.for("toast-viewer regions");
const page = /** @type {Record<symbol, Map<HTMLElement, () => void>>} */ (/** @type {unknown} */ (globalThis));
page[key] ??= new Map();
const regions = page[key];

/** @typedef {{ list: HTMLElement, region: HTMLElement, edge: string, extent: number, gap: number }} Part - of the screen */

/** @param {HTMLElement} region */
const listsOf = (region) => /** @type {HTMLElement[]} */ ([...region.querySelectorAll("ol")]);

/** The height that a list has, or would have if it had room. @param {HTMLElement} list */
function extentOf(list) {
  return "crowded" in list.dataset ? heightOf(list) : list.offsetHeight;
}

/** How far a list stands from its edge when it is the first one there. @param {HTMLElement} list */
function distanceOf(list) {
  const { paddingTop, top, bottom } = getComputedStyle(list);
  if ("crowded" in list.dataset) { return parseFloat(paddingTop); }
  return parseFloat(list.dataset.placement === "bottom" ? bottom : top)
    - parseFloat(list.style.getPropertyValue("--beside") || "0");
}

/**
 * The height that each list may have at most; those that want less than the others get it.
 *
 * @param {Part[]} parts - at the top and the bottom
 * @param {number} height
 * @returns {Map<HTMLElement, number>} of those that do not get what they want
 */
function roomsOf(parts, height) {
  const [any] = parts;
  if (!any) { return new Map(); }
  const margins = ["top", "bottom"].map((edge) => distanceOf((parts.find((it) => it.edge === edge) ?? any).list));
  let left = parts.slice(1).reduce((rest, { gap }) => rest - gap, height - margins[0] - margins[1]);
  const modest = [...parts].sort((one, other) => one.extent - other.extent);
  const rooms = new Map();
  for (const [index, { list, extent }] of modest.entries()) {
    const room = Math.max(0, Math.floor(left / (modest.length - index)));
    if (extent > room) { rooms.set(list, room); }
    left -= Math.min(extent, room);
  }
  return rooms;
}

/** Give each list its place. Nothing is measured while there is only one. */
export function arrange() {
  const host = (/** @type {HTMLElement} */ region) => /** @type {ShadowRoot} */ (region.getRootNode()).host;
  const inOrder = [...regions.keys()].filter((it) => it.isConnected).sort((one, other) => (
    host(one).compareDocumentPosition(host(other)) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  ));
  const lists = inOrder.flatMap((region) => listsOf(region).map((list) => ({ list, region })));
  const shown = lists.filter(({ list }) => !list.hidden && list.children.length);
  if (shown.length < 2 && !lists.some(({ list }) => list.style.length)) { return; }
  /** @type {Part[]} */
  const parts = shown.map(({ list, region }) => ({
    list, region, edge: list.dataset.placement ?? "",
    extent: extentOf(list), gap: parseFloat(getComputedStyle(list).rowGap) || 0,
  }));
  const height = Math.min(...inOrder.map((region) => region.parentElement?.clientHeight || innerHeight));
  const rooms = shown.length > 1 ? roomsOf(parts.filter(({ edge }) => edge !== "center"), height) : new Map();
  /** @param {Part} part */
  const taken = ({ list, extent, gap }) => (rooms.get(list) ?? extent) + gap;
  const places = parts.map((part) => {
    const same = parts.filter(({ edge }) => edge === part.edge);
    const before = same.slice(0, same.indexOf(part)).reduce((sum, it) => sum + taken(it), 0);
    // In the middle they stand around it.
    const all = part.edge === "center" ? same.reduce((sum, it) => sum + taken(it), 0) - taken(part) : 0;
    return { ...part, beside: before - all / 2 };
  });
  for (const { list, beside } of places) { set(list, "--beside", beside || undefined); }
  const changed = lists.filter(({ list }) => set(list, "--room", rooms.get(list)));
  for (const region of new Set(changed.map(({ region: it }) => it))) { regions.get(region)?.(); }
}

/**
 * @param {HTMLElement} list
 * @param {string} name
 * @param {number | undefined} length - in px
 * @returns {boolean} whether it was another one
 */
function set(list, name, length) {
  const value = length === undefined ? "" : `${length}px`;
  if (list.style.getPropertyValue(name) === value) { return false; }
  list.style.setProperty(name, value);
  return true;
}

// In the next frame: an observer must not change the size of what it observes.
const watching = new ResizeObserver(() => requestAnimationFrame(arrange));

/** @param {HTMLElement} region @param {() => void} refit - fits its lists to the room that they have */
export function join(region, refit) {
  regions.set(region, refit);
  for (const list of listsOf(region)) { watching.observe(list); }
  arrange();
}

/** @param {HTMLElement} region */
export function leave(region) {
  regions.delete(region);
  for (const list of listsOf(region)) {
    watching.unobserve(list);
    list.removeAttribute("style");
  }
  arrange();
}
