/**
 * When queued toasts will be on screen if nothing else happens, from a channel's settings and its other toasts.
 *
 * @import { Settings } from "../viewer/wire.d.ts"
 * @import { Row, Span } from "./timeline.js"
 */

/** The settings' times in milliseconds; some modes have no pause. @param {Settings} settings */
export function timesOf({ animations, mode, pause = 0.2 }) {
  const length = (/** @type {{ duration?: number, delay?: number } | undefined} */ motion, usual = 0) => (
    1000 * ((motion?.duration ?? usual) + (motion?.delay ?? 0))
  );
  return {
    // Only for a stack, where the time of a toast begins after its entry.
    enter: length(animations?.enter),
    exit: length(animations?.exit, 0.35),
    pause: mode === "fifo" || mode === "priority" ? 1000 * Number(pause) : 0,
  };
}

/** @param {Row} row @param {number} from @returns {Span} */
function planned({ toast: { duration } }, from, enter = 0) {
  return { kind: "later", from, to: duration === "indefinite" ? Infinity : from + enter + duration * 1000 };
}

/**
 * The schedule of the modes fifo and priority, where toasts come one after the other, and of a stack. Empty in others.
 *
 * @param {Settings} settings
 * @param {Row[]} there - the toasts that have been presented, dismissed or not
 * @param {Row[]} queue - the toasts that wait, the next first
 * @param {number} now
 * @returns {Map<string, Span>} by id
 */
export function schedule(settings, there, queue, now) {
  const { mode } = settings;
  if (mode === "stack") { return scheduleStack(settings, there, queue, now); }
  const plan = /** @type {Map<string, Span>} */ (new Map());
  if (mode !== "fifo" && mode !== "priority") { return plan; }
  const { exit, pause } = timesOf(settings);
  const free = /** @type {Map<string, number>} */ (new Map());
  for (const row of there) {
    const isGone = row.dismissed !== undefined;
    const gap = isGone ? row.exit + row.pause : exit + pause;
    free.set(row.lane, Math.max(free.get(row.lane) ?? 0, (row.dismissed ?? row.end ?? Infinity) + gap));
  }
  for (const row of queue) {
    const from = Math.max(now, free.get(row.lane) ?? now);
    if (from === Infinity) { continue; }
    const span = planned(row, from);
    plan.set(row.id, span);
    free.set(row.lane, span.to + exit + pause);
  }
  return plan;
}

/**
 * The schedule of a stack: a place is free when its toast is dismissed, without waiting for the exit.
 *
 * @type {typeof schedule}
 */
function scheduleStack(settings, there, queue, now) {
  const plan = /** @type {Map<string, Span>} */ (new Map());
  const { enter } = timesOf(settings);
  const room = typeof settings.maxVisible === "number" ? settings.maxVisible : Infinity;
  const ends = /** @type {Map<string, number[]>} */ (new Map());
  for (const { lane, end = Infinity, dismissed } of there) {
    if (dismissed === undefined) { ends.set(lane, [...ends.get(lane) ?? [], end]); }
  }
  for (const row of queue) {
    const taken = ends.get(row.lane) ?? [];
    ends.set(row.lane, taken);
    taken.sort((one, other) => one - other);
    const from = taken.length < room ? now : Math.max(now, taken[taken.length - room]);
    if (from === Infinity) { continue; }
    const span = planned(row, from, enter);
    plan.set(row.id, span);
    taken.push(span.to);
  }
  return plan;
}
