import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { motionOf, settlingTime, springAt, timing } from "../../public/viewer/lazy/motion.js";

const notice = { response: 0.35, damping: 0.8 };

/** @param {string} easing */
const stops = (easing) => JSON.parse(easing.replace("linear(", "[").replace(")", "]"));

for (const [name, spring] of Object.entries({
  "NoticeUI's": notice,
  "InApp's": { response: 0.4, damping: 0.75 },
  "a critical": { response: 0.4, damping: 1 },
  "a slow": { response: 0.4, damping: 2 },
  "a bouncing": { response: 0.4, damping: 0.2 },
})) {
  test(`${name} spring begins at 0 and rests at 1`, () => {
    assert.equal(springAt(0, spring), 0);
    const length = settlingTime(spring);
    for (let time = length; time < length + 2; time += 0.01) {
      assert.ok(Math.abs(1 - springAt(time, spring)) < 0.0015, `${time}`);
    }
  });

  test(`${name} spring satisfies its differential equation`, () => {
    const omega = 2 * Math.PI / spring.response;
    const step = 1e-4;
    for (let time = 0.02; time < 0.5; time += 0.05) {
      const [before, now, after] = [-step, 0, step].map((it) => springAt(time + it, spring));
      const speed = (after - before) / (2 * step);
      const pull = (after - 2 * now + before) / step ** 2;
      assert.ok(Math.abs(pull + 2 * spring.damping * omega * speed - omega ** 2 * (1 - now)) < 0.5, `${time}`);
    }
  });

  test(`${name} spring starts with its velocity`, () => {
    const velocity = 3;
    assert.ok(Math.abs(springAt(1e-6, { ...spring, velocity }) / 1e-6 - velocity) < 0.01);
  });
}

test("NoticeUI's spring overshoots by 1.5 % after 0.29 s, and rests after half a second", () => {
  assert.ok(Math.abs(springAt(0.29, notice) - 1.0152) < 0.001);
  assert.ok(Math.abs(settlingTime(notice) - 0.48) < 0.04);
});

test("springs of the same damping differ in their tempo only", () => {
  assert.ok(Math.abs(springAt(0.1, notice) - springAt(0.2, { response: 0.7, damping: 0.8 })) < 1e-12);
});

test("a curve becomes the CSS easing function of its name", () => {
  assert.deepEqual(timing({ duration: 0.3, delay: 0.1, curve: "easeInOut" }), { duration: 300, delay: 100, easing: "ease-in-out" });
  assert.equal(timing({ duration: 0.3, curve: "linear" }).easing, "linear");
});

test("an unknown curve is played as ease-in-out", () => {
  assert.equal(timing(/** @type {any} */ ({ duration: 0.3, curve: "wobble" })).easing, "ease-in-out");
});

test("SwiftUI's spring lasts until it is at rest, whatever its duration", () => {
  const { duration, easing } = timing({ duration: 0.35, curve: "spring", ...notice });
  assert.ok(duration > 430 && duration < 520);
  assert.equal(stops(easing)[0], 0);
  assert.equal(stops(easing).at(-1), 1);
  assert.ok(Math.max(...stops(easing)) > 1.01);
});

test("UIKit's spring lasts as long as its duration", () => {
  const { duration, easing } = timing({ duration: 0.4, curve: "spring", damping: 0.6, velocity: 0.4 });
  assert.equal(duration, 400);
  assert.ok(Math.max(...stops(easing)) > 1.05);
  assert.ok(Math.abs(stops(easing).at(-2) - 1) < 0.01);
});

test("an exit ends with its duration, also if the spring is not at rest", () => {
  const { duration, easing } = timing({ duration: 0.2, curve: "spring", response: 0.5, damping: 1 }, true);
  assert.equal(duration, 200);
  assert.equal(stops(easing).at(-1), 1);
  assert.ok(stops(easing).at(-1) - stops(easing).at(-2) < 0.05);
});

for (const strange of [
  { duration: 0, curve: "spring" }, { duration: 0, curve: "spring", damping: 0 }, { duration: 1, curve: "spring", damping: 0 },
  { duration: 1, curve: "spring", response: 0.001, damping: 0.01 }, { duration: 5, curve: "spring", response: 5, damping: 10, velocity: 100 },
]) {
  test(`${JSON.stringify(strange)} is still a timing`, () => {
    const { duration, easing } = timing(/** @type {any} */ (strange));
    assert.ok(Number.isFinite(duration) && duration <= 10_000);
    assert.doesNotMatch(easing, /NaN|Infinity|undefined|e[+-]?\d/);
  });
}

test("toasts of an older server, which sends no animations, move as before", () => {
  const { enter, move, exit } = motionOf({});
  assert.ok(enter.duration > 430 && enter.duration < 520);
  assert.equal(move.duration, 350);
  assert.equal(exit.duration, 350);
});

test("each of the three motions has its own default", () => {
  const { enter, move } = motionOf({ animations: { move: { duration: 0.1, curve: "linear" } } });
  assert.deepEqual(move, { duration: 100, delay: 0, easing: "linear" });
  assert.match(enter.easing, /^linear\(0,/);
});

/** Where a CSS cubic-bezier() is at a part of its time. @param {number} time @param {number[]} points */
function bezierAt(time, [x1, y1, x2, y2]) {
  const at = (/** @type {number} */ t, /** @type {number} */ one, /** @type {number} */ two) => (
    3 * t * (1 - t) ** 2 * one + 3 * t ** 2 * (1 - t) * two + t ** 3
  );
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (at(middle, x1, x2) < time) { low = middle; } else { high = middle; }
  }
  return at(low, y1, y2);
}

for (const [name, length] of Object.entries({ enter: settlingTime(notice), exit: 0.35 })) {
  test(`the curve in base.css for the usual ${name} differs from the spring by at most a fortieth`, () => {
    const sheet = readFileSync(new URL("../../public/styles/base.css", import.meta.url), "utf8");
    const points = new RegExp(`--set-${name}-ease, cubic-bezier\\(([^)]+)`).exec(sheet)?.[1].split(",").map(Number) ?? [];
    assert.equal(points.length, 4);
    for (let part = 0; part <= 1; part += 0.01) {
      const spring = springAt(part * length, notice) / springAt(length, notice);
      assert.ok(Math.abs(bezierAt(part, points) - spring) < 0.025, `${part}`);
    }
  });
}
