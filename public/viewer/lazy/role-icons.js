/**
 * Outlines of the role glyphs that stand in a circle, a triangle or a square, and the styles that want these.
 *
 * Path data from Bootstrap Icons 1.10.3 (MIT, see ../../vendor/bootstrap-icons/LICENSE), to two decimals.
 */

/** @type {Record<string, string>} */
export const rolePaths = {
  "info-circle":
    "M8 15A7 7 0 1 1 8 1a7 7 0 0 1 0 14Zm0 1A8 8 0 1 0 8 0a8 8 0 0 0 0 16ZM8.93 6.59l-2.29.29-.08.38.45.08c.29.07.35.17.29.47l-.74 3.47c-.2.89.1 1.31.81 1.31.54 0 1.17-.25 1.46-.59l.09-.42c-.2.18-.49.25-.69.25-.27 0-.37-.2-.3-.54L8.93 6.59ZM9 4.5a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z",
  "exclamation-triangle":
    "M7.94 2.02A.13.13 0 0 1 8 2a.13.13 0 0 1 .07.02.15.15 0 0 1 .05.05l6.86 11.67c.03.06.03.12 0 .18a.16.16 0 0 1-.06.06.12.12 0 0 1-.06.02H1.15a.12.12 0 0 1-.07-.02.16.16 0 0 1-.05-.06.18.18 0 0 1 0-.18L7.88 2.07a.15.15 0 0 1 .06-.05Zm1.04-.45a1.13 1.13 0 0 0-1.96 0L.17 13.23c-.46.78.09 1.77.98 1.77h13.71c.89 0 1.44-.99.98-1.77L8.98 1.57ZM7 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0ZM7.1 6a.91.91 0 1 1 1.8 0l-.35 3.5a.55.55 0 0 1-1.1 0L7.1 6Z",
  "check-circle-fill":
    "M16 8A8 8 0 1 1 0 8a8 8 0 0 1 16 0Zm-3.97-3.03a.75.75 0 0 0-1.08.02L7.48 9.42 5.38 7.32a.75.75 0 0 0-1.06 1.06L6.97 11.03a.75.75 0 0 0 1.08-.02l3.99-4.99a.75.75 0 0 0-.01-1.05Z",
  "x-circle-fill":
    "M16 8A8 8 0 1 1 0 8a8 8 0 0 1 16 0ZM5.35 4.65a.5.5 0 1 0-.7.7L7.29 8l-2.64 2.65a.5.5 0 0 0 .7.7L8 8.71l2.65 2.64a.5.5 0 0 0 .7-.7L8.71 8l2.64-2.65a.5.5 0 0 0-.7-.7L8 7.29 5.35 4.65Z",
  "exclamation-triangle-fill":
    "M8.98 1.57a1.13 1.13 0 0 0-1.96 0L.17 13.23c-.46.78.09 1.77.98 1.77h13.71c.89 0 1.44-.99.98-1.77L8.98 1.57ZM8 5c.54 0 .95.46.9 1l-.35 3.5a.55.55 0 0 1-1.1 0L7.1 6A.91.91 0 0 1 8 5Zm0 6a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z",
  "info-circle-fill":
    "M8 16A8 8 0 1 0 8 0a8 8 0 0 0 0 16Zm.93-9.41-1 4.7c-.07.34.03.54.3.54.2 0 .49-.07.69-.25l-.09.42c-.28.34-.92.59-1.46.59-.71 0-1-.42-.81-1.32l.74-3.46c.06-.3 0-.4-.29-.47l-.45-.08.08-.39 2.29-.28ZM8 5.5a1 1 0 1 1 0-2 1 1 0 0 1 0 2Z",
  "check-square-fill":
    "M2 0a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V2a2 2 0 0 0-2-2H2Zm10.03 4.97a.75.75 0 0 1 .01 1.05l-3.99 4.99a.75.75 0 0 1-1.08.02L4.32 8.38a.75.75 0 1 1 1.06-1.06l2.1 2.1 3.47-4.43a.75.75 0 0 1 1.08-.02Z",
  "x-square-fill":
    "M2 0a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V2a2 2 0 0 0-2-2H2Zm3.35 4.65L8 7.29l2.65-2.64a.5.5 0 0 1 .7.7L8.71 8l2.64 2.65a.5.5 0 0 1-.7.7L8 8.71l-2.65 2.64a.5.5 0 0 1-.7-.7L7.29 8 4.65 5.35a.5.5 0 1 1 .7-.7Z",
  "exclamation-square-fill":
    "M2 0a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V2a2 2 0 0 0-2-2H2Zm6 4c.54 0 .95.46.9 1l-.35 3.5a.55.55 0 0 1-1.1 0L7.1 5A.91.91 0 0 1 8 4Zm0 6a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z",
  "info-square-fill":
    "M0 2a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2Zm8.93 4.59-2.29.29-.08.38.45.08c.29.07.35.17.29.47l-.74 3.47c-.2.89.1 1.31.81 1.31.54 0 1.17-.25 1.46-.59l.09-.42c-.2.18-.49.25-.69.25-.27 0-.37-.2-.3-.54L8.93 6.59ZM8 5.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z",
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
