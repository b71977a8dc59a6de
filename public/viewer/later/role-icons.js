/**
 * Outlines of the role glyphs that stand in a circle, a triangle or a square, and the styles that want these.
 *
 * Path data from Bootstrap Icons 1.10.3 (MIT, see ../../vendor/bootstrap-icons/LICENSE).
 */

/** @type {Record<string, string>} */
export const rolePaths = {
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
  capsule: ["check-lg", "exclamation-triangle", "exclamation-lg", "info-circle"],
  notification: filled,
  toaster: filled,
  toastui: filled,
  snackbar: seldom,
  material: seldom,
  retro: ["check-square-fill", "x-square-fill", "exclamation-square-fill", "info-square-fill"],
};

/** @param {string} style @returns {(string | undefined)[] | undefined} nothing for a style that has the plain ones */
export function iconsOf(style) {
  return Object.hasOwn(roleIcons, style) ? roleIcons[style] : undefined;
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
 * The outline of an icon that is none of the plain ones.
 *
 * @param {string} name
 * @param {Record<string, string>} plain
 * @returns {Promise<string | undefined>}
 */
export async function outline(name, plain) {
  const path = entry(rolePaths, name);
  if (path) { return path; }
  const { morePaths, symbols } = await import("./more-icons.js");
  const ours = entry(symbols, name) ?? name;
  return entry(morePaths, ours) ?? entry(plain, ours) ?? entry(rolePaths, ours);
}
