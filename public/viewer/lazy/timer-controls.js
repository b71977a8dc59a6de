/**
 * What a person changes for all toasts on screen: their number, and their time.
 *
 * @import { DisplayTimers } from "../display-timers.js"
 */

/** Show no more than the limit again: the newest stay, the others wait as unseen ones. @param {DisplayTimers} timers */
export function fold({ kept, limit }) {
  const seen = [...kept.values()].filter(({ isSeen }) => isSeen);
  for (const one of seen.slice(0, -limit)) { one.isSeen = false; }
}

/**
 * Give all toasts their full time again, as after the screen was turned.
 *
 * @param {DisplayTimers} timers
 * @param {number} now
 */
export function restart(timers, now) {
  for (const one of timers.kept.values()) {
    const { duration } = one.entry.toast;
    if (typeof duration === "number" && duration) {
      one.left = Math.max(timers.left(one, now), duration * 1000 * timers.scale);
      one.since = now;
    }
  }
}

/** The ids of the toasts that are shown and not over: those that the server can hold. @param {DisplayTimers} timers */
export function liveOf({ kept }) {
  return [...kept.values()].filter(({ isSeen, exit, isClosing }) => isSeen && !exit && !isClosing).map(({ entry }) => entry.toast.id);
}
