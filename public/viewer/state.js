/**
 * What a viewer shows, as a pure function of the events that it received: how toasts come and go. How they change while
 * they are there is in `later/changes.js`.
 *
 * @import { Envelope, Haptic, Reason, Settings, Toast } from "./wire.d.ts"
 *
 * @typedef {object} Presented - one toast on the screen; a new object whenever something about it changed
 * @property {Toast} toast
 * @property {number} [remaining] - seconds left when the entry was made; absent when it stays
 * @property {readonly string[]} holders - who holds it; while somebody does, its countdown stands still
 * @property {number} spoken - counts the changes that are worth telling somebody who cannot see them
 * @property {string} [announcement] - what is told, in the server's words
 * @property {Haptic} [haptic] - what a hand is to feel when it comes
 * @property {number} moves - counts its moves to the newest place
 *
 * @typedef {object} Exit - how a toast went
 * @property {string} id
 * @property {number} [exit] - seconds that its exit takes; absent when the server did not say
 * @property {Reason} reason
 *
 * @typedef {object} ViewState
 * @property {Settings} settings
 * @property {readonly Presented[]} presented - oldest first
 * @property {readonly Exit[]} exits - newest first, at most 20; `come` knows none
 * @property {number} queueLength - as the last snapshot said it
 * @property {number} now - the server's time when the stream began, in ms; older events are repeats
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
