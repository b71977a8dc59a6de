/**
 * What a viewer shows, as a pure function of the events that it received: how toasts come and go. How they change while
 * they are there is in `lazy/changes.js`.
 *
 * @import { Envelope } from "./wire.d.ts"
 * @import { ViewState } from "./view.d.ts"
 */

/** @type {ViewState} */
export const emptyState = { settings: {}, presented: [], exits: [], queuedCount: 0 };

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
        settings: event.effective,
        queuedCount: event.queuedCount,
        presented: event.presented.map(({ toast, remaining, held, announcement }) => (
          { toast, remaining, announcement, holders: held ? [somebody] : [], spoken: 0, moves: 0 }
        )),
      };
    case "configured":
      return { ...state, settings: event.effective };
    case "presented": {
      const { toast, announcement, haptic, remaining } = event;
      const entry = { toast, announcement, haptic, remaining, holders: [], spoken: 0, moves: 0 };
      const { id } = toast;
      return { ...state, presented: [...state.presented.filter(({ toast }) => toast.id !== id), entry] };
    }
    case "dismissed":
      return { ...state, presented: state.presented.filter(({ toast }) => toast.id !== event.id) };
    default:
      return state;
  }
}
