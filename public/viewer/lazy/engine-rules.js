/**
 * The engine's rules that need no state beside settings and toasts: order, duplicates and times.
 *
 * @import { Reason, Settings, Toast } from "../wire.d.ts"
 *
 * @typedef {Toast & { reuseIdentifier?: string, expiresAfter?: number }} LocalToast
 *
 * @typedef {{ type: "enqueued", at: number, toast: LocalToast }
 *   | { type: "presented", at: number, toast: LocalToast, remaining?: number }
 *   | { type: "updated", at: number, toast: LocalToast, changed: string[], remaining?: number, moved?: true }
 *   | { type: "acted", at: number, id: string, action: string }
 *   | { type: "dismissed", at: number, id: string, dismissReason: Reason, action?: string, exit: number }
 *   | { type: "held" | "released", at: number, id: string, holder: string, remaining?: number }
 *   | { type: "configured", at: number, effective: Settings, own: Settings }} LocalEvent - `at` in ms, others in s
 *
 * @typedef {object} Entry
 * @property {LocalToast} toast
 * @property {number} sequence - the order in which toasts were sent
 * @property {number} since - when it began to wait, in ms
 * @property {number} shownAt
 * @property {number | undefined} left - milliseconds that were left at `from`; undefined when it stays
 * @property {number} from
 * @property {Set<string>} holders
 */

import { completionOf, lengthOf } from "./durations.js";

const ranks = { error: 0, warning: 1, success: 2, info: 3 };

/** Milliseconds of an exit. @param {Settings} settings */
export const exitOf = ({ animations }) => lengthOf(animations?.exit, 0.35);

/** Milliseconds of the pause after it, where one toast comes after the other. @param {Settings} settings */
export const pauseOf = ({ mode = "fifo", pause = 0.2 }) => /^(fifo|priority)$/.test(mode) ? Number(pause) * 1000 : 0;

/** The order of the queue. @param {Settings} settings @returns {(one: Entry, other: Entry) => number} */
export function orderOf({ mode }) {
  const rank = (/** @type {Entry} */ { toast }) => mode === "priority" ? ranks[toast.role] : 0;
  return (one, other) => rank(one) - rank(other) || one.sequence - other.sequence;
}

/** From when on a newer toast may replace one on screen, in ms. @param {Settings} settings @param {Entry} entry */
export const readableUntil = ({ minimumVisible }, { shownAt }) => shownAt + Number(minimumVisible ?? 0) * 1000;

/**
 * The full time of a toast from now. In a stack it includes the enter animation, or the move, if that is longer.
 *
 * @param {Settings & { scale?: number }} settings - `scale`: a person's factor for durations
 * @param {Entry} entry
 * @param {number} now
 * @param {boolean} [moves]
 * @returns {number | undefined} in milliseconds; undefined when it stays
 */
export function timeOf({ mode, animations, scale = 1 }, { toast, shownAt }, now, moves = false) {
  const time = completionOf(toast) ?? (typeof toast.duration === "number" ? toast.duration * scale : undefined);
  if (time === undefined) { return undefined; }
  if (mode !== "stack") { return time * 1000; }
  const { enter, move } = animations ?? {};
  return time * 1000 + Math.max(0, shownAt + lengthOf(enter, 0.35) - now, moves ? lengthOf(move, 0.3) : 0);
}

/**
 * The entry that a toast repeats, if there is one: the most similar, of equally similar ones the newest.
 *
 * @param {Settings} settings
 * @param {Entry[]} entries
 * @param {LocalToast} toast
 * @returns {Entry | undefined}
 */
export function duplicateOf({ deduplication = "none" }, entries, toast) {
  const likeness = (/** @type {Entry} */ { toast: old }) => {
    const isSameText = JSON.stringify([old.message, old.title]) === JSON.stringify([toast.message, toast.title])
      && (toast.title !== undefined || old.role === toast.role);
    if (deduplication === "equal") { return Number(isSameText && old.role === toast.role && old.duration === toast.duration); }
    if (deduplication !== "identity") { return 0; }
    if (old.reuseIdentifier && toast.reuseIdentifier) { return old.reuseIdentifier === toast.reuseIdentifier ? 2 : 0; }
    return Number(isSameText);
  };
  return entries.filter((it) => likeness(it))
    .sort((one, other) => likeness(other) - likeness(one) || other.sequence - one.sequence)[0];
}
