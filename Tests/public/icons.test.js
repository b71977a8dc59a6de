import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { outline, roleIcon } from "../../public/viewer/icons.js";
import { morePaths, symbols } from "../../public/viewer/lazy/more-icons.js";
import { rolePaths } from "../../public/viewer/lazy/role-icons.js";

/** Every SF Symbol that the five toast systems name. */
const seeds = [
  "checkmark", "checkmark.circle.fill", "checkmark.square.fill", "xmark", "xmark.circle.fill", "xmark.square.fill",
  "exclamationmark", "exclamationmark.triangle", "exclamationmark.triangle.fill", "exclamationmark.square.fill",
  "info", "info.circle", "info.circle.fill", "info.square.fill", "star.fill", "wifi.slash", "wifi",
  "arrow.down.doc.fill", "arrow.triangle.2.circlepath", "plus.circle.fill", "minus.circle.fill", "bell.fill",
  "microphone.fill", "circle.square",
];

for (const symbol of seeds) {
  test(`${symbol} has an outline`, async () => {
    assert.match(await outline(symbol) ?? "", /^[Mm][\d\s.,AaCcHhLlMmSsVvZz-]+$/);
  });
}

test("in every style the four roles have different icons, or none", () => {
  for (const style of ["glass", "vibrant", "pale", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material", "of-my-own"]) {
    const icons = /** @type {const} */ (["success", "error", "warning", "info"]).map((role) => roleIcon(style, role));
    assert.equal(new Set(icons).size, 4, style);
  }
});

test("every icon of a role has an outline", async () => {
  for (const style of ["glass", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material"]) {
    for (const role of /** @type {const} */ (["success", "error", "warning", "info"])) {
      const name = roleIcon(style, role);
      assert.ok(name === undefined || await outline(name), `${style} ${role}`);
    }
  }
});

for (const name of ["", "nonsense", "constructor", "__proto__", "toString", "../../etc/passwd"]) {
  test(`${JSON.stringify(name)} is no icon`, async () => {
    assert.equal(await outline(name), undefined);
  });
}

/** @param {string} path */
const numbers = (path) => (path.match(/-?(?:\d*\.\d+|\d+)/g) ?? []).map(Number);

test("outlines are those of the package bootstrap-icons", () => {
  for (const [name, path] of Object.entries({ ...morePaths, ...rolePaths })) {
    const file = readFileSync(`/usr/share/bootstrap-icons/svg/${name}.svg`, "utf8");
    const first = /<path [^>]*?\bd="([^"]*)"/.exec(file)?.[1] ?? "none";
    const [ours, theirs] = [numbers(path), numbers(first)];
    assert.ok(theirs.length && theirs.every((number, index) => Math.abs(number - ours[index]) < 0.011), name);
  }
  assert.ok(Object.values(symbols).length > 20);
});
