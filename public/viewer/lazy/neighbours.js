/**
 * The lists of a page share the screen, those of one viewer and those of several: at an edge the toasts of a later
 * viewer stand beyond those of an earlier one, instead of over them. Where they do not fit, each list gets a part of
 * the height and scrolls.
 */

import { heightOf } from "./list-fit.js";

/**
 * The regions of the page's viewers that have shown something, with functions that fit their lists anew; shared by all
 * copies of this module.
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
  // A list in the middle is as high as the screen; its toasts are not.
  return "crowded" in list.dataset || list.dataset.placement === "center" ? heightOf(list) : list.offsetHeight;
}

/** How far a list stands from its edge when it is the first one there. @param {HTMLElement} list */
function distanceOf(list) {
  const { paddingTop, top, bottom } = getComputedStyle(list);
  if ("crowded" in list.dataset) { return parseFloat(paddingTop); }
  return parseFloat(list.dataset.placement === "bottom" ? bottom : top)
    - parseFloat(list.style.getPropertyValue("--beside") || "0");
}

/**
 * The height that each list may have at most: lists that need less than an equal share leave the rest to the others.
 *
 * @param {Part[]} parts
 * @param {number} height - of all lists together, without the gaps, in px
 * @returns {Map<HTMLElement, number>} px, only for lists that get less than they need
 */
function roomsOf(parts, height) {
  let left = height;
  const modest = [...parts].sort((one, other) => one.extent - other.extent);
  const rooms = new Map();
  for (const [index, { list, extent }] of modest.entries()) {
    const room = Math.max(0, Math.floor(left / (modest.length - index)));
    if (extent > room) { rooms.set(list, room); }
    left -= Math.min(extent, room);
  }
  return rooms;
}

/**
 * How far each list of a page is moved from where it would be alone, and how high it may be.
 *
 * @param {Part[]} parts
 * @param {number} height - of the screen
 */
function share(parts, height) {
  const [{ gap }] = parts;
  /** @param {string} edge */
  const marginOf = (edge) => {
    const part = parts.find((it) => it.edge === edge) ?? parts.find((it) => it.edge !== "center");
    return part ? distanceOf(part.list) : gap;
  };
  const margins = { top: marginOf("top"), bottom: marginOf("bottom") };
  const between = parts.slice(1).reduce((sum, part) => sum + part.gap, 0);
  const rooms = roomsOf(parts, height - margins.top - margins.bottom - between);
  /** @param {Part[]} some */
  const taken = (some) => some.reduce((sum, part) => sum + (rooms.get(part.list) ?? part.extent) + part.gap, 0);
  /** @param {string} edge */
  const at = (edge) => parts.filter((it) => it.edge === edge);
  // The middle lists are between the others, which may reach beyond the middle of the screen.
  const size = taken(at("center")) - gap;
  const [first, last] = [margins.top + taken(at("top")), height - margins.bottom - taken(at("bottom")) - size];
  const start = Math.max(first, Math.min((height - size) / 2, last));
  const places = parts.map(({ list, edge, extent }) => {
    const same = at(edge);
    const before = taken(same.slice(0, same.findIndex((it) => it.list === list)));
    if (edge !== "center") { return { list, beside: before }; }
    // A list that scrolls is as high as its room, any other as the screen.
    return { list, beside: start + before - (rooms.has(list) ? 0 : (height - extent) / 2) };
  });
  return { places, rooms };
}

/** The newest toast of a list of the page's other viewers, if there is one. @param {HTMLElement} region */
export function toastBeside(region) {
  const others = [...regions.keys()].filter((it) => it !== region && it.isConnected);
  const toasts = others.flatMap((it) => listsOf(it).map((list, index) => {
    /** @type {NodeListOf<HTMLElement>} */
    const all = list.querySelectorAll('li:not([data-state="leaving"]) [role="group"]');
    // The last list is that of the bottom, where the newest toast is the first.
    return [...all].at(index > 1 ? 0 : -1);
  }));
  return toasts.findLast((it) => it);
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
  const { places, rooms } = shown.length > 1
    ? share(parts, height)
    : { places: parts.map(({ list }) => ({ list, beside: 0 })), rooms: new Map() };
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
