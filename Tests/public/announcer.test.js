import assert from "node:assert/strict";
import { test } from "node:test";

// Stands for the elements of the live regions, which stay empty here.
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

test("a toast is announced once, and each of its changes once", (t) => {
  const { said, sayOf } = announcing(t);
  sayOf(0, "Building");
  sayOf(0, "Building");
  sayOf(1, "Built");
  sayOf(1, "Built");
  assert.deepEqual(said, ["Building", "Built"]);
});

test("when changes are counted anew the toast is not announced again, but its next change is", (t) => {
  const { said, sayOf } = announcing(t);
  sayOf(0, "Building");
  sayOf(2, "Built");
  sayOf(0, "Built");
  sayOf(1, "Deployed");
  assert.deepEqual(said, ["Building", "Built", "Deployed"]);
});
