import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsProperties } from "../../public/viewer/css-properties.js";
import { appearanceProperties, color, dimmed, merged, themeProperties } from "../../public/viewer/lazy/theme-properties.js";

for (const [value, css] of /** @type {const} */ ([
  ["#F75045", "#F75045"], ["F75045", "#F75045"], ["#f7504580", "#f7504580"],
  ["#F75", ""], ["#12ZZZZ", ""], ["0x1234", ""], ["red", ""], ["", ""], [" #F75045", ""], ["#F75045;", ""], ["url(/x)", ""],
  [7, ""], [null, ""], [undefined, ""], [["#F75045"], ""],
])) {
  test(`${JSON.stringify(value)} is ${css || "no colour"}`, () => { assert.equal(color(value), css); });
}

test("a colour may have another value in dark mode", () => {
  assert.equal(color("#FFFFFF", "#000000"), "light-dark(#FFFFFF, #000000)");
  assert.equal(color("#FFFFFF"), "#FFFFFF");
  assert.equal(color("#FFFFFF", "black"), "#FFFFFF");
  assert.equal(color("white", "#000000"), "");
});

test("a channel's layout grows with the font size", () => {
  const properties = settingsProperties({ layout: { spacing: 16, inset: 8, maximumWidth: 428 } });
  assert.equal(properties["--set-gap"], "1rem");
  assert.equal(properties["--set-offset"], "0.5rem");
  assert.equal(properties["--set-width"], "26.75rem");
  assert.equal(settingsProperties({ layout: { maximumWidth: "unlimited" } })["--set-width"], "100%");
  assert.equal(settingsProperties({ layout: { maximumWidth: "style" } })["--set-width"], "");
});

test("settings that a channel leaves out make empty properties", () => {
  assert.deepEqual(new Set(Object.values(settingsProperties({}))), new Set([""]));
});

test("each of the ten keys of a theme has its property", () => {
  const keys = [
    "background", "backgroundDark", "textColor", "textColorDark", "subtextColor", "subtextColorDark",
    "errorColor", "warningColor", "infoColor", "successColor",
  ];
  const theme = Object.fromEntries(keys.map((key, index) => [key, `#00000${index}`]));
  const colours = Object.entries(themeProperties(theme)).filter(([, value]) => value);
  assert.equal(colours.length, 10);
  assert.ok(colours.some(([name, value]) => name === "--toast-theme-subtext-color-dark" && value === "#000005"));
});

test("an invalid colour in a theme does not affect the others", () => {
  const properties = themeProperties({ background: "nonsense", textColor: "#112233" });
  assert.equal(properties["--toast-theme-background"], "");
  assert.equal(properties["--toast-theme-text-color"], "#112233");
});

test("an elevation has Y-Snackbar's defaults for what it does not name", () => {
  assert.equal(
    appearanceProperties({ elevation: { blur: 10 } })["--toast-elevation"],
    "0px 2.33px 10px -0.33px color-mix(in srgb, #000 46%, transparent)",
  );
  assert.equal(appearanceProperties({})["--toast-elevation"], "");
});

test("dimming is black, and more opaque in dark mode, unless the appearance says otherwise", () => {
  const mix = (/** @type {string} */ ink, /** @type {number} */ share) => `color-mix(in srgb, ${ink} ${share}%, transparent)`;
  assert.equal(dimmed({}), `light-dark(${mix("#000", 20)}, ${mix("#000", 48)})`);
  const own = { color: "#102030", colorDark: "#800000", opacity: 0.5 };
  assert.equal(dimmed({ dimming: own }), `light-dark(${mix("#102030", 50)}, ${mix("#800000", 50)})`);
  assert.equal(dimmed({ dimming: { color: "#102030" } }), `light-dark(${mix("#102030", 20)}, ${mix("#102030", 48)})`);
  const strange = /** @type {any} */ ({ color: "red;}", opacity: "1); color: red" });
  assert.equal(dimmed({ dimming: strange }), dimmed({}));
});

test("insets by edge make no --set-offset", () => {
  assert.equal(settingsProperties({ layout: { inset: { top: 8 } } })["--set-offset"], "");
});

test("a font is a size and a weight, and nothing else", () => {
  const properties = appearanceProperties({ title: { font: { size: 20, weight: 600 } } });
  assert.equal(properties["--toast-title-size"], "1.25em");
  assert.equal(properties["--toast-title-weight"], "600");
  const strange = /** @type {any} */ ({ size: "1px", weight: "bold; color: red", family: "url(/x)" });
  assert.deepEqual(
    Object.entries(appearanceProperties({ message: { font: strange } })).filter(([, value]) => value), [],
  );
});

test("an appearance is merged into another member by member", () => {
  const below = { borderWidth: 1, layout: { inset: 8, cornerRadius: 4 } };
  assert.deepEqual(merged(below, { layout: { inset: 16 } }), { borderWidth: 1, layout: { inset: 16, cornerRadius: 4 } });
  assert.deepEqual(below, { borderWidth: 1, layout: { inset: 8, cornerRadius: 4 } });
  assert.deepEqual(merged(undefined, undefined), {});
});

test("a member named __proto__ in an appearance changes no prototype", () => {
  merged({}, JSON.parse('{"__proto__": {"polluted": true}}'));
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
});
