/**
 * A toast's words, and the viewer's own for a first toast. `lazy/messages.js` has the others, and other languages.
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
 * A toast's options from what the page passes: a message, an error, or the options themselves.
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

/** Milliseconds until a failed load is tried again. */
export const retry = 5000;

/** Load, and try again until it succeeds. @template Part @param {() => Promise<Part>} load @returns {Promise<Part>} */
export const loaded = (load) => load().catch(() => after(retry).then(() => loaded(load)));

/** Make a function whose calls before the next frame run `work` once, with that frame. @param {() => void} work */
export function oncePerFrame(work) {
  /** @type {boolean | undefined} Whether it is due by a timer instead; undefined when it is not due. */
  let due;
  const run = () => {
    due = undefined;
    work();
  };
  return () => {
    if (due === document.hidden) { return; }
    // A hidden page has no frames.
    due = document.hidden;
    if (due) { setTimeout(run); } else { requestAnimationFrame(run); }
  };
}

/** The default of cards. Pure, so that a bundle that does not use it leaves it out. */
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
 * The announcement of a toast: what it is, and how it can be answered.
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
 * A URL that may be shown or followed: http(s) without user information, or a path of this origin. The
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
