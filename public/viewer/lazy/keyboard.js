/**
 * The keys that go from toast to toast.
 *
 * @import { Screen } from "../screen.js"
 * @import { ToastLifecycle } from "./toast-lifecycle.js"
 */

/** @param {Screen} screen @param {ToastLifecycle} lifecycle */
export function followKeys(screen, lifecycle) {
  screen.region.addEventListener("keydown", (event) => {
    const cards = lifecycle.cards();
    const index = cards.findIndex((card) => card.surface === event.target);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: cards.length - 1 }[event.key];
    if (index < 0 || next === undefined) { return; }
    cards[next]?.focus();
    // The page does not scroll.
    event.preventDefault();
    event.stopPropagation();
  });
}
