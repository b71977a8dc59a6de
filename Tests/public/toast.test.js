/** `toast.promise`, with a viewer that records its calls. */

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {string[]} */
let shown = [];
const viewer = {
  show: ({ message }) => {
    shown.push(message);
    return "a";
  },
  update: async (_, { role, message }) => shown.push(`${role} ${message}`) > 0,
};
globalThis.CSSStyleSheet = /** @type {any} */ (class { replaceSync() {} });
globalThis.document = /** @type {any} */ ({ querySelector: () => viewer });
const { toast } = await import("../../public/viewer/toast.js");

const outcomes = { loading: "Saving", success: (value) => `${value} saved`, error: (error) => error.message };
const fail = () => { throw new Error("No space left"); };

for (const [name, work, last] of /** @type {const} */ ([
  ["a promise", Promise.resolve(5), "success 5 saved"],
  ["a function that gives a promise", async () => 5, "success 5 saved"],
  ["a function that gives a value", () => 5, "success 5 saved"],
  ["a function that throws", fail, "error No space left"],
  ["a thenable that cannot be caught", { then: (resolve) => resolve(5) }, "success 5 saved"],
  ["a thenable that fails", { then: (_, reject) => reject(new Error("Too late")) }, "error Too late"],
])) {
  test(`toast.promise follows ${name}`, async () => {
    shown = [];
    const promise = toast.promise(/** @type {any} */ (work), outcomes);
    assert.ok(promise instanceof Promise);
    assert.equal(await promise.catch(() => "failed"), last.startsWith("error") ? "failed" : 5);
    // The code that follows the promise is loaded first.
    while (shown.length < 2) { await new Promise(setImmediate); }
    assert.deepEqual(shown, ["Saving", last]);
  });
}

test("an error shows its message, and none of its other properties", async () => {
  shown = [];
  toast.error(Object.assign(new TypeError("No space left"), { id: "a" }));
  toast.error(new DOMException("Too late", "TimeoutError"), { title: "Alas" });
  await Promise.reject(new Error("Away")).catch(toast.error);
  assert.deepEqual(shown, ["No space left", "Too late", "Away"]);
  shown = [];
  for (const error of [(/** @type {any} */ it) => it, new Error("No space left")]) {
    toast.promise(fail, { ...outcomes, error }).catch(() => {});
  }
  while (shown.length < 4) { await new Promise(setImmediate); }
  assert.deepEqual(shown.slice(2), ["error No space left", "error No space left"]);
});

test("toast.promise returns the promise that it was given", () => {
  const promise = Promise.resolve(5);
  assert.equal(toast.promise(promise, outcomes), promise);
});
