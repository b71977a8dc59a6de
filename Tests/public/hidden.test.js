/** What a page does that is hidden: it has no frames, and nothing is said. */

import assert from "node:assert/strict";
import { test } from "node:test";

const page = { hidden: false, createElement: () => ({ appendChild: () => ({}), setAttribute: () => {} }) };
globalThis.document = /** @type {any} */ (page);
const { AwaySign } = await import("../../public/viewer/away-sign.js");
const { oncePerFrame } = await import("../../public/viewer/text.js");

test("what is due with a frame when the page is hidden is done without it", (t) => {
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
  // The next ones are not kept waiting by the frame that does not come.
  schedule();
  t.mock.timers.tick(1);
  assert.equal(count, 2);
  page.hidden = false;
});

test("who was not told that the connection is lost is not told that it is back", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const [isHidden, expected] of /** @type {const} */ ([[true, []], [false, [true, false]]])) {
    /** @type {boolean[]} */
    const said = [];
    // As the announcer: in a hidden page it says nothing.
    const sign = new AwaySign((isAway) => { if (!page.hidden) { said.push(isAway); } });
    page.hidden = isHidden;
    sign.follow("offline");
    t.mock.timers.tick(10_000);
    page.hidden = false;
    sign.follow("open");
    assert.deepEqual(said, expected);
  }
});
