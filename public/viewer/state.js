/**
 * What a viewer shows, as a pure function of the events that it received: how toasts come and go. How they change while
 * they are there is in `later/changes.js`.
 *
 * @import { Envelope } from "./wire.d.ts"
 * @import { ViewState } from "./view.d.ts"
 */

/** @type {ViewState} */
export const emptyState = { settings: {}, presented: [], exits: [], queueLength: 0, now: 0 };

/** A snapshot says that a toast is held, not by whom. */
const somebody = "";

/**
 * The state after an event; an event that only changes what is there leaves it as it was.
 *
 * @param {ViewState} state
 * @param {Envelope} event
 * @returns {ViewState}
 */
export function come(state, event) {
  switch (event.type) {
    case "snapshot":
      return {
        ...state,
        settings: event.settings,
        queueLength: event.queueLength,
        now: Date.parse(event.at),
        presented: event.presented.map(({ toast, remaining, held, announcement }) => (
          { toast, remaining, announcement, holders: held ? [somebody] : [], spoken: 0, moves: 0 }
        )),
      };
    case "resumed":
      return { ...state, now: Date.parse(event.at) };
    case "configured":
      return { ...state, settings: event.settings };
    case "presented": {
      const { toast, announcement, haptic } = event;
      const entry = { toast, announcement, haptic, remaining: left(state, event), holders: [], spoken: 0, moves: 0 };
      const { id } = toast;
      return { ...state, presented: [...state.presented.filter(({ toast }) => toast.id !== id), entry] };
    }
    case "dismissed":
      return { ...state, presented: state.presented.filter(({ toast }) => toast.id !== event.id) };
    default:
      return state;
  }
}

/**
 * Seconds left of an event's `remaining`. A repeated event is as old as the server says it is:
 * its own time against the time of `resumed`, both by the server's clock. Ours is never asked.
 *
 * @param {ViewState} state
 * @param {{ at: string, remaining?: number }} event
 * @param {readonly string[]} [holders]
 */
export function left({ now }, { at, remaining }, holders = []) {
  if (remaining === undefined || holders.length) { return remaining; }
  const age = Math.max(0, now - Date.parse(at)) / 1000;
  return Math.max(0, remaining - age);
}
