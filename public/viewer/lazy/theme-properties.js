/**
 * A channel's theme and the appearance of toasts as custom properties, loaded when there is one.
 *
 * Only numbers and hexadecimal colours get there: a publisher's values never become CSS that loads or draws something
 * else.
 *
 * @import { Appearance, Label, Settings, ThemeKey, Toast } from "../wire.d.ts"
 */

import { points } from "../css-properties.js";

/** @type {ThemeKey[]} */
const themeKeys = [
  "background", "backgroundDark", "textColor", "textColorDark", "subtextColor", "subtextColorDark",
  "errorColor", "warningColor", "infoColor", "successColor",
];

/** @type {(keyof NonNullable<Appearance["layout"]>)[]} */
const lengths = ["inset", "labelSpacing", "iconSpacing", "cornerRadius", "iconSize"];

/** @param {string} name - in camel case */
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * A colour in CSS; empty if the value is not a colour.
 *
 * @param {unknown} value
 * @param {unknown} [dark] - the colour in dark mode, if it is another one
 * @returns {string}
 */
export function color(value, dark) {
  if (dark !== undefined) {
    const [light, other] = [color(value), color(dark)];
    return light && other ? `light-dark(${light}, ${other})` : light;
  }
  return typeof value === "string" && /^#?([\da-f]{6}|[\da-f]{8})$/i.test(value) ? `#${value.replace("#", "")}` : "";
}

/** @param {Settings["theme"]} [theme] @returns {Record<string, string>} custom properties; empty for the style's own */
export function themeProperties(theme = {}) {
  return Object.fromEntries(themeKeys.map((key) => [`--toast-theme-${kebab(key)}`, color(theme[key])]));
}

/**
 * @param {"title" | "message"} name
 * @param {Label} [label]
 */
function labelProperties(name, { color: ink, colorDark, font: { size, weight } = {} } = {}) {
  return {
    [`--toast-${name}-color`]: color(ink, colorDark),
    [`--toast-${name}-size`]: points(size, "em"),
    [`--toast-${name}-weight`]: typeof weight === "number" ? String(weight) : "",
  };
}

/**
 * A toast's appearance as properties, for the styles that use them.
 *
 * @param {Appearance} appearance
 * @returns {Record<string, string>} custom properties; empty for the style's own value
 */
export function appearanceProperties(appearance) {
  const { title, message, backgroundColor, backgroundColorDark, borderColor, borderColorDark, borderWidth, elevation, layout = {} } = appearance;
  const { x = 0, y = 2.33, blur = 6.33, spread = -0.33, opacity = 0.46, color: shade } = elevation ?? {};
  const shadow = `color-mix(in srgb, ${color(shade) || "#000"} ${Number(opacity) * 100}%, transparent)`;
  return {
    ...labelProperties("title", title),
    ...labelProperties("message", message),
    "--toast-background": color(backgroundColor, backgroundColorDark),
    "--toast-border-color": color(borderColor, borderColorDark),
    "--toast-border-width": points(borderWidth),
    "--toast-elevation": elevation ? `${[x, y, blur, spread].map((it) => `${Number(it)}px`).join(" ")} ${shadow}` : "",
    ...Object.fromEntries(lengths.map((name) => [`--toast-${kebab(name)}`, points(layout[name])])),
  };
}

/**
 * The colour over the page behind a toast that dims it: black by default, and more opaque in dark mode.
 *
 * @param {Appearance} appearance
 */
export function dimmed({ dimming = {} }) {
  const { color: light, colorDark: dark, opacity } = dimming;
  const layer = (/** @type {string | undefined} */ value, /** @type {number} */ usual) => (
    `color-mix(in srgb, ${color(value) || "#000"} ${(typeof opacity === "number" ? opacity : usual) * 100}%, transparent)`
  );
  return `light-dark(${layer(light, 0.2)}, ${layer(dark ?? light, 0.48)})`;
}

/** A viewer's sheet for insets that differ from edge to edge. @type {WeakMap<ShadowRoot, CSSStyleSheet>} */
const frames = new WeakMap();

/**
 * Keep toasts as far from each edge of the screen as the channel says, unless the page says something else.
 *
 * @param {ShadowRoot} root
 * @param {Settings} settings
 */
export function frame(root, { layout: { inset } = {} }) {
  let sheet = frames.get(root);
  if (!sheet && typeof inset !== "object") { return; }
  if (!sheet) {
    sheet = new CSSStyleSheet();
    frames.set(root, sheet);
    root.adoptedStyleSheets.push(sheet);
  }
  const { top, bottom, leading, trailing } = typeof inset === "object" ? inset : {};
  const edge = (/** @type {number | undefined} */ distance, /** @type {string} */ side, more = "") => (
    `max(var(--toast-offset, ${points(distance) || "1rem"}), env(safe-area-inset-${side})${more})`
  );
  // In right-to-left text the right edge is the leading one.
  const right = ", env(safe-area-inset-right)";
  sheet.replaceSync(typeof inset === "object" ? `@layer base, look, wish;
  @layer look {
    [part="layer"] { --set-offset: ${points(Math.max(leading ?? 16, trailing ?? 16))}; }
    [part="region"] > ol { padding-inline: ${edge(leading, "left", right)} ${edge(trailing, "left", right)}; }
    ol[data-placement="top"] { --edge: ${edge(top, "top", " + 4px")}; }
    ol[data-placement="bottom"] { --edge: ${edge(bottom, "bottom", " + 4px")}; }
  }` : "");
}

/**
 * An appearance over another, member by member.
 *
 * @template {object} Value
 * @param {Value} [below]
 * @param {Value} [above]
 * @returns {Value}
 */
export function merged(below = /** @type {Value} */ ({}), above = /** @type {Value} */ ({})) {
  const result = /** @type {Record<string, unknown>} */ ({ ...below });
  for (const [name, value] of Object.entries(above)) {
    const old = result[name];
    const isDeep = [old, value].every((it) => typeof it === "object" && it && !Array.isArray(it));
    result[name] = isDeep ? merged(/** @type {object} */ (old), value) : value;
  }
  return /** @type {Value} */ (result);
}

/** A toast's appearance, over that of its channel. @param {Settings} settings @param {Toast} toast */
export function appearanceOf(settings, toast) {
  return merged(settings.appearance, toast.appearance);
}
