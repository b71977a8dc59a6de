/**
 * What changes toasts while they are there, beside how they come and go.
 *
 * @import { Exit, Presented, ViewState } from "../view.d.ts"
 * @import { Envelope, Toast } from "../wire.d.ts"
 */

import { come } from "../state.js";

/** How many exits are remembered. */
const most = 20;

/** A snapshot says that a toast is held, not by whom. */
const somebody = "";

/**
 * The state after an event.
 *
 * @param {ViewState} state
 * @param {Envelope} event
 * @returns {ViewState}
 */
export function reduce(state, event) {
  switch (event.type) {
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
      const { presented } = changed;
      const isNewest = (/** @type {Presented} */ { toast }) => toast.id === id;
      return event.moved
        ? { ...changed, presented: [...presented.filter((it) => !isNewest(it)), ...presented.filter(isNewest)] }
        : changed;
    }
    case "held":
    case "released":
      return change(state, event.id, (entry) => {
        const others = entry.holders.filter((holder) => holder !== event.holder && holder !== somebody);
        const holders = event.type === "held" ? [...others, event.holder] : others;
        return { ...entry, holders, remaining: event.remaining };
      });
    case "presented":
      return { ...come(state, event), exits: state.exits.filter(({ id }) => id !== event.toast.id) };
    case "dismissed":
      return state.presented.some(({ toast }) => toast.id === event.id)
        ? { ...come(state, event), exits: [exitOf(event), ...state.exits].slice(0, most) }
        : state;
    default:
      return come(state, event);
  }
}

/**
 * What somebody has to know who has seen only what came and went.
 *
 * @param {ViewState} state
 * @param {Envelope[]} events - that have led to it
 * @returns {ViewState}
 */
export function catchUp(state, events) {
  const changes = events.filter(({ type }) => type === "updated" || type === "held" || type === "released");
  const exits = events.flatMap((event) => event.type === "dismissed" ? [exitOf(event)] : []);
  return { ...changes.reduce(reduce, state), exits: exits.reverse().slice(0, most) };
}

/** @param {Extract<Envelope, { type: "dismissed" }>} event @returns {Exit} */
const exitOf = ({ id, exit, dismissReason: reason }) => ({ id, exit, reason });

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
 * Whether an update is to be spoken. A server that has words for it says so; for an older one it is another title
 * or role, or work that ended, not a counter that moves.
 *
 * @param {Presented} entry
 * @param {{ toast: Toast, announcement?: string }} update
 */
function isNews({ toast: before, announcement }, { toast: after, announcement: words }) {
  const isSame = before.role === after.role && JSON.stringify(before.title) === JSON.stringify(after.title);
  // A message that counts along with the work is seen, not said.
  if (isSame && isWorking(before) && isWorking(after)) { return false; }
  if (announcement !== undefined || words !== undefined) { return words !== undefined; }
  return !isSame || (before.progress !== undefined && after.progress === undefined);
}

/** @param {Toast} toast */
function isWorking({ progress }) {
  return progress !== undefined && !("value" in progress && progress.value >= progress.total);
}
