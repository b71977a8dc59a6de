/**
 * A press on a toast leaves the page's popover open.
 *
 * A browser closes a popover when something outside of it is pressed, and nobody can prevent that. So while a pointer is
 * over the toasts the viewer is in the popover: to move it costs nothing where there is `moveBefore`, which keeps what is
 * shown. Not only for the press: what moves between its beginning and its end is not clicked.
 */

/** Milliseconds that the way from one toast to the next may take, or from a tap to its click. */
const patience = 350;

/**
 * @param {HTMLElement} host
 * @param {HTMLElement} region
 * @param {AbortSignal} signal - aborted when the viewer leaves the page
 * @returns {() => boolean} whether the popover around the viewer, or all that was in it, was taken out of the page; the viewer goes home then
 */
export function sparePopovers(host, region, signal) {
  if (!("moveBefore" in Element.prototype)) { return () => false; }
  const home = document.createComment("toast-viewer");
  /** As in layers.js: it goes with all that is in the popover, but not with the viewer alone. */
  const mark = document.createComment("toast-viewer");
  /** @type {HTMLElement[]} Those that were opened, the last one on top. */
  let opened = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;
  const back = () => {
    const { parentNode } = home;
    if (parentNode && host.isConnected) { /** @type {Element} */ (parentNode).moveBefore(host, home); }
    home.remove();
    mark.remove();
  };
  const leave = () => {
    clearTimeout(leaving);
    leaving = setTimeout(back, patience);
  };
  const first = { capture: true, signal };
  document.addEventListener("beforetoggle", (event) => {
    const { target, newState } = /** @type {ToggleEvent} */ (event);
    if (!(target instanceof HTMLElement) || !target.popover || target.popover === "manual") { return; }
    opened = opened.filter((it) => it !== target && it.isConnected);
    // In a popover that is closed nothing is shown.
    if (newState === "open") { opened.push(target); } else if (target.contains(host)) { back(); }
  }, first);
  region.addEventListener("pointerover", () => {
    clearTimeout(leaving);
    const open = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(":popover-open")]).filter((it) => it.popover !== "manual");
    // Of those that were open before us the order in the page has to do.
    const place = opened.findLast((it) => open.includes(it)) ?? open.at(-1);
    if (host.getAttribute("top-layer") === "off" || !place || place.contains(host) || home.isConnected) { return; }
    host.before(home);
    place.append(mark);
    place.moveBefore(host, null);
  }, first);
  // Not `pointerleave` of the region: it is lost when the toast that the pointer is over goes at that moment.
  document.addEventListener("pointerout", leave, first);
  document.addEventListener("pointerover", leave, first);
  // Then there is no home that `leave` could bring it to.
  signal.addEventListener("abort", () => {
    home.remove();
    mark.remove();
  });
  return () => {
    if (!home.isConnected || mark.isConnected || host.isConnected) { return false; }
    queueMicrotask(() => { if (!host.isConnected) { home.replaceWith(host); } });
    return true;
  };
}
