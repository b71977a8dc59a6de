/**
 * The styles of the viewer: their stylesheets, each fetched once and shared by all shadow roots, and those that a
 * page has registered.
 *
 * Constructed sheets need neither an inline style nor a parser of HTML, so they work under a
 * strict Content-Security-Policy.
 *
 * @import { Action, Appearance, Placement, Progress, Role, Toast } from "./wire.d.ts"
 *
 * @typedef {object} Configuration - what a style of one's own draws
 * @property {Role} role
 * @property {string} style
 * @property {string} title - empty when there is none
 * @property {string} message
 * @property {(() => SVGSVGElement | HTMLElement) | undefined} icon - makes the icon that the toast names, or its role's
 * @property {{ id: string, title: string, role?: Action["role"], url?: string, press: () => void }[]} actions
 * @property {(Progress & { fraction?: number }) | undefined} progress
 * @property {{ url: string, alt: string } | undefined} image - with a URL that may be shown
 * @property {Placement} placement
 * @property {number | "indefinite"} duration - in seconds
 * @property {Appearance} appearance - the toast's over the channel's
 * @property {unknown} data
 * @property {() => void} close - dismisses the toast
 * @property {Toast} toast - as it came
 *
 * @typedef {Node | { node: Node, update: (configuration: Configuration) => void }} Rendering
 *
 * @typedef {object} OwnStyle
 * @property {(configuration: Configuration) => Rendering} [render] - the toast's content; called anew for every
 *   change, unless it gave an update function; without it the usual parts are drawn
 * @property {CSSStyleSheet | string | URL} [stylesheet] - a sheet, its text, or where it is
 */

const fallback = "glass";

/** @type {Map<string, OwnStyle>} */
const registered = new Map();

/** Names that have no sheet. */
const missing = new Set();

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map();

/**
 * Register a style for all viewers of the page. The last one of a name is it, also before those of the server.
 *
 * @param {string} name - lower-case letters, digits and hyphens, at most 32
 * @param {OwnStyle} style
 */
export function registerStyle(name, style) {
  if (!isName(name) || name === "base") { throw new TypeError(`"${name}" is no name for a style`); }
  registered.set(name, style);
  missing.delete(name);
  sheets.delete(name);
}

/**
 * How a page draws a style, when it wants to.
 *
 * @param {string} name
 */
export function renderOf(name) {
  return registered.get(name)?.render;
}

/** @param {string} name */
function isName(name) {
  return /^[a-z0-9-]{1,32}$/.test(name);
}

/** @param {string} name */
async function load(name) {
  const { stylesheet = new URL(`../styles/${name}.css`, import.meta.url) } = registered.get(name) ?? {};
  if (stylesheet instanceof CSSStyleSheet) { return stylesheet; }
  const sheet = new CSSStyleSheet();
  if (typeof stylesheet === "string") { return sheet.replace(stylesheet); }
  const response = await fetch(stylesheet);
  if (response.status === 404) { missing.add(name); }
  if (!response.ok) { throw new Error(`No stylesheet ${name}: ${response.status}`); }
  return sheet.replace(await response.text());
}

/**
 * The style that is drawn for a style asked for: that of its name, unless it was looked for and not found.
 *
 * @param {string} name
 */
export function knownStyle(name) {
  return isName(name) && !missing.has(name) ? name : fallback;
}

/**
 * Give a root a sheet. It waits for the sheet, not for ever, and never fails: without it a toast
 * is plain, but it is there.
 *
 * @param {ShadowRoot} root
 * @param {string} name - "base" or a known style
 */
export async function adopt(root, name) {
  const { render, stylesheet } = registered.get(name) ?? {};
  if (render && !stylesheet) { return; }
  let sheet = sheets.get(name);
  if (!sheet) {
    sheet = load(name);
    sheets.set(name, sheet);
    sheet.catch(() => { if (!missing.has(name)) { sheets.delete(name); } });
  }
  const adopted = sheet.then((ready) => {
    if (!root.adoptedStyleSheets.includes(ready)) { root.adoptedStyleSheets.push(ready); }
  }).catch(() => {});
  await Promise.race([adopted, new Promise((resolve) => setTimeout(resolve, 1000))]);
}

/**
 * Give a root what a toast of a style needs.
 *
 * @param {ShadowRoot} root
 * @param {string} name
 */
export async function adoptStyle(root, name) {
  await Promise.all([adopt(root, "base"), adopt(root, knownStyle(name))]);
  if (missing.has(name)) { await adopt(root, fallback); }
}
