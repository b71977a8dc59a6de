/**
 * The words of a toast, and those of ours that toasts need. `lazy/messages.js` has the others, and other languages.
 *
 * @import { Role, Text, Toast } from "./wire.d.ts"
 *
 * @typedef {keyof typeof first} Word
 * @typedef {(word: Word, values?: Record<string, string | number>) => string} Say
 */

export const first = {
  lang: "en",
  region: "Notifications",
  hotkey: "press {key}",
  disconnected: "Notifications disconnected",
  reconnected: "Notifications reconnected",
  reconnecting: "Reconnecting…",
  errorRole: "Error",
  warningRole: "Warning",
  successRole: "Success",
  infoRole: "Info",
  dismiss: "Dismiss: {name}",
  progress: "Progress",
  now: "now",
  summary: "{n} notifications",
  missed: "{n} notifications while you were away",
};

/**
 * @template {string} Name
 * @param {Partial<Record<Name, string>>} words
 * @returns {(word: Name, values?: Record<string, string | number>) => string}
 */
export function speaker(words) {
  return (word, values = {}) => String(words[word]).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * A toast as a page sends it: its message alone will do, or an error.
 *
 * @template {object} Options
 * @param {string | Error | Options} message
 * @param {Options} [options]
 * @returns {Options}
 */
export const optionsOf = (message, options) => {
  const own = message instanceof Error ? { message: message.message } : typeof message === "object" ? message : { message };
  return /** @type {Options} */ ({ ...own, ...options });
};

/** @param {number} time - in ms @returns {Promise<undefined>} */
export const after = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Milliseconds until what did not load is asked for again. */
export const retry = 5000;

/** What has to load. @template Part @param {() => Promise<Part>} load @returns {Promise<Part>} */
export const loaded = (load) => load().catch(() => after(retry).then(() => loaded(load)));

/** All that is asked for before the next frame is done once, with it. @param {() => void} work */
export function oncePerFrame(work) {
  /** @type {boolean | undefined} Whether it is due without one. */
  let due;
  const run = () => {
    due = undefined;
    work();
  };
  return () => {
    if (due === document.hidden) { return; }
    // A page that is not seen has no frames.
    due = document.hidden;
    if (due) { setTimeout(run); } else { requestAnimationFrame(run); }
  };
}

/** For whoever draws a toast without saying in which language. A bundle that does not need it need not have its words. */
export const english = /* @__PURE__ */ speaker(first);

/** A role's own title. @param {Role} role @param {Say} say */
export const roleTitle = (role, say) => say(/** @type {Word} */ (`${role}Role`));

/** @param {Text | null | undefined} value @returns {string} */
export function text(value) {
  return typeof value === "object" ? value?.text ?? value?.default ?? value?.key ?? "" : value ?? "";
}

/**
 * The title that shows: the toast's own, its role's when it names none, empty when it wants none.
 *
 * @param {Toast} toast
 * @param {Say} say
 */
export function titleOf({ title, role }, say) {
  return title === undefined ? roleTitle(role, say) : text(title);
}

/** A toast's name: its role, title and message. @param {Toast} toast @param {Say} say */
export function nameOf(toast, say) {
  const title = titleOf(toast, say);
  const role = roleTitle(toast.role, say);
  return [title !== role && role, title, text(toast.message)].filter(Boolean).join(": ");
}

/**
 * What is said of a toast to somebody who cannot see it: what it is, and that it can be answered.
 *
 * @param {Toast} toast
 * @param {string | undefined} announcement - the server's words
 * @param {string | undefined} hint - what to do to answer it
 * @param {Say} say
 */
export function spoken(toast, announcement, hint, say) {
  const words = announcement ?? nameOf(toast, say);
  const actions = (toast.actions ?? []).map((action) => text(action.title)).join(", ");
  return actions ? `${words}${/[.!?…。:]$/.test(words) ? "" : "."} ${hint ? `${actions}: ${hint}` : actions}` : words;
}

/**
 * A URL that may be shown or followed: http(s) without a user's name, or a path of this origin. The
 * server has checked it; it is checked again where it is used.
 *
 * @param {string} [url]
 * @returns {string | undefined}
 */
export function safeURL(url) {
  if (!url || !URL.canParse(url, "https://toastd.invalid/")) { return undefined; }
  return /^https?:..[^@/]+\//.test(new URL(url, "https://toastd.invalid/").href) ? url : undefined;
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

/** @template {keyof SVGElementTagNameMap} Name @param {Name} name */
export const makeSVG = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
