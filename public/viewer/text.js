/**
 * The words of a toast.
 *
 * @import { Role, Text, Toast } from "./wire.d.ts"
 * @import { Say, Word } from "./words.js"
 */

import { english } from "./words.js";

/** A role's own title. @param {Role} role @param {Say} [say] */
export const roleTitle = (role, say = english) => say(/** @type {Word} */ (`${role}Role`));

/**
 * @param {Text | null | undefined} value
 * @returns {string}
 */
export function text(value) {
  return typeof value === "object" ? value?.text ?? value?.default ?? value?.key ?? "" : value ?? "";
}

/**
 * The title that shows: the toast's own, its role's when it names none, empty when it wants none.
 *
 * @param {Toast} toast
 * @param {Say} [say]
 */
export function titleOf({ title, role }, say) {
  return title === undefined ? roleTitle(role, say) : text(title);
}

/**
 * What is said of a toast to somebody who cannot see it: role, title, message, and that it can be answered.
 *
 * @param {Toast} toast
 * @param {string} [announcement] - the server's words for role, title and message
 * @param {string} [hint] - what to do to answer it
 * @param {Say} [say]
 */
export function spoken(toast, announcement, hint = "", say = english) {
  const title = titleOf(toast, say);
  const ours = sentences(title === roleTitle(toast.role, say) ? "" : title, text(toast.message));
  // What is said before a toast, so that its kind is known first.
  const words = announcement ?? `${say(/** @type {Word} */ (`${toast.role}Prefix`))} ${ours}`.trim();
  const actions = (toast.actions ?? []).map((action) => text(action.title)).join(", ");
  return actions ? sentences(words, hint ? `${actions}: ${hint}` : actions) : words;
}

/** @param {...string} parts */
function sentences(...parts) {
  return parts.filter(Boolean).map((part, index, all) => (
    index < all.length - 1 && !/[.!?…。:]$/.test(part) ? `${part}.` : part
  )).join(" ");
}

/**
 * A URL that may be shown or followed: http(s), or a path of this origin. The server has checked
 * it; it is checked again where it is used.
 *
 * @param {string} [url]
 * @returns {string | undefined}
 */
export function safeURL(url) {
  if (!url || !URL.canParse(url, "https://toastd.invalid/")) { return undefined; }
  return /^https?:$/.test(new URL(url, "https://toastd.invalid/").protocol) ? url : undefined;
}
