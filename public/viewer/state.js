/**
 * What a viewer shows of a channel, as a pure function of the events that it received.
 *
 * @import { Presented, ViewState } from "./view.d.ts"
 * @import { Envelope, Toast } from "./wire.d.ts"
 */

/** @type {ViewState} */
export const emptyState = { settings: {}, presented: [], exits: [], queuedCount: 0 };

/** Maximum number of exits. */
const most = 20;

/** Stands for the holders that a snapshot does not name. */
const unnamedHolder = "";

/** The state after an event. @param {ViewState} state @param {Envelope} event @returns {ViewState} */
export function reduce(state, event) {
  switch (event.type) {
    case "snapshot":
      return {
        ...state,
        settings: event.effective,
        queuedCount: event.queuedCount,
        presented: event.presented.map(({ toast, remaining, held, announcement }) => ({
          toast, remaining, announcement, holders: held ? [unnamedHolder] : [],
          spoken: state.presented.find((it) => it.toast.id === toast.id)?.spoken ?? 0, moves: 0,
        })),
      };
    case "configured":
      return { ...state, settings: event.effective };
    case "presented": {
      const { toast, announcement, haptic, remaining } = event;
      const entry = { toast, announcement, haptic, remaining, holders: [], spoken: 0, moves: 0 };
      return {
        ...state,
        presented: [...without(state, toast.id), entry],
        exits: state.exits.filter(({ id }) => id !== toast.id),
      };
    }
    case "updated": {
      const { id } = event.toast;
      const changed = change(state, id, (entry) => ({
        ...entry,
        toast: event.toast,
        remaining: event.remaining,
        spoken: entry.spoken + Number(isNews(entry, event)),
        announcement: event.announcement ?? entry.announcement,
        moves: entry.moves + Number(event.moved ?? false),
      }));
      const moved = event.moved ? changed.presented.filter(({ toast }) => toast.id === id) : [];
      return moved.length ? { ...changed, presented: [...without(changed, id), ...moved] } : changed;
    }
    case "held":
    case "released":
      return change(state, event.id, (entry) => {
        const holders = entry.holders.filter((it) => it !== event.holder && (it || event.held || event.type === "held"));
        if (event.type === "held") { holders.push(event.holder); }
        return { ...entry, holders, remaining: event.remaining };
      });
    case "dismissed": {
      const { id, exit, dismissReason: reason } = event;
      const presented = without(state, id);
      if (presented.length === state.presented.length) { return state; }
      return { ...state, presented, exits: [{ id, exit, reason }, ...state.exits].slice(0, most) };
    }
    default:
      return state;
  }
}

/** Unique, unlike an id, which may be reused when its toast has gone. @param {Toast} toast */
export const identityOf = ({ id, createdAt }) => id + createdAt;

/** The states of all channels. @extends {Map<string, ViewState>} */
export class ChannelStates extends Map {
  /** When each entry was made, as `performance.now()`, for tabs that follow. @type {WeakMap<object, number>} */
  told = new WeakMap();

  /** Oldest first in each channel. */
  get presented() { return [...this.values()].flatMap((it) => it.presented); }

  get exits() { return [...this.values()].flatMap((it) => it.exits); }

  /** The settings of the layer: those of the first channel, else those of the page's own toasts. */
  get settings() {
    for (const [channel, { settings }] of this) { if (channel) { return settings; } }
    return this.get("")?.settings ?? {};
  }

  /** @param {Exclude<Envelope, { type: "shutdown" }>} event */
  take(event) {
    const state = reduce(this.get(event.channel) ?? emptyState, event);
    this.set(event.channel, state);
    for (const entry of state.presented) {
      if (!this.told.has(entry)) { this.told.set(entry, performance.now()); }
    }
  }
}

/** The presented toasts without one of them. @param {ViewState} state @param {string} id */
const without = ({ presented }, id) => presented.filter(({ toast }) => toast.id !== id);

/**
 * @param {ViewState} state
 * @param {string} id
 * @param {(entry: Presented) => Presented} transform
 * @returns {ViewState}
 */
function change(state, id, transform) {
  return { ...state, presented: state.presented.map((entry) => entry.toast.id === id ? transform(entry) : entry) };
}

/**
 * Whether an update is to be spoken. A server that has words for it says so. For the page's own toasts it is another
 * role, title or message, a toast that is sent again, or work that ended, not a counter that moves.
 *
 * @param {Presented} entry
 * @param {{ toast: Toast, announcement?: string, moved?: boolean }} update
 */
function isNews({ toast: before, announcement }, { toast: after, announcement: words, moved }) {
  const isSame = before.role === after.role && JSON.stringify(before.title) === JSON.stringify(after.title);
  // A message that counts along with the work is seen, not said.
  if (isSame && isWorking(before) && isWorking(after)) { return false; }
  if (announcement !== undefined || words !== undefined) { return words !== undefined; }
  return !isSame || JSON.stringify(before.message) !== JSON.stringify(after.message) || moved === true || before.progress !== undefined && !after.progress;
}

/** @param {Toast} toast */
function isWorking({ progress }) {
  return progress !== undefined && !("value" in progress && progress.value >= progress.total);
}
