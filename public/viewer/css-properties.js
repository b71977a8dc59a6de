/**
 * A channel's settings as custom properties for the stylesheets.
 *
 * Only numbers and hexadecimal colours get there: a publisher's values never become CSS that loads or draws something
 * else.
 *
 * @import { Settings } from "./wire.d.ts"
 */

/** The motion in base.css: SwiftUI's spring, which most channels have. */
const spring = { duration: 0.35, curve: "spring", response: 0.35, damping: 0.8 };
const usual = { enter: spring, move: { duration: 0.3, curve: "easeInOut" }, exit: spring };

/** @type {typeof import("./lazy/theme-properties.js") | undefined} Makes properties from themes and appearances. */
export let look;

/** @type {typeof import("./lazy/motion.js") | undefined} Makes timings from other motions. */
export let motion;

/** Load what a channel's motion needs; if it fails, toasts move as usual. @param {Settings} settings */
export async function prepareMotion({ animations }) {
  if (!motion && animations && JSON.stringify(animations) !== JSON.stringify(usual)) {
    motion = await import("./lazy/motion.js").catch(() => undefined);
  }
}

/**
 * Load what a theme or an appearance needs, if there is one; if it fails, a toast looks as its style does.
 *
 * @param {(object | number | undefined)[]} values
 */
export async function prepareLook(...values) {
  if (!look && values.some((it) => it && Object.keys(it).length)) {
    look = await import("./lazy/theme-properties.js").catch(() => undefined);
  }
}

/** Points as a length that grows with the font, or "". @param {unknown} value @param {"rem" | "em"} [unit] */
export function points(value, unit = "rem") {
  return typeof value === "number" && Number.isFinite(value) ? `${value / 16}${unit}` : "";
}

/**
 * What a channel sets for all its toasts.
 *
 * @param {Settings} settings
 * @returns {Record<string, string>} custom properties; empty for the style's own value
 */
export function settingsProperties({ layout = {}, theme }) {
  return {
    "--set-gap": points(layout.spacing),
    "--set-offset": points(layout.inset),
    "--set-width": layout.maximumWidth === "unlimited" ? "100%" : points(layout.maximumWidth),
    ...look?.themeProperties(theme),
  };
}

/** Set properties; empty ones are removed. @param {HTMLElement} element @param {Record<string, string>} properties */
export function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) { element.style.setProperty(name, value); }
}
