/**
 * Icon names and their outlines.
 *
 * Path data from Bootstrap Icons 1.10.3 (MIT, see ../vendor/bootstrap-icons/LICENSE), all on a
 * 16 by 16 grid; those here to one decimal. Here are the role icons of glass, vibrant and pale; those of the other
 * styles and all other icons are in two lazy files.
 *
 * @import { Role } from "./wire.d.ts"
 */

import { makeSVG } from "./text.js";

/** In the order of the roles. @type {Record<string, string>} */
const paths = {
  "check-lg":
    "M12.7 4a.7.7 0 0 1 1.1 0c.3.3.3.7 0 1L7.9 12a.7.7 0 0 1-1.1 0L3.2 8.4a.8.8 0 0 1 0-1.1.7.7 0 0 1 1.1 0l3 3.1 5.4-6.4Z",
  "x-lg":
    "M2.1 2.9a.5.5 0 1 1 .8-.8L8 7.2l5.1-5.1a.5.5 0 0 1 .8.8L8.8 8l5.1 5.1a.5.5 0 0 1-.8.8L8 8.8l-5.1 5.1a.5.5 0 0 1-.8-.8L7.2 8Z",
  "exclamation-lg":
    "M7 3.1a1 1 0 1 1 2 0l-.4 6.4a.6.6 0 0 1-1.2 0ZM7 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0Z",
  "info-lg":
    "m9.7 6.1-3 .4-.1.5.6.1c.4.1.4.2.4.6l-1 4.6c-.3 1.2.1 1.7 1.1 1.7.7 0 1.5-.3 1.9-.8l.1-.5c-.3.2-.6.3-.9.3-.4 0-.5-.3-.4-.7l1.3-6.2Zm.1-2.8a1.3 1.3 0 1 1-2.6 0 1.3 1.3 0 0 1 2.6 0Z",
};

const plain = Object.keys(paths);

/** A publisher may name an icon "constructor". @param {string} name */
const own = (name) => Object.hasOwn(paths, name) ? paths[name] : undefined;

/** @type {typeof import("./lazy/role-icons.js") | undefined} The role icons of styles that have others. */
let others;

/** Load the role icons of a style. @param {string} style */
export async function prepareIcons(style) {
  if (!others && !/^(glass|vibrant|pale)$/.test(style)) {
    others = await import("./lazy/role-icons.js").catch(() => undefined);
  }
}

/** @type {Role[]} */
const roles = ["success", "error", "warning", "info"];

/**
 * The icon that a style shows for a role when the toast names none; nothing, when it shows none either.
 *
 * @param {string} style
 * @param {Role} role
 */
export function roleIcon(style, role) {
  return (others?.iconsOf(style) ?? plain)[roles.indexOf(role)];
}

/**
 * The outline of an icon, by our name or by an SF Symbol's; nothing when there is none.
 *
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
export async function outline(name) {
  return own(name) ?? (await import("./lazy/role-icons.js")).outline(name, paths);
}

/**
 * An icon. Plain glyphs are drawn at once, others as soon as their outline is there.
 *
 * @param {string} name
 * @param {string} fallback - drawn when there is no icon of the name
 */
export function makeIcon(name, fallback) {
  const svg = makeSVG("svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.ariaHidden = "true";
  const path = svg.appendChild(makeSVG("path"));
  const draw = (/** @type {string | undefined} */ d) => path.setAttribute("d", d ?? paths["info-lg"]);
  if (own(name)) {
    draw(paths[name]);
  } else {
    // A file that does not load costs the icon, not the toast.
    outline(name).then((d) => d ?? outline(fallback)).then(draw, () => draw(undefined));
  }
  return svg;
}
