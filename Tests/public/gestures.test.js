import assert from "node:assert/strict";
import { test } from "node:test";
import { isSwipe, swipe, swipeRule, threshold, touchAction } from "../../public/viewer/lazy/gestures.js";

const [top, center, bottom] = /** @type {const} */ (["top", "center", "bottom"]).map((it) => swipeRule({}, it));
const rules = { top, center, bottom };

for (const [placement, dx, dy, isAccepted] of /** @type {const} */ ([
  ["top", 0, -41, true], ["top", 0, -40, false], ["top", 0, 80, false], ["top", 90, 0, false],
  ["bottom", 0, 41, true], ["bottom", 0, 40, false], ["bottom", 0, -80, false], ["bottom", -90, 0, false],
  ["center", 41, 0, true], ["center", -41, 0, true], ["center", 40, 0, false], ["center", 0, 90, false],
])) {
  test(`${placement}: ${dx}, ${dy} is ${isAccepted ? "" : "not "}a dismissal`, () => {
    assert.equal(swipe(rules[placement], dx, dy).isAccepted, isAccepted);
  });
}

test("the toast follows the finger, but only in its own directions", () => {
  assert.deepEqual(swipe(top, 30, -20), { x: 0, y: -20, opacity: 0.75, isAccepted: false });
  assert.deepEqual(swipe(top, 30, 20), { x: 0, y: 0, opacity: 1, isAccepted: false });
  assert.deepEqual(swipe(center, -30, 20), { x: -30, y: 0, opacity: 0.625, isAccepted: false });
});

test("a dragged toast fades with the distance, to an opacity of 0 and not below", () => {
  assert.equal(swipe(bottom, 0, threshold).opacity, 0.5);
  assert.equal(swipe(bottom, 0, 1000).opacity, 0);
});

test("a channel may set another direction and a larger threshold", () => {
  const settings = { gestures: { swipe: { top: { directions: /** @type {const} */ (["down"]), threshold: 80 } } } };
  const rule = swipeRule(/** @type {any} */ (settings), "top");
  assert.equal(swipe(rule, 0, -200).isAccepted, false);
  assert.equal(swipe(rule, 0, 80).isAccepted, false);
  assert.equal(swipe(rule, 0, 81).isAccepted, true);
  assert.equal(swipeRule(/** @type {any} */ (settings), "bottom"), bottom);
});

test("in a list that scrolls only swipes to the side are left", () => {
  assert.deepEqual(swipeRule({}, "top", undefined, true).directions, []);
  assert.deepEqual(swipeRule({}, "bottom", "left", true).directions, ["left"]);
  assert.deepEqual(swipeRule({}, "center", undefined, true), center);
  assert.equal(touchAction(swipeRule({}, "top", undefined, true)), "pinch-zoom pan-x pan-y");
  assert.equal(touchAction(swipeRule({}, "top", "right", true)), "pinch-zoom pan-y");
  assert.equal(swipe(swipeRule({}, "top", undefined, true), 0, -200).isAccepted, false);
});

test("without a direction there is no swipe", () => {
  const rule = { directions: [], threshold: 40 };
  assert.deepEqual(swipe(rule, 90, -90), { x: 0, y: 0, opacity: 1, isAccepted: false });
  assert.equal(isSwipe(rule, 90, 0, "touch"), false);
});

test("a toast that can go two ways goes where the finger went further", () => {
  const rule = swipeRule({ gestures: { swipe: { top: { directions: ["up", "left"], threshold: 40 } } } }, "top");
  assert.deepEqual(swipe(rule, -30, -20), { x: -30, y: 0, opacity: 0.625, isAccepted: false });
  assert.deepEqual(swipe(rule, 30, -20), { x: 0, y: -20, opacity: 0.75, isAccepted: false });
  assert.equal(isSwipe(rule, -30, -28, "touch"), true);
});

for (const [speed, isAccepted] of /** @type {const} */ ([[-900, true], [-700, false], [900, false]])) {
  test(`let go at ${speed} pixels a second it ${isAccepted ? "glides away" : "stays"}`, () => {
    const rule = /** @type {any} */ ({ directions: ["up"], threshold: 80, predictedThreshold: 200 });
    assert.equal(swipe(rule, 0, -20, { x: 0, y: speed }).isAccepted, isAccepted);
    assert.equal(swipe({ ...rule, predictedThreshold: undefined }, 0, -20, { x: 0, y: speed }).isAccepted, false);
  });
}

test("a drag begins after a finger's slop and along the toast's way", () => {
  assert.equal(isSwipe(top, 0, -8, "touch"), false);
  assert.equal(isSwipe(top, 0, -9, "touch"), true);
  assert.equal(isSwipe(top, 0, -4, "mouse"), true);
  assert.equal(isSwipe(top, 20, -20, "touch"), false);
  assert.equal(isSwipe(center, 20, 5, "touch"), true);
  assert.equal(isSwipe(center, 5, 20, "touch"), false);
});

for (const [directions, action] of /** @type {const} */ ([
  [["up"], "pinch-zoom pan-x"], [["left", "right"], "pinch-zoom pan-y"],
  [["down", "left"], "pinch-zoom"], [[], "pinch-zoom pan-x pan-y"],
])) {
  test(`a page can be zoomed and scrolled from a toast that is swiped ${directions.join(" and ") || "nowhere"}`, () => {
    assert.equal(touchAction({ directions: [...directions], threshold: 40 }), action);
  });
}

test("a toast at a side of the screen is swiped there, too", () => {
  const rule = swipeRule({}, "bottom", "right");
  assert.deepEqual(rule.directions, ["down", "right"]);
  assert.equal(swipe(rule, 41, 0).isAccepted, true);
  assert.equal(swipe(rule, 0, 41).isAccepted, true);
  assert.equal(swipe(rule, -90, 0).isAccepted, false);
  assert.equal(touchAction(rule), "pinch-zoom");
  assert.deepEqual(swipeRule({}, "center", "left").directions, ["left", "right"]);
});

for (const [dx, speed, isAccepted] of /** @type {const} */ ([[12, 500, true], [12, 300, false], [12, -900, false], [-12, -900, false]])) {
  test(`let go at ${dx}, ${speed} pixels a second, at the right it ${isAccepted ? "is flicked away" : "stays"}`, () => {
    assert.equal(swipe(swipeRule({}, "bottom", "right"), dx, 0, { x: speed, y: 0 }).isAccepted, isAccepted);
  });
}

test("a flick counts sideways only, unless the channel sets a predictedThreshold", () => {
  assert.equal(swipe(swipeRule({}, "bottom", "right"), 0, 12, { x: 0, y: 900 }).isAccepted, false);
  const settings = { gestures: { swipe: { bottom: { directions: /** @type {const} */ (["down"]), threshold: 40, predictedThreshold: 200 } } } };
  assert.equal(swipe(swipeRule(/** @type {any} */ (settings), "bottom", "right"), 0, 12, { x: 0, y: 900 }).isAccepted, true);
});

test("in a channel without swipes, a toast at the side cannot be swiped there either", () => {
  const settings = { gestures: { swipe: { top: { directions: [], threshold: 40 } } } };
  assert.deepEqual(swipeRule(settings, "top", "left").directions, []);
});
