import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, difference } from "../../public/page/merge-patch.js";

test("a missing member becomes null, at any depth", () => {
  assert.deepEqual(difference({ top: 40, bottom: 20 }, { bottom: 20 }), { top: null, bottom: 20 });
  assert.deepEqual(
    difference({ layout: { cornerRadius: 20, spacing: 4 }, font: { size: 12 } }, { layout: { spacing: 4 } }),
    { font: null, layout: { cornerRadius: null, spacing: 4 } },
  );
});

test("a value replaces the old one unless both are objects", () => {
  assert.equal(difference({ top: 40 }, 20), 20);
  assert.equal(difference({ top: 40 }, null), null);
  assert.deepEqual(difference(20, { top: 40 }), { top: 40 });
  assert.deepEqual(difference(undefined, { top: 40 }), { top: 40 });
  assert.deepEqual(difference(["up", "down"], ["up"]), ["up"]);
});

test("a patch is applied to a value", () => {
  assert.deepEqual(applied({ a: 1, b: { c: 2, d: 3 } }, { a: null, b: { c: null, e: 4 } }), { b: { d: 3, e: 4 } });
  assert.deepEqual(applied({ a: 1 }, {}), { a: 1 });
  assert.deepEqual(applied("text", { a: { b: null } }), { a: {} });
  assert.equal(applied({ a: 1 }, 7), 7);
});
