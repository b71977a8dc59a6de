/**
 * Vibration when a toast comes, on devices that support it.
 *
 * @import { Haptic } from "../wire.d.ts"
 */

import { isStill } from "./toast-layout.js";

/** @type {Partial<Record<Haptic, number[]>>} Milliseconds on, off, on … */
const patterns = {
  success: [20, 60, 30],
  warning: [30, 80, 30],
  error: [30, 50, 30, 50, 40],
  light: [10],
  medium: [20],
  heavy: [40],
};

/** @param {Haptic | undefined} haptic */
export function vibrate(haptic = "none") {
  const pattern = patterns[haptic];
  // Before the page was touched or clicked, browsers refuse to vibrate, and log a warning.
  if (pattern && !isStill() && !document.hidden && navigator.userActivation?.hasBeenActive) { navigator.vibrate?.(pattern); }
}
