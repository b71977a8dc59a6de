/**
 * Times of toasts: settings and toasts have seconds, the engine has milliseconds.
 *
 * @import { Progress } from "../wire.d.ts"
 */

/** In ms. @param {{ delay?: number, duration?: number } | undefined} motion @param {number} usual - in seconds */
export const lengthOf = ({ delay = 0, duration } = {}, usual = 0) => ((duration ?? usual) + delay) * 1000;

/** A toast's duration in seconds, as the server reads it; undefined if it is invalid. @param {unknown} value */
export function durationOf(value) {
  if (value === 0 || value === Infinity || value === "indefinite") { return "indefinite"; }
  const time = Number(value === "short" ? 2 : value === "long" ? 4 : value);
  return time > 0 && time < Infinity ? time : undefined;
}

/** @param {number | undefined} time - in ms @returns {number | undefined} in seconds */
export const seconds = (time) => time === undefined ? undefined : time / 1000;

/**
 * How long a toast stays after its progress is complete, in seconds.
 *
 * @param {{ progress?: Progress }} toast
 * @returns {number | undefined} undefined while the progress is not complete, or without a `dismissAfter`
 */
export function completionOf({ progress }) {
  const { value = 0, total = 1, dismissAfter } = /** @type {{ value?: number, total?: number, dismissAfter?: number }} */ (progress ?? {});
  return progress && "value" in progress && value >= total ? dismissAfter : undefined;
}
