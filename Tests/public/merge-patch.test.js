import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../../public/page/merge-patch.js";

test("a member that is gone is removed, at any depth", () => {
  assert.deepEqual(difference({ top: 40, bottom: 20 }, { bottom: 20 }), { top: null, bottom: 20 });
  assert.deepEqual(
    difference({ layout: { cornerRadius: 20, spacing: 4 }, font: { size: 12 } }, { layout: { spacing: 4 } }),
    { font: null, layout: { cornerRadius: null, spacing: 4 } },
  );
});

test("what is no object, or was none, replaces what was there", () => {
  assert.equal(difference({ top: 40 }, 20), 20);
  assert.equal(difference({ top: 40 }, null), null);
  assert.deepEqual(difference(20, { top: 40 }), { top: 40 });
  assert.deepEqual(difference(undefined, { top: 40 }), { top: 40 });
  assert.deepEqual(difference(["up", "down"], ["up"]), ["up"]);
});
