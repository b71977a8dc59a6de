import assert from "node:assert/strict";
import { test } from "node:test";
import { isSwipe, swipe, threshold } from "../../public/viewer/gestures.js";

for (const [placement, dx, dy, isAccepted] of /** @type {const} */ ([
  ["top", 0, -41, true], ["top", 0, -40, false], ["top", 0, 80, false], ["top", 90, 0, false],
  ["bottom", 0, 41, true], ["bottom", 0, 40, false], ["bottom", 0, -80, false], ["bottom", -90, 0, false],
  ["center", 41, 0, true], ["center", -41, 0, true], ["center", 40, 0, false], ["center", 0, 90, false],
])) {
  test(`${placement}: ${dx}, ${dy} is ${isAccepted ? "" : "not "}a dismissal`, () => {
    assert.equal(swipe(placement, dx, dy).isAccepted, isAccepted);
  });
}

test("the toast follows the finger, but only its own way", () => {
  assert.deepEqual(swipe("top", 30, -20), { x: 0, y: -20, opacity: 0.75, isAccepted: false });
  assert.deepEqual(swipe("top", 30, 20), { x: 0, y: 0, opacity: 1, isAccepted: false });
  assert.deepEqual(swipe("center", -30, 20), { x: -30, y: 0, opacity: 0.625, isAccepted: false });
});

test("it fades with the distance, to nothing and not below", () => {
  assert.equal(swipe("bottom", 0, threshold).opacity, 0.5);
  assert.equal(swipe("bottom", 0, 1000).opacity, 0);
});

test("a drag begins after a finger's slop and along the toast's way", () => {
  assert.equal(isSwipe("top", 0, -8, "touch"), false);
  assert.equal(isSwipe("top", 0, -9, "touch"), true);
  assert.equal(isSwipe("top", 0, -4, "mouse"), true);
  assert.equal(isSwipe("top", 20, -20, "touch"), false);
  assert.equal(isSwipe("center", 20, 5, "touch"), true);
  assert.equal(isSwipe("center", 5, 20, "touch"), false);
});
