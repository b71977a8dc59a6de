/**
 * Icon names and their outlines.
 *
 * Path data from Bootstrap Icons 1.10.3 (MIT, see ../vendor/bootstrap-icons/LICENSE), all on a
 * 16 by 16 grid. The glyphs that most styles need for the four roles stand here; the other role
 * glyphs and the rest are each loaded when a toast first asks for one.
 *
 * @import { Role } from "./wire.d.ts"
 */

const svgNamespace = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const paths = {
  "check-lg":
    "M12.736 3.97a.733.733 0 0 1 1.047 0c.286.289.29.756.01 1.05L7.88 12.01a.733.733 0 0 1-1.065.02L3.217 8.384a.757.757 0 0 1 0-1.06.733.733 0 0 1 1.047 0l3.052 3.093 5.4-6.425a.247.247 0 0 1 .02-.022Z",
  "x-lg":
    "M2.146 2.854a.5.5 0 1 1 .708-.708L8 7.293l5.146-5.147a.5.5 0 0 1 .708.708L8.707 8l5.147 5.146a.5.5 0 0 1-.708.708L8 8.707l-5.146 5.147a.5.5 0 0 1-.708-.708L7.293 8 2.146 2.854Z",
  "exclamation-lg":
    "M7.005 3.1a1 1 0 1 1 1.99 0l-.388 6.35a.61.61 0 0 1-1.214 0L7.005 3.1ZM7 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0Z",
  "info-lg":
    "m9.708 6.075-3.024.379-.108.502.595.108c.387.093.464.232.38.619l-.975 4.577c-.255 1.183.14 1.74 1.067 1.74.72 0 1.554-.332 1.933-.789l.116-.549c-.263.232-.65.325-.905.325-.363 0-.494-.255-.402-.704l1.323-6.208Zm.091-2.755a1.32 1.32 0 1 1-2.64 0 1.32 1.32 0 0 1 2.64 0Z",
};

const filled = ["check-circle-fill", "x-circle-fill", "exclamation-triangle-fill", "info-circle-fill"];
/** Snacks and banners have no role in their systems: an info has no sign, unless it names one. */
const seldom = [...filled.slice(0, 3), undefined];

/**
 * In the order success, error, warning, info. Three styles of the seed show "info" for an error; we do not.
 *
 * @type {Record<string, (string | undefined)[]>}
 */
const roleIcons = {
  plain: ["check-lg", "x-lg", "exclamation-lg", "info-lg"],
  capsule: ["check-lg", "exclamation-triangle", "exclamation-lg", "info-circle"],
  notification: filled,
  toaster: filled,
  toastui: filled,
  snackbar: seldom,
  material: seldom,
  retro: ["check-square-fill", "x-square-fill", "exclamation-square-fill", "info-square-fill"],
};

/** @type {Role[]} */
const roles = ["success", "error", "warning", "info"];

/**
 * The icon that a style shows for a role when the toast names none; nothing, when it shows none either.
 *
 * @param {string} style
 * @param {Role} role
 */
export function roleIcon(style, role) {
  const icons = Object.hasOwn(roleIcons, style) ? roleIcons[style] : roleIcons.plain;
  return icons[roles.indexOf(role)];
}

/**
 * The outline of an icon, by our name or by an SF Symbol's; nothing when there is none.
 *
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
export async function outline(name) {
  const path = entry(paths, name);
  if (path) { return path; }
  const { rolePaths } = await import("./role-icons.js");
  const rolePath = entry(rolePaths, name);
  if (rolePath) { return rolePath; }
  const { morePaths, symbols } = await import("./more-icons.js");
  const ours = entry(symbols, name) ?? name;
  return entry(morePaths, ours) ?? entry(paths, ours) ?? entry(rolePaths, ours);
}

/**
 * A table's own entry: a publisher may well name an icon "constructor".
 *
 * @param {Record<string, string>} table
 * @param {string} name
 */
function entry(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
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
  if (entry(paths, name)) {
    draw(paths[name]);
  } else {
    // A file that does not load costs the icon, not the toast.
    outline(name).then((d) => d ?? outline(fallback)).then(draw, () => draw(undefined));
  }
  return svg;
}
