/**
 * The words of a toast, and those of ours that a first toast needs. `later/words.js` has the others, and other languages.
 *
 * @import { Role, Text, Toast } from "./wire.d.ts"
 *
 * @typedef {keyof typeof first} Word
 * @typedef {(word: Word, values?: Record<string, string | number>) => string} Say
 */

export const first = {
  region: "Notifications",
  hotkey: "press {key}",
  disconnected: "Notifications disconnected",
  reconnected: "Notifications reconnected",
  reconnecting: "Reconnecting…",
  errorRole: "Error",
  warningRole: "Warning",
  successRole: "Success",
  infoRole: "Info",
  errorPrefix: "error,",
  warningPrefix: "warning,",
  successPrefix: "success,",
  infoPrefix: "information,",
  dismiss: "Dismiss: {name}",
  progress: "Progress",
  now: "now",
};

/**
 * @template {string} Name
 * @param {Partial<Record<Name, string>>} words
 * @returns {(word: Name, values?: Record<string, string | number>) => string}
 */
export function speaker(words) {
  return (word, values = {}) => String(words[word]).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** For whoever draws a toast without saying in which language. */
export const english = speaker(first);

/** A role's own title. @param {Role} role @param {Say} [say] */
export const roleTitle = (role, say = english) => say(/** @type {Word} */ (`${role}Role`));

/** @param {Text | null | undefined} value @returns {string} */
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

/**
 * An element with words in it: as text, never as HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} part - empty for none
 * @param {string} [content]
 */
export function make(name, part, content = "") {
  const element = document.createElement(name);
  if (part) { element.setAttribute("part", part); }
  element.textContent = content;
  return element;
}
