import assert from "node:assert/strict";
import { test } from "node:test";

// The regions are elements; here nothing is put into them.
globalThis.document = /** @type {any} */ ({ createElement: () => ({}) });
const { Announcer } = await import("../../public/viewer/announcer.js");

/** An announcer whose messages are kept instead of spoken. @param {import("node:test").TestContext} t */
function announcing(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const announcer = new Announcer();
  /** @type {string[]} */
  const said = [];
  announcer.say = (text) => { said.push(text); };
  const sayOf = (/** @type {number} */ news, /** @type {string} */ text) => {
    announcer.sayOf("a", news, text);
    t.mock.timers.tick(1000);
  };
  return { said, sayOf };
}

test("what is said of a toast is said once", (t) => {
  const { said, sayOf } = announcing(t);
  sayOf(0, "Building");
  sayOf(0, "Building");
  sayOf(1, "Built");
  sayOf(1, "Built");
  assert.deepEqual(said, ["Building", "Built"]);
});

test("a toast whose changes are counted anew is not repeated, and its next change is said", (t) => {
  const { said, sayOf } = announcing(t);
  sayOf(0, "Building");
  sayOf(2, "Built");
  sayOf(0, "Built");
  sayOf(1, "Deployed");
  assert.deepEqual(said, ["Building", "Built", "Deployed"]);
});
