/**
 * A channel's settings as custom properties, which the stylesheets take up.
 *
 * Only numbers and hexadecimal colours get there: what a publisher sent never becomes CSS that loads or draws
 * something else.
 *
 * @import { Settings } from "./wire.d.ts"
 */

/** How base.css moves toasts without being told: SwiftUI's spring, which most channels have. */
const spring = { duration: 0.35, curve: "spring", response: 0.35, damping: 0.8 };
const usual = { enter: spring, move: { duration: 0.3, curve: "easeInOut" }, exit: spring };

/** @type {typeof import("./lazy/theme-properties.js") | undefined} What makes properties of themes and appearances. */
export let look;

/** @type {typeof import("./lazy/motion.js") | undefined} What makes timings of other motions. */
export let motion;

/** Be ready for a channel's motion; without it toasts move as usual. @param {Settings} settings */
export async function prepareMotion({ animations }) {
  if (!motion && animations && JSON.stringify(animations) !== JSON.stringify(usual)) {
    motion = await import("./lazy/motion.js").catch(() => undefined);
  }
}

/**
 * Be ready for a theme or an appearance, if there is one; without it a toast looks as its style does.
 *
 * @param {(object | number | undefined)[]} values
 */
export async function prepareLook(...values) {
  if (!look && values.some((it) => it && Object.keys(it).length)) {
    look = await import("./lazy/theme-properties.js").catch(() => undefined);
  }
}

/** Points as a length that grows with the letters. @param {unknown} value @param {"rem" | "em"} [unit] */
export function points(value, unit = "rem") {
  return typeof value === "number" && Number.isFinite(value) ? `${value / 16}${unit}` : "";
}

/**
 * What a channel sets for all its toasts.
 *
 * @param {Settings} settings
 * @returns {Record<string, string>} custom properties; an empty one is to be left alone
 */
export function settingsProperties({ layout = {}, theme }) {
  return {
    "--set-gap": points(layout.spacing),
    "--set-offset": points(layout.inset),
    "--set-width": layout.maximumWidth === "unlimited" ? "100%" : points(layout.maximumWidth),
    ...look?.themeProperties(theme),
  };
}

/** An empty one is removed. @param {HTMLElement} element @param {Record<string, string>} properties */
export function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) { element.style.setProperty(name, value); }
}
