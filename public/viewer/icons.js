/**
 * Icon names and their outlines.
 *
 * Path data from Bootstrap Icons 1.10.3 (MIT, see ../vendor/bootstrap-icons/LICENSE), all on a
 * 16 by 16 grid. The glyphs that the styles need for the four roles stand here; the rest is
 * loaded when a toast first asks for it.
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
  "info-circle":
    "M8 15A7 7 0 1 1 8 1a7 7 0 0 1 0 14zm0 1A8 8 0 1 0 8 0a8 8 0 0 0 0 16zM8.93 6.588l-2.29.287-.082.38.45.083c.294.07.352.176.288.469l-.738 3.468c-.194.897.105 1.319.808 1.319.545 0 1.178-.252 1.465-.598l.088-.416c-.2.176-.492.246-.686.246-.275 0-.375-.193-.304-.533L8.93 6.588zM9 4.5a1 1 0 1 1-2 0 1 1 0 0 1 2 0z",
  "exclamation-triangle":
    "M7.938 2.016A.13.13 0 0 1 8.002 2a.13.13 0 0 1 .063.016.146.146 0 0 1 .054.057l6.857 11.667c.036.06.035.124.002.183a.163.163 0 0 1-.054.06.116.116 0 0 1-.066.017H1.146a.115.115 0 0 1-.066-.017.163.163 0 0 1-.054-.06.176.176 0 0 1 .002-.183L7.884 2.073a.147.147 0 0 1 .054-.057zm1.044-.45a1.13 1.13 0 0 0-1.96 0L.165 13.233c-.457.778.091 1.767.98 1.767h13.713c.889 0 1.438-.99.98-1.767L8.982 1.566zM7.002 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0zM7.1 5.995a.905.905 0 1 1 1.8 0l-.35 3.507a.552.552 0 0 1-1.1 0L7.1 5.995z",
  "check-circle-fill":
    "M16 8A8 8 0 1 1 0 8a8 8 0 0 1 16 0zm-3.97-3.03a.75.75 0 0 0-1.08.022L7.477 9.417 5.384 7.323a.75.75 0 0 0-1.06 1.06L6.97 11.03a.75.75 0 0 0 1.079-.02l3.992-4.99a.75.75 0 0 0-.01-1.05z",
  "x-circle-fill":
    "M16 8A8 8 0 1 1 0 8a8 8 0 0 1 16 0zM5.354 4.646a.5.5 0 1 0-.708.708L7.293 8l-2.647 2.646a.5.5 0 0 0 .708.708L8 8.707l2.646 2.647a.5.5 0 0 0 .708-.708L8.707 8l2.647-2.646a.5.5 0 0 0-.708-.708L8 7.293 5.354 4.646z",
  "exclamation-triangle-fill":
    "M8.982 1.566a1.13 1.13 0 0 0-1.96 0L.165 13.233c-.457.778.091 1.767.98 1.767h13.713c.889 0 1.438-.99.98-1.767L8.982 1.566zM8 5c.535 0 .954.462.9.995l-.35 3.507a.552.552 0 0 1-1.1 0L7.1 5.995A.905.905 0 0 1 8 5zm.002 6a1 1 0 1 1 0 2 1 1 0 0 1 0-2z",
  "info-circle-fill":
    "M8 16A8 8 0 1 0 8 0a8 8 0 0 0 0 16zm.93-9.412-1 4.705c-.07.34.029.533.304.533.194 0 .487-.07.686-.246l-.088.416c-.287.346-.92.598-1.465.598-.703 0-1.002-.422-.808-1.319l.738-3.468c.064-.293.006-.399-.287-.47l-.451-.081.082-.381 2.29-.287zM8 5.5a1 1 0 1 1 0-2 1 1 0 0 1 0 2z",
  "check-square-fill":
    "M2 0a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V2a2 2 0 0 0-2-2H2zm10.03 4.97a.75.75 0 0 1 .011 1.05l-3.992 4.99a.75.75 0 0 1-1.08.02L4.324 8.384a.75.75 0 1 1 1.06-1.06l2.094 2.093 3.473-4.425a.75.75 0 0 1 1.08-.022z",
  "x-square-fill":
    "M2 0a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V2a2 2 0 0 0-2-2H2zm3.354 4.646L8 7.293l2.646-2.647a.5.5 0 0 1 .708.708L8.707 8l2.647 2.646a.5.5 0 0 1-.708.708L8 8.707l-2.646 2.647a.5.5 0 0 1-.708-.708L7.293 8 4.646 5.354a.5.5 0 1 1 .708-.708z",
  "exclamation-square-fill":
    "M2 0a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V2a2 2 0 0 0-2-2H2zm6 4c.535 0 .954.462.9.995l-.35 3.507a.552.552 0 0 1-1.1 0L7.1 4.995A.905.905 0 0 1 8 4zm.002 6a1 1 0 1 1 0 2 1 1 0 0 1 0-2z",
  "info-square-fill":
    "M0 2a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2zm8.93 4.588-2.29.287-.082.38.45.083c.294.07.352.176.288.469l-.738 3.468c-.194.897.105 1.319.808 1.319.545 0 1.178-.252 1.465-.598l.088-.416c-.2.176-.492.246-.686.246-.275 0-.375-.193-.304-.533L8.93 6.588zM8 5.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2z",
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
  const { morePaths, symbols } = await import("./more-icons.js");
  const ours = entry(symbols, name) ?? name;
  return entry(morePaths, ours) ?? entry(paths, ours);
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
 * An icon. Role glyphs are drawn at once, others as soon as their outline is there.
 *
 * @param {string} name
 * @param {string} fallback - one of the role glyphs, drawn when there is no icon of that name
 */
export function makeIcon(name, fallback) {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = svg.appendChild(document.createElementNS(svgNamespace, "path"));
  const draw = (/** @type {string | undefined} */ d) => path.setAttribute("d", d ?? paths[fallback]);
  if (entry(paths, name)) {
    draw(paths[name]);
  } else {
    // A file that does not load costs the icon, not the toast.
    outline(name).then(draw, () => draw(undefined));
  }
  return svg;
}
