/** Builders with defaults, so that a test names only what it is about. */

/** @param {object} [members] */
export function toast(members = {}) {
  return {
    id: "a", channel: "ops", revision: 1, state: "presented", role: "info", message: "Deployed",
    style: "glass", placement: "top", duration: 6, createdAt: "2026-01-01T00:00:00.000Z", ...members,
  };
}

/**
 * @param {string} type
 * @param {object} [members]
 * @param {number} [second]
 */
export function event(type, members = {}, second = 0) {
  return { type, channel: "ops", cursor: `e-${second}`, at: at(second), ...members };
}

/** @param {number} second */
export function at(second) {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
