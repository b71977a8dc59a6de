import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyPart } from "../../public/viewer/lazy-part.js";

/** A part whose loads the test completes. */
function loading() {
  /** @type {((part: object) => void)[]} */
  const loads = [];
  return { loads, lazy: new LazyPart(() => /** @type {Promise<object>} */ (new Promise((resolve) => { loads.push(resolve); }))) };
}

test("a part that is dropped while it is loaded is loaded once", async () => {
  const { lazy, loads } = loading();
  const first = lazy.get();
  lazy.drop();
  const second = lazy.get();
  assert.equal(loads.length, 1);
  loads[0]({});
  assert.equal(await first, await second);
  assert.equal(lazy.part, await first);
});

test("after a part was dropped, it is loaded again", async () => {
  const { lazy, loads } = loading();
  const first = lazy.get();
  loads[0]({});
  await first;
  lazy.drop();
  assert.equal(lazy.part, undefined);
  const second = lazy.get();
  assert.equal(loads.length, 2);
  loads[1]({});
  assert.notEqual(await second, await first);
});

test("a failed load is tried again", async () => {
  let count = 0;
  const lazy = new LazyPart(async () => {
    count += 1;
    if (count === 1) { throw new Error("away"); }
    return {};
  });
  await assert.rejects(lazy.get());
  assert.equal(lazy.part, undefined);
  assert.equal(await lazy.get(), lazy.part);
});
