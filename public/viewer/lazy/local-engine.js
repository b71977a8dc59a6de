/**
 * The rules of the server's engine, for toasts that a page shows without it: what is on the screen, for how long, and
 * what comes next. docs/engine.md has the rules; `Tests/Scenarios` holds both engines to them.
 *
 * It has no clock: every call passes the time, in milliseconds, and returns the events until then. Call `tick` before a
 * call that may throw: the events that were due before it would be lost. One lane; the audience is always there.
 *
 * @import { Reason, Settings } from "../wire.d.ts"
 * @import { Entry, LocalEvent, LocalToast } from "./engine-rules.js"
 */

import { completionOf, seconds } from "./durations.js";
import { duplicateOf, exitOf, orderOf, pauseOf, readableUntil, timeOf } from "./engine-rules.js";

/** The engine refuses a call; the message says why. */
export class EngineError extends Error {
  /** @override */
  name = "EngineError";
}

/** Toasts of a stack that are on the screen at most. */
const most = 100;

/** A person's own ways to dismiss a toast. @type {readonly Reason[]} */
const personal = ["swipe", "close", "tap", "escape", "key"];

export class LocalEngine {
  /** @type {Settings} */
  #settings = {};
  /** In the order in which they will come. @type {Entry[]} */
  #queue = [];
  /** The newest last. @type {Entry[]} */
  #presented = [];
  /** When the last exit and the pause after it are over, in ms. */
  #freeAt = 0;
  #last = 0;
  #sequence = 0;
  /** Until when toasts of the server have the screen, in ms. */
  #blockedUntil = 0;
  /** @type {LocalEvent[]} */
  #events = [];

  /** @param {Settings} [settings] */
  constructor(settings = {}) { this.#settings = settings; }

  get #mode() { return this.#settings.mode ?? "fifo"; }
  get #isNewestOnly() { return /^replace/.test(this.#mode); }

  /** Milliseconds from a toast's dismissal to the next one, in modes that show one after the other. */
  get gap() { return exitOf(this.#settings) + pauseOf(this.#settings); }

  /** The toasts on the screen, in their order. */
  get presented() { return this.#presented.map(({ toast }) => toast); }

  /** The toasts that wait, in their order. */
  get queued() { return this.#queue.map(({ toast }) => toast); }

  /** The id that a toast has here: that of the toast that it repeats, else its own. @param {LocalToast} toast */
  idOf(toast) { return this.#repeated(toast)?.toast.id ?? toast.id; }

  /** When to call `tick`; Infinity while only a call can change anything. */
  get nextDeadline() { return Math.min(this.#due?.at ?? Infinity, this.#nextPresentation); }

  /** Runs what is due up to now. @param {number} now */
  tick(now) { return this.#transact(now, () => {}); }

  /** @param {Settings} settings @param {number} now */
  configure(settings, now) {
    return this.#transact(now, () => {
      this.#settings = settings;
      this.#queue.sort(orderOf(this.#settings));
      this.#emit({ type: "configured", at: now, effective: settings, own: {} });
      this.#yieldToNewest(now);
    });
  }

  /**
   * Toasts of the server have the screen.
   *
   * @param {number} until - in ms; Infinity while the end is unknown
   * @param {number} now
   */
  block(until, now) {
    return this.#transact(now, () => { this.#blockedUntil = until; });
  }

  /**
   * Send toasts: all of them or none.
   *
   * @param {LocalToast[]} toasts
   * @param {number} now
   * @throws {EngineError} toastAlreadyPresented or queueFull; nothing has changed then
   */
  enqueue(toasts, now) {
    return this.#transact(now, () => {
      const [queue, count] = [this.#queue, this.#events.length];
      this.#queue = [...queue];
      try {
        for (const toast of toasts) { this.#enqueue(toast, now); }
      } catch (error) {
        this.#queue = queue;
        this.#events.length = count;
        throw error;
      }
      this.#yieldToNewest(now);
    });
  }

  /** @param {string} id @param {Partial<LocalToast>} patch @param {number} now */
  update(id, patch, now) {
    return this.#transact(now, () => {
      const entry = this.#known(id);
      const before = entry.toast;
      const changed = Object.keys(patch).filter((name) => (
        name === "duration" || JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(patch, name))
      ));
      if (!changed.length) { return; }
      const isShown = this.#presented.includes(entry);
      const wasComplete = completionOf(before) !== undefined;
      entry.toast = { ...before, ...patch, revision: before.revision + 1 };
      if (!isShown) {
        this.#queue.sort(orderOf(this.#settings));
      } else if ("duration" in patch || wasComplete !== (completionOf(entry.toast) !== undefined)) {
        this.#start(entry, timeOf(this.#settings, entry, now), now);
      }
      this.#emit({ type: "updated", at: now, toast: entry.toast, changed, remaining: isShown ? seconds(this.#left(entry, now)) : undefined });
      this.#yieldToNewest(now);
    });
  }

  /** @param {string} id @param {Reason} reason @param {number} now */
  dismiss(id, reason, now) {
    return this.#transact(now, () => {
      const entry = this.#find(id);
      if (!entry) { return; }
      if (personal.includes(reason) && !this.#presented.includes(entry)) { throw new EngineError("toastNotPresented"); }
      this.#dismiss(entry, reason, now);
    });
  }

  /** @param {number} now */
  clear(now) {
    return this.#transact(now, () => {
      for (const entry of [...this.#presented, ...this.#queue]) { this.#dismiss(entry, "cleared", now); }
    });
  }

  /** A person presses an action. @param {string} id @param {string} action @param {number} now */
  act(id, action, now) {
    return this.#transact(now, () => {
      const entry = this.#known(id);
      if (!this.#presented.includes(entry)) { throw new EngineError("toastNotPresented"); }
      const pressed = entry.toast.actions?.find((it) => it.id === action);
      if (!pressed) { throw new EngineError("actionNotFound"); }
      this.#emit({ type: "acted", at: now, id, action });
      if (pressed.dismisses === undefined) { this.#dismiss(entry, "action", now, { action }); }
    });
  }

  /** Stop a toast's time. @param {string} id @param {string} holder @param {number} now */
  hold(id, holder, now) {
    return this.#transact(now, () => {
      const entry = this.#presented.find(({ toast }) => toast.id === id);
      if (!entry) { throw new EngineError("toastNotPresented"); }
      const left = this.#left(entry, now);
      entry.holders.add(holder);
      this.#start(entry, left, now);
      this.#emit({ type: "held", at: now, id, holder, remaining: seconds(left) });
    });
  }

  /** @param {string} id @param {string} holder @param {number} now */
  release(id, holder, now) {
    return this.#transact(now, () => {
      const entry = this.#presented.find(({ toast }) => toast.id === id);
      if (!entry?.holders.has(holder)) { return; }
      const left = this.#left(entry, now);
      entry.holders.delete(holder);
      this.#start(entry, left, now);
      this.#emit({ type: "released", at: now, id, holder, remaining: seconds(left) });
    });
  }

  /** Run what is due, make a change, and present what can come. @param {number} instant @param {() => void} change */
  #transact(instant, change) {
    const now = Math.max(instant, this.#last);
    this.#events = [];
    for (let due = this.#due; due && due.at <= now; due = this.#due) { this.#dismiss(due.entry, due.reason, Math.max(due.at, this.#last)); }
    this.#presentNext(now);
    change();
    this.#presentNext(now);
    return this.#events;
  }

  /** @param {LocalEvent} event */
  #emit(event) {
    this.#last = Math.max(this.#last, event.at);
    this.#events.push(event);
  }

  /** The toast that ends next. @returns {{ at: number, entry: Entry, reason: Reason, rank: number } | undefined} */
  get #due() {
    const all = this.#presented.filter(({ left, holders }) => left !== undefined && !holders.size).map((entry) => (
      { at: entry.from + Number(entry.left), entry, reason: /** @type {Reason} */ (completionOf(entry.toast) === undefined ? "timeout" : "completed"), rank: 1 }
    ));
    const newest = this.#queue.at(-1);
    if (this.#mode === "replaceAll" && newest) {
      for (const entry of this.#presented) {
        if (entry.sequence >= newest.sequence) { continue; }
        all.push({ at: readableUntil(this.#settings, entry), entry, reason: "replaced", rank: 2 });
      }
    }
    for (const entry of this.#queue) {
      const wait = entry.toast.expiresAfter ?? this.#settings.expiresAfter;
      if (typeof wait === "number") { all.push({ at: entry.since + wait * 1000, entry, reason: "expired", rank: 3 }); }
    }
    return all.sort((one, other) => one.at - other.at || one.rank - other.rank || one.entry.sequence - other.entry.sequence)[0];
  }

  /** When the first of the queue may come, in ms; Infinity while it may not. */
  get #nextPresentation() {
    if (!this.#queue.length) { return Infinity; }
    const count = this.#presented.length;
    if (this.#mode === "stack") {
      const { maxVisible = 3 } = this.#settings;
      return count < Math.min(typeof maxVisible === "number" ? maxVisible : most, most) ? this.#last : Infinity;
    }
    return !count || this.#mode === "replace" ? Math.max(this.#freeAt, this.#blockedUntil) : Infinity;
  }

  /** @param {number} now */
  #presentNext(now) {
    while (this.#nextPresentation <= now) {
      if (this.#mode === "replace") {
        for (const entry of [...this.#presented]) { this.#dismiss(entry, "replaced", now, { exit: 0 }); }
      }
      const entry = this.#queue.shift();
      if (!entry) { return; }
      entry.toast = { ...entry.toast, state: "presented", presentedAt: new Date(now).toISOString() };
      entry.shownAt = now;
      this.#presented.push(entry);
      this.#start(entry, timeOf(this.#settings, entry, now), now);
      this.#emit({ type: "presented", at: now, toast: entry.toast, remaining: seconds(entry.left) });
    }
  }

  /**
   * In a mode that keeps only the newest toast, dismiss the older ones; those on screen after their minimum time.
   *
   * @param {number} now
   */
  #yieldToNewest(now) {
    const newest = this.#queue.at(-1);
    if (!this.#isNewestOnly || !newest) { return; }
    const isNewest = this.#presented.every(({ sequence }) => sequence < newest.sequence);
    for (const entry of isNewest ? this.#queue.slice(0, -1) : [...this.#queue]) { this.#dismiss(entry, "replaced", now); }
    if (!isNewest || this.#mode === "replace") { return; }
    for (const entry of [...this.#presented]) {
      if (readableUntil(this.#settings, entry) <= now) { this.#dismiss(entry, "replaced", now); }
    }
  }

  /** @param {LocalToast} toast @param {number} now */
  #enqueue(toast, now) {
    const duplicate = this.#repeated(toast);
    if (duplicate) { return this.#refresh(duplicate, toast, now); }
    if (this.#mode === "reject" && this.#presented.length + this.#queue.length) { throw new EngineError("toastAlreadyPresented"); }
    if (!this.#isNewestOnly && this.#queue.length >= Number(this.#settings.capacity ?? 1000)) { throw new EngineError("queueFull"); }
    const queued = { ...toast, state: /** @type {const} */ ("queued"), createdAt: new Date(now).toISOString() };
    this.#emit({ type: "enqueued", at: now, toast: queued });
    this.#queue.push({
      toast: queued, sequence: ++this.#sequence, since: now, shownAt: 0, left: undefined, from: now, holders: new Set(),
    });
    this.#queue.sort(orderOf(this.#settings));
  }

  /**
   * Give a toast that was sent again the new content, the newest place and its full time.
   *
   * @param {Entry} entry
   * @param {LocalToast} toast
   * @param {number} now
   */
  #refresh(entry, toast, now) {
    if (this.#settings.deduplication !== "identity" || entry.toast.id === toast.id) { return; }
    const { id, state, createdAt, presentedAt, revision } = entry.toast;
    const changed = Object.keys(toast).filter((name) => !/^(id|state|createdAt|revision)$/.test(name)
      && JSON.stringify(Reflect.get(toast, name)) !== JSON.stringify(Reflect.get(entry.toast, name)));
    const isShown = this.#presented.includes(entry);
    const moves = isShown && this.#presented.at(-1) !== entry;
    entry.toast = { ...toast, id, state, createdAt, presentedAt, revision: revision + 1 };
    entry.sequence = ++this.#sequence;
    if (isShown) {
      this.#presented = [...this.#presented.filter((it) => it !== entry), entry];
      this.#start(entry, timeOf(this.#settings, entry, now, moves), now);
    } else {
      entry.since = now;
      this.#queue.sort(orderOf(this.#settings));
    }
    this.#emit({ type: "updated", at: now, toast: entry.toast, changed, moved: true, remaining: isShown ? seconds(entry.left) : undefined });
  }

  /**
   * @param {Entry} entry
   * @param {Reason} dismissReason
   * @param {number} at
   * @param {{ exit?: number, action?: string }} [how]
   */
  #dismiss(entry, dismissReason, at, { exit = exitOf(this.#settings), action } = {}) {
    const isShown = this.#presented.includes(entry);
    this.#presented = this.#presented.filter((it) => it !== entry);
    this.#queue = this.#queue.filter((it) => it !== entry);
    const length = isShown ? exit : 0;
    if (isShown) { this.#freeAt = Math.max(this.#freeAt, at + length + pauseOf(this.#settings)); }
    this.#emit({ type: "dismissed", at, id: entry.toast.id, dismissReason, action, exit: length / 1000 });
  }

  /** @param {LocalToast} toast */
  #repeated(toast) {
    return this.#find(toast.id) ?? duplicateOf(this.#settings, [...this.#presented, ...this.#queue], toast);
  }

  /** @param {string} id */
  #find(id) { return [...this.#presented, ...this.#queue].find(({ toast }) => toast.id === id); }

  /** @param {string} id */
  #known(id) {
    const entry = this.#find(id);
    if (!entry) { throw new EngineError("toastDismissed"); }
    return entry;
  }

  /** @param {Entry} entry @param {number | undefined} left @param {number} now */
  #start(entry, left, now) {
    entry.left = left;
    entry.from = now;
  }

  /** @param {Entry} entry @param {number} now */
  #left({ left, from, holders }, now) {
    return left === undefined || holders.size ? left : Math.max(0, left - (now - from));
  }
}
