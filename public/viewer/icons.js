/**
 * Icon names and their outlines.
 *
 * Path data from Bootstrap Icons 1.10.3 (MIT, see ../vendor/bootstrap-icons/LICENSE), all on a
 * 16 by 16 grid; those here to two decimals. The glyphs that most styles need for the four roles stand here; the other role
 * glyphs and the rest are each loaded when a toast first asks for one.
 *
 * @import { Role } from "./wire.d.ts"
 */

const svgNamespace = "http://www.w3.org/2000/svg";

/** In the order of the roles. @type {Record<string, string>} */
const paths = {
  "check-lg":
    "M12.74 3.97a.73.73 0 0 1 1.05 0c.29.29.29.76.01 1.05L7.88 12.01a.73.73 0 0 1-1.06.02L3.22 8.38a.76.76 0 0 1 0-1.06.73.73 0 0 1 1.05 0l3.05 3.09 5.4-6.42a.25.25 0 0 1 .02-.02Z",
  "x-lg":
    "M2.15 2.85a.5.5 0 1 1 .71-.71L8 7.29l5.15-5.15a.5.5 0 0 1 .71.71L8.71 8l5.15 5.15a.5.5 0 0 1-.71.71L8 8.71l-5.15 5.15a.5.5 0 0 1-.71-.71L7.29 8 2.15 2.85Z",
  "exclamation-lg":
    "M7 3.1a1 1 0 1 1 1.99 0l-.39 6.35a.61.61 0 0 1-1.21 0L7 3.1ZM7 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0Z",
  "info-lg":
    "m9.71 6.08-3.02.38-.11.5.59.11c.39.09.46.23.38.62l-.97 4.58c-.26 1.18.14 1.74 1.07 1.74.72 0 1.55-.33 1.93-.79l.12-.55c-.26.23-.65.33-.91.33-.36 0-.49-.26-.4-.7l1.32-6.21Zm.09-2.75a1.32 1.32 0 1 1-2.64 0 1.32 1.32 0 0 1 2.64 0Z",
};

const plain = Object.keys(paths);

/** A publisher may well name an icon "constructor". @param {string} name */
const own = (name) => Object.hasOwn(paths, name) ? paths[name] : undefined;

/** @type {typeof import("./later/role-icons.js") | undefined} The signs of the styles that have others. */
let others;

/** Be ready to draw the signs of a style. @param {string} style */
export async function prepareIcons(style) {
  if (!others && /^(capsule|notification|toaster|toastui|snackbar|material|retro)$/.test(style)) {
    others = await import("./later/role-icons.js").catch(() => undefined);
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
  return own(name) ?? (await import("./later/role-icons.js")).outline(name, paths);
}

/**
 * An icon. Plain glyphs are drawn at once, others as soon as their outline is there.
 *
 * @param {string} name
 * @param {string} fallback - drawn when there is no icon of the name
 */
export function makeIcon(name, fallback) {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = svg.appendChild(document.createElementNS(svgNamespace, "path"));
  const draw = (/** @type {string | undefined} */ d) => path.setAttribute("d", d ?? paths["info-lg"]);
  if (own(name)) {
    draw(paths[name]);
  } else {
    // A file that does not load costs the icon, not the toast.
    outline(name).then((d) => d ?? outline(fallback)).then(draw, () => draw(undefined));
  }
  return svg;
}
