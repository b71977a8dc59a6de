/**
 * JSON Merge Patches (RFC 7396).
 */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The patch that turns `before` into `after`: all of `after`, with `null` for each member that it no longer has.
 *
 * @param {unknown} before
 * @param {unknown} after
 * @returns {unknown}
 */
export function difference(before, after) {
  if (!isObject(before) || !isObject(after)) { return after; }
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name)).map((name) => [name, null]);
  const kept = Object.entries(after).map(([name, value]) => [name, difference(before[name], value)]);
  return Object.fromEntries([...removed, ...kept]);
}

/**
 * The result of a patch that is applied to a value.
 *
 * @param {unknown} value
 * @param {unknown} patch
 * @returns {unknown}
 */
export function applied(value, patch) {
  if (!isObject(patch)) { return patch; }
  const result = { ...(isObject(value) && value) };
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) { delete result[name]; } else { result[name] = applied(result[name], member); }
  }
  return result;
}
