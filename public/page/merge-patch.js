/**
 * JSON Merge Patches (RFC 7396).
 */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The patch that makes a value of another one: the new value, with `null` for each member that it no longer has.
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
