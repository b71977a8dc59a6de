/**
 * A press on a toast leaves the page's popover open.
 *
 * A browser closes a popover when something outside of it is pressed, which cannot be prevented. So while a pointer is
 * over the toasts, the viewer is moved into the popover, with `moveBefore`, which keeps all of its state. It is moved
 * on hover and not on the press: an element that moves between pointerdown and pointerup gets no click.
 */

/** Milliseconds that the way from one toast to the next may take, or from a tap to its click. */
const patience = 350;

/**
 * @param {HTMLElement} host
 * @param {HTMLElement} region
 * @param {AbortSignal} signal - aborted when the viewer leaves the page
 * @returns {() => boolean} whether the viewer was removed together with the popover; then it returns to its place
 */
export function sparePopovers(host, region, signal) {
  if (!("moveBefore" in Element.prototype)) { return () => false; }
  const home = document.createComment("toast-viewer");
  /** As in layers.js: removed with the content of the popover, but not with the viewer alone. */
  const mark = document.createComment("toast-viewer");
  /** @type {HTMLElement[]} The open popovers, in the order in which they opened. */
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
    // A closed popover shows nothing, so the viewer leaves it.
    if (newState === "open") { opened.push(target); } else if (target.contains(host)) { back(); }
  }, first);
  region.addEventListener("pointerover", () => {
    clearTimeout(leaving);
    const open = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(":popover-open")]).filter((it) => it.popover !== "manual");
    // For popovers that were open before this was loaded, the order in the page has to do.
    const place = opened.findLast((it) => open.includes(it)) ?? open.at(-1);
    if (host.getAttribute("top-layer") === "off" || !place || place.contains(host) || home.isConnected) { return; }
    host.before(home);
    place.append(mark);
    place.moveBefore(host, null);
  }, first);
  // Not `pointerleave` of the region: it is not sent when the toast under the pointer is removed.
  document.addEventListener("pointerout", leave, first);
  document.addEventListener("pointerover", leave, first);
  // Without `home`, a pending `leave` moves nothing.
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
