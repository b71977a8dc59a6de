/**
 * The stylesheets of the viewer, each fetched once and shared by all shadow roots.
 *
 * Constructed sheets need neither an inline style nor a parser of HTML, so they work under a
 * strict Content-Security-Policy.
 */

const styles = ["glass", "vibrant", "pale", "capsule", "notification", "retro"];

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map();

/** @param {string} name */
async function load(name) {
  const sheet = new CSSStyleSheet();
  const response = await fetch(new URL(`../styles/${name}.css`, import.meta.url));
  if (!response.ok) { throw new Error(`No stylesheet ${name}: ${response.status}`); }
  return sheet.replace(await response.text());
}

/**
 * The style that is drawn for a style asked for: ours of that name, else glass.
 *
 * @param {string} name
 */
export function knownStyle(name) {
  return styles.includes(name) ? name : "glass";
}

/**
 * Give a root a sheet. It waits for the sheet, not for ever, and never fails: without it a toast
 * is plain, but it is there.
 *
 * @param {ShadowRoot} root
 * @param {string} name - "base" or a known style
 */
export async function adopt(root, name) {
  let sheet = sheets.get(name);
  if (!sheet) {
    sheet = load(name);
    sheets.set(name, sheet);
    sheet.catch(() => sheets.delete(name));
  }
  const adopted = sheet.then((ready) => {
    if (!root.adoptedStyleSheets.includes(ready)) { root.adoptedStyleSheets.push(ready); }
  }).catch(() => {});
  await Promise.race([adopted, new Promise((resolve) => setTimeout(resolve, 1000))]);
}
