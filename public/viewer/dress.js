/**
 * A channel's settings as custom properties, which the stylesheets take up.
 *
 * Only numbers and hexadecimal colours get there: what a publisher sent never becomes CSS that loads or draws
 * something else.
 *
 * @import { Timing } from "./motion.js"
 * @import { Settings } from "./wire.d.ts"
 */

/** @type {typeof import("./later/look.js") | undefined} What makes properties of themes and appearances. */
export let look;

/**
 * Be ready for a theme or an appearance, if there is one; without it a toast looks as its style does.
 *
 * @param {(object | undefined)[]} values
 */
export async function prepareLook(...values) {
  if (!look && values.some((it) => it && Object.keys(it).length)) {
    look = await import("./later/look.js").catch(() => undefined);
  }
}

/** Points as a length that grows with the letters. @param {unknown} value @param {"rem" | "em"} [unit] */
export function points(value, unit = "rem") {
  return typeof value === "number" && Number.isFinite(value) ? `${value / 16}${unit}` : "";
}

/** @param {Partial<Record<"enter" | "move" | "exit", Timing>>} motion @returns {Record<string, string>} */
function motionProperties(motion) {
  return Object.fromEntries(Object.entries(motion).flatMap(([name, { duration, delay, easing }]) => [
    [`--set-${name}-time`, `${duration}ms`], [`--set-${name}-delay`, `${delay}ms`], [`--set-${name}-ease`, easing],
  ]));
}

/**
 * What a channel sets for all its toasts.
 *
 * @param {Settings} settings
 * @param {Partial<Record<"enter" | "move" | "exit", Timing>>} [motion]
 * @returns {Record<string, string>} custom properties; an empty one is to be left alone
 */
export function settingsProperties({ layout = {}, theme }, motion = {}) {
  return {
    ...motionProperties(motion),
    "--set-gap": points(layout.spacing),
    "--set-offset": points(layout.inset),
    "--set-width": layout.maximumWidth === "unlimited" ? "100%" : points(layout.maximumWidth),
    ...look?.themeProperties(theme),
  };
}

/** @param {HTMLElement} element @param {Record<string, string>} properties */
export function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value) { element.style.setProperty(name, value); } else { element.style.removeProperty(name); }
  }
}
