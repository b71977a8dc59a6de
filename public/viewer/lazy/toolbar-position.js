/**
 * Where the toolbar stands: beside the toasts, at the end of their column that does not move when another one comes.
 * Without room beside them it stands beyond the newest one; without room there, on a strip of the screen that is kept
 * for it. It never covers a toast.
 *
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Box
 * @typedef {{ width: number, height: number }} Size
 */

/** Between the toasts, the toolbar and the edges of the screen, in px. */
export const gap = 8;

/** How much of the screen's height is kept for the toolbar where toasts fill all of it, in px. */
export const strip = 60;

/** The width of a column of buttons with a gap on both sides, in px: less is no room beside the toasts. */
const least = 64;

/** The sides of the toasts, the one with more room first. @param {Box} toasts @param {Size} screen @param {boolean} isRTL */
function sides({ left, right }, { width }, isRTL) {
  return [isRTL, !isRTL].map((isLeft) => ({ isLeft, room: isLeft ? left : width - right }))
    .sort((one, other) => other.room - one.room);
}

/**
 * Whether there is no room for the toolbar beside toasts.
 *
 * @param {Pick<Box, "left" | "right">} toasts
 * @param {Pick<Size, "width">} screen
 */
export function isNarrow({ left, right }, { width }) {
  return Math.max(left, width - right) < least;
}

/**
 * @param {Size[]} buttons - the buttons of the toolbar
 * @param {{ padding: number, space: number }} measure - around the buttons, and between two of them
 * @param {boolean} isColumn
 * @returns {Size}
 */
export function sizeOf(buttons, { padding, space }, isColumn) {
  const along = (/** @type {"width" | "height"} */ name) => (
    buttons.reduce((sum, it) => sum + it[name], 0) + space * Math.max(0, buttons.length - 1) + 2 * padding
  );
  const across = (/** @type {"width" | "height"} */ name) => Math.max(0, ...buttons.map((it) => it[name])) + 2 * padding;
  return isColumn ? { width: across("width"), height: along("height") } : { width: along("width"), height: across("height") };
}

/**
 * @param {{ row: Size, column: Size }} sizes - of the toolbar
 * @param {Box | undefined} toasts - around all toasts of the list; undefined when there are none
 * @param {Size} screen
 * @param {string} placement - of the list
 * @param {boolean} isRTL
 * @returns {{ left: number, top: number, isColumn: boolean }}
 */
export function positionOf({ row, column }, toasts, screen, placement, isRTL) {
  const clamp = (/** @type {number} */ value, /** @type {number} */ length, /** @type {number} */ whole) => (
    Math.max(gap, Math.min(value, whole - length - gap))
  );
  if (!toasts) {
    const top = placement === "top" ? gap : screen.height - row.height - 2 * gap;
    return { left: (screen.width - row.width) / 2, top, isColumn: false };
  }
  const [{ room, isLeft }] = sides(toasts, screen, isRTL);
  const isColumn = room < row.width + 2 * gap;
  const { width, height } = isColumn ? column : row;
  if (room >= width + 2 * gap) {
    const top = placement === "top" ? toasts.top : placement === "bottom" ? toasts.bottom - height : (screen.height - height) / 2;
    return {
      left: isLeft ? toasts.left - width - gap : toasts.right + gap,
      top: clamp(top, height, screen.height), isColumn,
    };
  }
  const middle = (toasts.left + toasts.right - row.width) / 2;
  const beyond = placement === "bottom" ? toasts.top - row.height - gap : toasts.bottom + gap;
  return { left: clamp(middle, row.width, screen.width), top: clamp(beyond, row.height, screen.height), isColumn: false };
}
