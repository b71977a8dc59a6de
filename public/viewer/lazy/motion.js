/**
 * How toasts come, move and go, as timings for CSS: loaded when a channel's animations are not those of base.css.
 *
 * @import { Motion, Settings } from "../wire.d.ts"
 *
 * @typedef {object} Timing
 * @property {number} duration - in ms
 * @property {number} delay - in ms
 * @property {string} easing - a CSS easing function
 */

/** The animations of an older server, which names none. @type {Required<NonNullable<Settings["animations"]>>} */
const plain = {
  enter: { duration: 0.35, curve: "spring", response: 0.35, damping: 0.8 },
  move: { duration: 0.35, curve: "easeInOut" },
  exit: { duration: 0.35, curve: "easeIn" },
};

const easings = { linear: "linear", easeIn: "ease-in", easeOut: "ease-out", easeInOut: "ease-in-out" };

/** A spring is at rest when what is left of its way is less than this part of it. */
const rest = 0.001;
const samples = 32;
const longest = 10;

/**
 * The position of a spring on its way from 0 to 1.
 *
 * @param {number} time - in seconds
 * @param {{ response: number, damping: number, velocity?: number }} spring - `response`: the seconds of one swing
 *   without damping; `damping`: 1 is critical; `velocity`: the speed at the start, in ways per second
 */
export function springAt(time, { response, damping, velocity = 0 }) {
  const omega = 2 * Math.PI / response;
  // At critical damping both formulas divide by zero; a ratio just below it is as good.
  const ratio = damping === 1 ? 1 - 1e-6 : damping;
  const decay = ratio * omega;
  const swing = omega * Math.sqrt(Math.abs(1 - ratio ** 2));
  const [cos, sin] = ratio < 1 ? [Math.cos, Math.sin] : [Math.cosh, Math.sinh];
  return 1 - Math.exp(-decay * time) * (cos(swing * time) + (decay - velocity) / swing * sin(swing * time));
}

/** Seconds until a spring is at rest. @param {{ response: number, damping: number, velocity?: number }} spring */
export function settlingTime(spring) {
  const step = spring.response / 64;
  let time = Math.min(longest, spring.response * Math.max(2, 4 / spring.damping, 4 * spring.damping));
  while (time > step && Math.abs(1 - springAt(time - step, spring)) < rest) { time -= step; }
  return time;
}

/**
 * An animation as a timing.
 *
 * A spring with a response is SwiftUI's: it lasts until it is at rest. One without is UIKit's: it is as stiff as needed
 * to rest when its duration is over. With `isCut` it lasts as long as its duration: an exit must be over then.
 *
 * @param {Motion} motion
 * @param {boolean} [isCut]
 * @returns {Timing}
 */
export function timing({ duration, delay = 0, curve, response, damping = 1, velocity = 0 }, isCut = false) {
  const result = { duration: duration * 1000, delay: delay * 1000 };
  if (curve !== "spring") { return { ...result, easing: easings[curve] ?? "ease-in-out" }; }
  if (!(duration > 0 || response)) { return { ...result, easing: "linear" }; }
  const ratio = Math.min(5, Math.max(0.05, damping));
  const stiff = 2 * Math.PI * Math.min(ratio, 1) * duration / -Math.log(rest);
  const spring = { response: response || stiff, damping: ratio, velocity };
  const length = isCut || !response ? duration : settlingTime(spring);
  const end = springAt(length, spring);
  const scale = end > 0.5 ? end : 1;
  const stops = Array.from({ length: samples }, (_, index) => springAt(index / samples * length, spring) / scale);
  return { ...result, duration: length * 1000, easing: `linear(${stops.map((it) => Number(it.toFixed(3))).join()},1)` };
}

/** @param {Settings} settings @returns {{ enter: Timing, move: Timing, exit: Timing }} */
export function motionOf({ animations = {} }) {
  const { enter, move, exit } = { ...plain, ...animations };
  return { enter: timing(enter), move: timing(move), exit: timing(exit, true) };
}

/** @param {ReturnType<typeof motionOf>} motion @returns {Record<string, string>} custom properties */
export function motionProperties(motion) {
  return Object.fromEntries(Object.entries(motion).flatMap(([name, { duration, delay, easing }]) => [
    [`--set-${name}-time`, `${duration}ms`], [`--set-${name}-delay`, `${delay}ms`], [`--set-${name}-ease`, easing],
  ]));
}
