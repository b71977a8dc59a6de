/**
 * How many toasts are on the screen at a time.
 *
 * @import { ViewState } from "./view.d.ts"
 */

/** The most, unless the page or a person wants more. */
const usual = 10;

/** The most where the page or a person wants more. */
export const maxExpanded = 100;

/**
 * The page's `max` goes before the channels' `maxVisible`; of several channels the one that wants most decides.
 *
 * @param {Element} element
 * @param {Iterable<ViewState>} states - of the channels
 * @returns {number} at least 1
 */
export function maxVisible(element, states) {
  const ofPage = Number(element.getAttribute("max"));
  if (ofPage >= 1) { return Math.min(ofPage, maxExpanded); }
  // No number: "unlimited", or not known yet.
  return Math.max(1, ...[...states].map(({ settings }) => Math.min(Number(settings.maxVisible) || usual, usual)));
}
