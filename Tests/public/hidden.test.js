/** Hidden pages: they have no frames, and do not announce anything. */

import assert from "node:assert/strict";
import { test } from "node:test";

const page = { hidden: false, createElement: () => ({ appendChild: () => ({}), setAttribute: () => {} }) };
globalThis.document = /** @type {any} */ (page);
const { AwaySign } = await import("../../public/viewer/away-sign.js");
const { oncePerFrame } = await import("../../public/viewer/text.js");

test("work that waits for a frame runs without one when the page is hidden", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {(() => void)[]} */
  const frames = [];
  globalThis.requestAnimationFrame = (/** @type {() => void} */ frame) => frames.push(frame);
  let count = 0;
  const schedule = oncePerFrame(() => { count += 1; });
  schedule();
  schedule();
  assert.equal(frames.length, 1);
  page.hidden = true;
  schedule();
  schedule();
  t.mock.timers.tick(1);
  assert.equal(count, 1);
  // Later work does not wait for the frame that never came.
  schedule();
  t.mock.timers.tick(1);
  assert.equal(count, 2);
  page.hidden = false;
});

test("a reconnection is only announced if the loss of the connection was", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [isHidden, expected] of /** @type {const} */ ([[true, []], [false, [true, false]]])) {
    /** @type {boolean[]} */
    const said = [];
    // Like the announcer, which says nothing in a hidden page.
    const sign = new AwaySign((isAway) => { if (!page.hidden) { said.push(isAway); } });
    page.hidden = isHidden;
    sign.follow("offline");
    t.mock.timers.tick(10_000);
    page.hidden = false;
    sign.follow("open");
    assert.deepEqual(said, expected);
  }
});
