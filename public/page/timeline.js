/**
 * A channel's recent past and near future, from its events alone: one row for each toast, with the times at which it
 * waited, was on screen, was held, and left. Times are milliseconds of the server's clock.
 *
 * @import { Envelope, Reason, Settings, Toast } from "../viewer/wire.d.ts"
 *
 * @typedef {object} Hold
 * @property {number} from
 * @property {number} [to] - absent while it lasts
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {Toast} toast
 * @property {string} lane
 * @property {number} enqueued
 * @property {number} [presented]
 * @property {number} [end] - when its countdown will end; absent when it stays, or is held
 * @property {number} [dismissed]
 * @property {number} exit - the length of its exit, in ms
 * @property {number} pause - how long the screen stays empty after its exit, in ms
 * @property {Reason} [reason]
 * @property {string} [action] - the one that was pressed
 * @property {Hold[]} holds
 * @property {string[]} holders - the names of its present holders
 *
 * @typedef {object} Span - a piece of a row
 * @property {"wait" | "shown" | "held" | "exit" | "pause" | "later" | "here"} kind
 * @property {number} from
 * @property {number} to - Infinity while it is unknown
 */

import { schedule, timesOf } from "./schedule.js";

/** How many dismissed and how many queued toasts have a row. Other queued toasts are only counted. */
const kept = { dismissed: 40, queued: 100 };

/** Stands for the holders that a snapshot does not name. */
const unnamedHolder = "";

const ranks = { error: 3, warning: 2, success: 1, info: 0 };

export class Timeline {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {Settings} */
  settings = {};
  /** When the stream was resumed, by the server's clock: a `remaining` of replayed events counts from then on. */
  #resumed = 0;
  /** How many toasts wait; some may have no row, because they are many or came before the stream was opened. */
  waiting = 0;

  /** @param {Envelope} event */
  take(event) {
    const at = Date.parse(event.at);
    switch (event.type) {
      case "snapshot":
        return this.#begin(event, at);
      case "resumed":
        this.#resumed = at;
        return;
      case "configured":
        this.#configure(event.effective);
        return;
      case "enqueued":
        this.waiting += 1;
        if (this.#count("queued") < kept.queued) { this.#add(event.toast, at); }
        return;
      case "presented":
        this.#leaveQueue();
        return this.#present(event.toast, at, event.remaining);
      case "updated":
        return this.#update(event, at);
      case "held":
      case "released":
        return this.#hold(event, at);
      case "dismissed":
        return this.#dismiss(event, at);
    }
  }

  /** The rows of dismissed toasts, in the order of their dismissals, then of presented ones, then of queued ones. */
  rows() {
    const rows = [...this.#rows.values()];
    const come = (/** @type {Row} */ { presented = Number.MAX_VALUE }) => presented;
    const left = (/** @type {Row} */ { dismissed = 0 }) => dismissed;
    const inOrder = (/** @type {"presented" | "dismissed"} */ state) => rows.filter((row) => stateOf(row) === state)
      .sort((one, other) => left(one) - left(other) || come(one) - come(other));
    return [...inOrder("dismissed"), ...inOrder("presented"), ...this.queue()];
  }

  /** The rows of queued toasts, the next first. */
  queue() {
    const rows = [...this.#rows.values()].filter((row) => stateOf(row) === "queued");
    if (this.settings.mode === "priority") {
      rows.sort((one, other) => ranks[other.toast.role] - ranks[one.toast.role] || one.enqueued - other.enqueued);
    }
    return rows;
  }

  /** How many toasts are presented. */
  get shown() {
    return this.#count("presented");
  }

  /**
   * When queued toasts will be on screen, if nothing else happens; empty in modes other than fifo, priority and stack.
   *
   * @param {number} now
   * @returns {Map<string, Span>} by id
   */
  forecast(now) {
    const there = [...this.#rows.values()].filter(({ presented }) => presented !== undefined);
    return schedule(this.settings, there, this.queue(), now);
  }

  /**
   * The spans of a row.
   *
   * @param {Row} row
   * @param {Span} [later] - its place in the schedule
   * @param {boolean} [isHere] - whether this viewer still shows it
   * @returns {Span[]}
   */
  spans(row, later, isHere = false) {
    const { enqueued, presented, dismissed, exit, pause, holds } = row;
    if (presented === undefined) {
      /** @type {Span} */
      const wait = { kind: "wait", from: enqueued, to: dismissed ?? later?.from ?? Infinity };
      return later && dismissed === undefined ? [wait, later] : [wait];
    }
    const over = dismissed ?? row.end ?? Infinity;
    /** @type {Span[]} */
    const spans = [{ kind: "wait", from: enqueued, to: presented }, { kind: "shown", from: presented, to: over }];
    for (const { from, to = over } of holds) { spans.push({ kind: "held", from, to }); }
    const isReal = (/** @type {Span} */ { from, to }) => to > from;
    if (over === Infinity) { return spans.filter(isReal); }
    if (isHere && dismissed !== undefined) {
      spans.push({ kind: "here", from: over, to: Infinity });
      return spans.filter(isReal);
    }
    const times = dismissed === undefined ? timesOf(this.settings) : { exit, pause };
    const leaves = over + times.exit;
    spans.push({ kind: "exit", from: over, to: leaves });
    spans.push({ kind: "pause", from: leaves, to: leaves + times.pause });
    return spans.filter(isReal);
  }

  /**
   * Take new settings. Only a change of `lanes` gives each row its lane anew: else a toast keeps it, although its
   * placement may have changed.
   *
   * @param {Settings} settings
   */
  #configure(settings) {
    const isSame = settings.lanes === this.settings.lanes;
    this.settings = settings;
    if (isSame) { return; }
    for (const row of this.#rows.values()) { row.lane = this.#laneOf(row.toast); }
  }

  /** @param {Toast} toast */
  #laneOf({ placement }) {
    return this.settings.lanes === "placement" ? placement : "";
  }

  /** @param {"queued" | "presented" | "dismissed"} state */
  #count(state) {
    return [...this.#rows.values()].filter((row) => stateOf(row) === state).length;
  }

  /**
   * @param {Toast} toast
   * @param {number} at
   * @returns {Row}
   */
  #add(toast, at) {
    /** @type {Row} */
    const row = { id: toast.id, toast, lane: this.#laneOf(toast), enqueued: at, exit: 0, pause: 0, holds: [], holders: [] };
    this.#rows.set(toast.id, row);
    return row;
  }

  /**
   * Take a snapshot: rows of toasts that should be alive and are not in it are removed.
   *
   * @param {Extract<Envelope, { type: "snapshot" }>} event
   * @param {number} at
   */
  #begin({ effective, presented, queuedCount }, at) {
    this.#configure(effective);
    this.#resumed = 0;
    this.waiting = queuedCount;
    const present = new Set(presented.map(({ toast }) => toast.id));
    for (const row of [...this.#rows.values()]) {
      if (stateOf(row) !== "dismissed" && !present.has(row.id)) { this.#rows.delete(row.id); }
    }
    for (const { toast, remaining, held } of presented) {
      const since = Date.parse(toast.presentedAt ?? "") || at;
      const row = this.#present(toast, since, remaining === undefined ? undefined : remaining + (at - since) / 1000);
      if (held) { this.#hold({ type: "held", id: row.id, holder: unnamedHolder, remaining }, at); }
    }
  }

  /**
   * @param {Toast} toast
   * @param {number} at
   * @param {number} [remaining]
   */
  #present(toast, at, remaining) {
    const row = this.#rows.get(toast.id) ?? this.#add(toast, Date.parse(toast.createdAt) || at);
    row.toast = toast;
    row.presented = at;
    row.end = this.#end(at, remaining);
    row.holds = [];
    row.holders = [];
    return row;
  }

  /**
   * @param {Extract<Envelope, { type: "updated" }>} event
   * @param {number} at
   */
  #update({ toast, remaining }, at) {
    const row = this.#rows.get(toast.id);
    if (!row) { return; }
    row.toast = toast;
    if (row.presented !== undefined && !row.holders.length) {
      row.end = this.#end(at, remaining);
    }
  }

  /**
   * When a countdown ends; undefined if there is none.
   *
   * @param {number} at
   * @param {number} [remaining]
   */
  #end(at, remaining) {
    return remaining === undefined ? undefined : Math.max(at, this.#resumed) + remaining * 1000;
  }

  /**
   * @param {{ type: "held" | "released", id: string, holder: string, remaining?: number, held?: true }} event
   * @param {number} at
   */
  #hold({ type, id, holder, remaining, held }, at) {
    const row = this.#rows.get(id);
    if (!row || row.dismissed !== undefined) { return; }
    const isFirst = !row.holders.length;
    // The empty name stands for the holders of a snapshot. It stays until the toast has no holders.
    row.holders = row.holders.filter((it) => it !== holder && (it || held || type === "held"));
    if (type === "held") { row.holders.push(holder); }
    if (row.holders.length) {
      if (isFirst) { row.holds = [...row.holds.slice(-9), { from: at }]; }
      row.end = undefined;
    } else {
      const last = row.holds.at(-1);
      if (last && last.to === undefined) { last.to = at; }
      row.end = this.#end(at, remaining);
    }
  }

  /**
   * @param {Extract<Envelope, { type: "dismissed" }>} event
   * @param {number} at
   */
  #dismiss({ id, dismissReason: reason, action, exit }, at) {
    const row = this.#rows.get(id);
    if (row?.presented === undefined) { this.#leaveQueue(); }
    if (!row) { return; }
    Object.assign(row, { dismissed: at, reason, action, exit: exit * 1000, holders: [] });
    row.pause = row.presented !== undefined && reason !== "replaced" ? timesOf(this.settings).pause : 0;
    const last = row.holds.at(-1);
    if (last && last.to === undefined) { last.to = at; }
    const gone = [...this.#rows.values()].filter((it) => stateOf(it) === "dismissed");
    for (const { id: old } of gone.slice(0, Math.max(0, gone.length - kept.dismissed))) { this.#rows.delete(old); }
  }

  #leaveQueue() {
    this.waiting = Math.max(0, this.waiting - 1);
  }
}

/** @param {Row} row */
export function stateOf({ presented, dismissed }) {
  if (dismissed !== undefined) { return "dismissed"; }
  return presented === undefined ? "queued" : "presented";
}
