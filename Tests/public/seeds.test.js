import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { isSwipe, swipe } from "../../public/viewer/lazy/gestures.js";
import { roleIcon } from "../../public/viewer/icons.js";

/**
 * Bugs in the sources of the five toast systems, in their looks and gestures, by the numbers of docs/presets.md; those
 * that need a browser (10, 21, 26, 28, 36) are in Tests/Browser.
 */

/** @param {string} path @param {RegExp} kind @returns {{ path: string, text: string }[]} */
function files(path, kind) {
  const root = new URL(`../../${path}/`, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => kind.test(name) && !name.startsWith("vendor/"))
    .map((name) => ({ path: `${path}/${name}`, text: readFileSync(new URL(name, root), "utf8") }));
}

for (const style of ["glass", "vibrant", "pale", "capsule", "notification", "retro"]) {
  test(`bug 9: in ${style} an error has another icon than an info`, () => {
    assert.ok(roleIcon(style, "error"));
    assert.notEqual(roleIcon(style, "error"), roleIcon(style, "info"));
  });
}

test("bug 28: with reduced motion no sheet plays an endless animation", () => {
  const sheets = files("public/styles", /\.css$/);
  const endless = sheets.filter(({ text }) => /animation:[^;]*\binfinite\b/.test(text));
  assert.ok(endless.length > 0);
  const still = /prefers-reduced-motion: reduce[\s\S]*?\[part="progress"\], \[part="progress"\] \* \{ animation: none;/;
  assert.ok(sheets.some(({ text }) => still.test(text)));
});

test("bug 44: nothing is printed for debugging", () => {
  const swift = files("Sources", /\.swift$/).filter(({ path }) => !/^Sources\/toastd\/(Key|StoreCommands|Token)\.swift$/.test(path));
  const said = [
    ...swift.filter(({ text }) => /(?<![\w.]|func )(print|debugPrint|dump|NSLog)\(/.test(text)),
    ...files("public", /\.js$/).filter(({ text }) => /\bconsole\.(log|debug|info|dir|trace)\b|\bdebugger\b/.test(text)),
  ];
  assert.deepEqual(said.map(({ path }) => path), []);
});

test("bug 45: a tap with a small movement is no drag, and a drag is no tap", () => {
  const banner = /** @type {const} */ ({ directions: ["up"], threshold: 80, predictedThreshold: 200 });
  const rule = { ...banner, directions: [...banner.directions] };
  for (const [dx, dy] of [[0, 0], [0, -1], [0, -8], [3, -5], [0, 8]]) {
    assert.equal(isSwipe(rule, dx, dy, "touch"), false, `${dx}, ${dy}`);
    assert.equal(swipe(rule, dx, dy).isAccepted, false, `${dx}, ${dy}`);
  }
  assert.equal(isSwipe(rule, 0, -20, "touch"), true);
});
