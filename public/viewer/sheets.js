/**
 * The styles of the viewer: their stylesheets, each fetched once and shared by all shadow roots, and those that a
 * page has registered.
 *
 * Constructed sheets work under a strict Content-Security-Policy.
 *
 * @import { OwnStyle } from "../toast-viewer.d.ts"
 */

/** Where the viewer's files are, with a "/": above this one, or beside it where all are one. */
export const home = new URL(".", import.meta.url.replace(/viewer\/[^/]*$/, ""));

const fallback = "glass";

/** The page's own styles. @type {Map<string, OwnStyle>} */
export const registered = new Map();

/** The order of the layers, before any sheet: sheets arrive in any order. */
const layers = new CSSStyleSheet();
layers.replaceSync("@layer base, look, wish");

/** Names that have no sheet. */
const missing = new Set();

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map();

/**
 * Register a style for all viewers of the page. It replaces an earlier one of its name, also the server's.
 *
 * @param {string} name - lower-case letters, digits and hyphens, at most 32
 * @param {OwnStyle} style
 */
export function registerStyle(name, style) {
  if (!isName(name)) { throw new TypeError(`"${name}" is no name for a style`); }
  registered.set(name, style);
  missing.delete(name);
  sheets.get(name)?.then((old) => { old.disabled = old !== style.stylesheet; }, () => {});
  sheets.delete(name);
}

/** Provide a sheet without a fetch, for a bundle of all files. @param {string} name @param {string} stylesheet */
export function bring(name, stylesheet) {
  sheets.set(name, new CSSStyleSheet().replace(stylesheet));
}

/** The page's own function that draws a style, if there is one. @param {string} name */
export function renderOf(name) {
  return registered.get(name)?.render;
}

/** Whether a style may have this name: some sheets are no styles. @param {string} name */
function isName(name) {
  return /^(?!(base|parts|stage|controls)$)[a-z0-9-]{1,32}$/.test(name);
}

/** @param {string} name */
async function load(name) {
  const { stylesheet } = registered.get(name) ?? {};
  if (stylesheet instanceof CSSStyleSheet) { return stylesheet; }
  const sheet = new CSSStyleSheet();
  if (typeof stylesheet === "string") { return sheet.replace(stylesheet); }
  const response = await fetch(stylesheet ?? new URL(`styles/${name}.css`, home));
  if (response.ok) { return sheet.replace(await response.text()); }
  if (response.status === 404) { missing.add(name); }
  // `adopt` ignores it.
  throw new Error(name);
}

/**
 * The style to draw: that of the name, unless its sheet is missing.
 *
 * @param {string} name
 */
export function knownStyle(name) {
  return isName(name) && !missing.has(name) ? name : fallback;
}

/**
 * Give a root a sheet. It never fails: without it a toast is plain, but it is there.
 *
 * @param {ShadowRoot} root
 * @param {string} name - "base" or a known style
 */
export async function adopt(root, name) {
  const { render, stylesheet } = registered.get(name) ?? {};
  if (render && !stylesheet) { return; }
  if (!root.adoptedStyleSheets.includes(layers)) { root.adoptedStyleSheets.unshift(layers); }
  let sheet = sheets.get(name);
  if (!sheet) {
    sheet = load(name);
    sheets.set(name, sheet);
    sheet.catch(() => { if (!missing.has(name)) { sheets.delete(name); } });
  }
  await sheet.then((ready) => {
    // The page may have registered it again.
    ready.disabled = false;
    if (!root.adoptedStyleSheets.includes(ready)) { root.adoptedStyleSheets.push(ready); }
  }).catch(() => {});
}

/** Give a root the sheets of a style. @param {ShadowRoot} root @param {string} name */
export async function adoptStyle(root, name) {
  await Promise.all([adopt(root, "base"), adopt(root, knownStyle(name))]);
  if (missing.has(name)) { await adopt(root, fallback); }
}
