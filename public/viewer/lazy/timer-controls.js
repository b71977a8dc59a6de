/**
 * What a person asks of the time and the number of all toasts that are shown.
 *
 * @import { DisplayTimers } from "../display-timers.js"
 */

/** Show no more than the limit again: the newest stay, the others wait as if there had never been room for them. @param {DisplayTimers} timers */
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

/** The ids of what is shown and not over: what the server can be asked to hold. @param {DisplayTimers} timers */
export function liveOf({ kept }) {
  return [...kept.values()].filter(({ isSeen, exit, isClosing }) => isSeen && !exit && !isClosing).map(({ entry }) => entry.toast.id);
}
