/**
 * Which toasts this viewer shows and how long: the server starts and ends them, but here they may stay longer.
 *
 * Each toast has a countdown of its own here, beside the server's. It stands still while there is a hold reason; when
 * the server says that a toast's time is over, the toast stays for what is left here. Times are computed from the
 * clock, so a timer that fires late changes nothing.
 *
 * @import { Exit, Presented, ViewState } from "./view.d.ts"
 * @import { Toast } from "./wire.d.ts"
 *
 * @typedef {object} Kept
 * @property {Presented} entry
 * @property {number} left - milliseconds that were left at `since`; Infinity when it stays
 * @property {number} since - when `left` was set, as `performance.now()`
 * @property {boolean} isSeen - whether it has been shown
 * @property {boolean} isBarred - `admits` does not let it come yet
 * @property {boolean} isClosing - a person has dismissed it here
 * @property {Exit | undefined} exit - how the server ended it
 *
 * @typedef {object} View - what is to be on the screen
 * @property {Presented[]} presented - oldest first
 * @property {Set<string>} over - the ids of those that the server has ended
 * @property {readonly Exit[]} exits
 * @property {readonly Presented[]} waiting - those for which there is no room yet
 * @property {ReadonlySet<string>} more - their ids
 */

/** Hold reasons that keep a toast whatever ended it. */
const touching = ["hover", "focus", "drag"];

/** Dismiss reasons after which any hold keeps a toast; after the others the toast was dealt with. */
const timely = ["timeout", "replaced", "completed"];

/** Milliseconds by which the server's end of a countdown may differ from ours. */
const slack = 400;

/** Milliseconds that a toast stays at least after it was held. */
const least = 1000;

/** Milliseconds that a toast outlives its time while the server is away, which may come back and end it. */
const grace = 2000;

/** Maximum number of kept toasts that the server has ended. */
const capacity = 100;

const ranks = { error: 0, warning: 1, success: 2, info: 3 };

export class DisplayTimers {
  /** Most toasts shown at a time; errors may exceed it. */
  limit = 10;
  /** The person's factor for durations. */
  scale = 1;
  /** Whether the server is away, so that toasts are ended here. */
  isAway = false;
  /** Whether a toast may come now; else it waits with its countdown. @type {(entry: Presented) => boolean} */
  admits = () => true;
  /** Toasts shown or waiting, by id, oldest first; also for `lazy/timer-controls.js`. @type {Map<string, Kept>} */
  kept = new Map();
  /** @type {Exit[]} */
  #exits = [];
  /** @type {Set<string>} */
  #reasons = new Set();
  /** Whether new toasts are shown; else they wait and their countdowns stand still. */
  isOpen = true;
  /** Entries ended here while the server was away. @type {WeakSet<Presented>} */
  #ended = new WeakSet();

  /** Whether a hold stops all countdowns. */
  get isHeld() {
    return this.#reasons.size > 0;
  }

  /** The entries of `kept`. */
  get entries() {
    return [...this.kept.values()].map(({ entry }) => entry);
  }

  /** @param {Pick<ViewState, "presented" | "exits">} state @param {number} now */
  update({ presented, exits }, now) {
    const present = new Set();
    for (const entry of presented) {
      const { id } = entry.toast;
      present.add(id);
      const kept = this.kept.get(id);
      // A reused id is another toast.
      if (kept?.entry.toast.createdAt === entry.toast.createdAt) {
        if (kept.entry !== entry) { this.#change(kept, entry, now); }
        kept.exit = undefined;
      } else if (entry.remaining !== 0 && !this.#ended.has(entry)) {
        // At 0 its time was over before it was seen, and its dismissal follows.
        if (kept) { this.#forget(kept); }
        this.kept.set(id, {
          entry, left: this.#timeOf(entry), since: now, isSeen: false, isBarred: !this.admits(entry), isClosing: false, exit: undefined,
        });
      }
    }
    for (const [id, kept] of this.kept) {
      if (!present.has(id)) { kept.exit ??= exits.find((exit) => exit.id === id) ?? { id, reason: "api" }; }
    }
    const ended = [...this.kept.values()].filter(({ exit }) => exit);
    for (const { entry } of ended.slice(0, -capacity)) { this.kept.delete(entry.toast.id); }
  }

  /** @param {Set<string>} reasons - why no countdown runs @param {number} now */
  hold(reasons, now) {
    const wasHeld = this.isHeld;
    if (wasHeld !== reasons.size > 0) {
      for (const kept of this.kept.values()) {
        const left = this.left(kept, now);
        kept.left = wasHeld ? Math.max(left, least) : left;
        kept.since = now;
      }
    }
    this.#reasons = new Set(reasons);
  }

  /** From now on new toasts wait. */
  close() {
    this.isOpen = false;
  }

  /**
   * Show the toasts that waited; those that have ended by now only as far as there is room.
   *
   * @param {number} now
   * @returns {Presented[]} those that were not seen before, shown or not
   */
  open(now) {
    if (this.isOpen) { return []; }
    this.isOpen = true;
    const unseen = [...this.kept.values()].filter(({ isSeen }) => !isSeen);
    const shown = this.#choose();
    for (const kept of unseen) {
      kept.since = now;
      if (kept.exit && !shown.includes(kept)) { this.kept.delete(kept.entry.toast.id); }
    }
    return unseen.map(({ entry }) => entry);
  }

  /** A person has dismissed a toast here: no hold keeps it. @param {string} id @param {boolean} [isClosing] */
  dismiss(id, isClosing = true) {
    const kept = this.kept.get(id);
    if (kept) { kept.isClosing = isClosing; }
  }

  /** @param {number} now @returns {View} */
  view(now) {
    for (const kept of this.kept.values()) {
      const isBarred = !kept.isSeen && !this.admits(kept.entry);
      if (kept.isBarred && !isBarred) { kept.since = now; }
      kept.isBarred = isBarred;
    }
    for (const kept of this.kept.values()) { if (!this.#stays(kept, now)) { this.#forget(kept); } }
    const shown = this.#choose();
    for (const kept of shown) {
      // The time of a toast begins when it is first seen.
      if (!kept.isSeen) { kept.since = now; }
      kept.isSeen = true;
    }
    const waiting = [...this.kept.values()].filter((kept) => !shown.includes(kept)).map(({ entry }) => entry);
    return {
      presented: shown.map(({ entry }) => entry),
      over: new Set(shown.filter(({ exit }) => exit).map(({ entry }) => entry.toast.id)),
      exits: this.#exits,
      waiting,
      more: new Set(waiting.map(({ toast }) => toast.id)),
    };
  }

  /** @param {number} now @returns {number} milliseconds until a toast ends by its countdown here, or Infinity */
  next(now) {
    let next = Infinity;
    for (const kept of this.kept.values()) {
      if (kept.exit) { next = Math.min(next, this.left(kept, now) - slack); }
      if (this.isAway) { next = Math.min(next, this.left(kept, now) + grace); }
    }
    return this.#reasons.size ? Infinity : Math.max(0, next);
  }

  /** Forget all toasts but those that stay. @param {(toast: Toast) => boolean} stays */
  clear(stays) {
    for (const [id, { entry }] of this.kept) { if (!stays(entry.toast)) { this.kept.delete(id); } }
  }

  /** @param {Kept} kept */
  #forget({ entry, exit }) {
    const { id } = entry.toast;
    this.kept.delete(id);
    if (!exit) { this.#ended.add(entry); }
    this.#exits = [exit ?? { id, reason: /** @type {const} */ ("timeout") }, ...this.#exits].slice(0, 20);
  }

  /**
   * Shown toasts keep their places; free ones go by role, then to the newest. Errors need none.
   *
   * @returns {Kept[]} oldest first
   */
  #choose() {
    const all = [...this.kept.values()];
    const seen = all.filter(({ isSeen }) => isSeen);
    const rank = (/** @type {Kept} */ { entry }) => ranks[entry.toast.role];
    const fresh = all.filter(({ isSeen, isBarred, isClosing }) => this.isOpen && !isSeen && !isBarred && !isClosing)
      .reverse().sort((one, other) => rank(one) - rank(other));
    const free = Math.max(0, this.limit - seen.length);
    const chosen = new Set([...seen, ...fresh.filter(({ entry }, index) => index < free || entry.toast.role === "error")]);
    return all.filter((kept) => chosen.has(kept));
  }

  /** @param {Kept} kept @param {number} now */
  #stays(kept, now) {
    const { exit, isClosing, isSeen } = kept;
    const left = this.left(kept, now);
    if (!exit) { return !this.isAway || left > -grace; }
    if (isClosing) { return false; }
    if (touching.some((reason) => this.#reasons.has(reason)) && isSeen) { return true; }
    if (!timely.includes(exit.reason)) { return false; }
    if (this.#reasons.size) { return true; }
    // Infinity: a toast that stays has no time left to be shown for.
    return exit.reason === "timeout" && left > slack && left < Infinity;
  }

  /** How many milliseconds are left. @param {Kept} kept @param {number} now */
  left({ left, since, entry, exit, isSeen, isBarred }, now) {
    const isHeldThere = entry.holders.length > 0 && !exit;
    return this.#reasons.size || isHeldThere || isBarred || !isSeen && !this.isOpen ? left : left - (now - since);
  }

  /** @param {Kept} kept @param {Presented} entry @param {number} now */
  #change(kept, entry, now) {
    const left = this.left(kept, now);
    const isOther = entry.toast.duration !== kept.entry.toast.duration || left === Infinity;
    // The server's countdown may have run while ours stood, so only a new duration shortens ours.
    kept.left = isOther ? this.#timeOf(entry) : Math.max(left, (entry.remaining ?? Infinity) * 1000);
    kept.since = now;
    kept.entry = entry;
  }

  /** @param {Presented} entry @returns {number} milliseconds */
  #timeOf({ toast, remaining }) {
    if (remaining === undefined) { return Infinity; }
    const { duration } = toast;
    // A server that knows the scale has already applied it.
    const isGranted = typeof duration !== "number" || remaining > duration + slack / 1000;
    return (isGranted ? remaining : remaining + duration * (this.scale - 1)) * 1000;
  }
}
