/** The local engine in the scenarios of the server's engine: `Tests/Scenarios`, which the Swift tests run, too. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EngineError, LocalEngine } from "../../public/viewer/lazy/local-engine.js";
import { toast } from "./fixtures.js";

const scenarios = JSON.parse(readFileSync(new URL("../Scenarios/queue.json", import.meta.url), "utf8"));

/** @param {number} number - without what binary fractions add */
const plain = (number) => String(Number(number.toFixed(3)));

/** @param {any} event */
function line(event) {
  const left = event.remaining === undefined ? "" : ` for ${plain(event.remaining)}`;
  const exit = event.exit ? ` exit ${plain(event.exit)}` : "";
  const about = event.type === "presented" ? `${event.toast.id}${left}` : `${event.id} ${event.dismissReason}${exit}`;
  return `${plain(event.at / 1000)} ${event.type} ${about}`;
}

for (const { name, settings, steps, timeline } of scenarios) {
  test(name, () => {
    const engine = new LocalEngine({ ...settings });
    /** @type {any[]} */
    const events = [];
    const run = (/** @type {number} */ until) => {
      while (engine.nextDeadline <= until) { events.push(...engine.tick(engine.nextDeadline)); }
    };
    for (const step of steps) {
      const now = Math.round(step.at * 1000);
      run(now);
      if (step.post) {
        const { role = "info", duration = 1, members } = step;
        const toasts = step.post.map((/** @type {string} */ id) => toast({ id, message: id, role, duration, ...members }));
        if (step.refused) {
          assert.throws(() => engine.enqueue(toasts, now), new EngineError(step.refused));
        } else {
          events.push(...engine.enqueue(toasts, now));
        }
      }
      if (step.dismiss) { events.push(...engine.dismiss(step.dismiss, step.reason, now)); }
      if (step.hold) { events.push(...engine.hold(step.hold, "viewer", now)); }
      if (step.release) { events.push(...engine.release(step.release, "viewer", now)); }
      if (step.act) { events.push(...engine.act(step.act, step.action, now)); }
      if (step.update) { events.push(...engine.update(step.update, step.patch, now)); }
      if (step.configure) { events.push(...engine.configure({ ...settings, ...step.configure }, now)); }
      if (step.clear) { events.push(...engine.clear(now)); }
    }
    run(100_000);
    assert.deepEqual(events.filter(({ type }) => type === "presented" || type === "dismissed").map(line), timeline);
  });
}

test("a local toast waits for toasts of the server, with their exit and the pause", () => {
  const engine = new LocalEngine({ mode: "fifo" });
  engine.block(Infinity, 0);
  assert.deepEqual(engine.enqueue([toast({ duration: 1 })], 0).map(({ type }) => type), ["enqueued"]);
  assert.equal(engine.nextDeadline, Infinity);
  engine.block(1550, 1000);
  assert.equal(engine.nextDeadline, 1550);
  assert.deepEqual(engine.tick(1550).map(({ type }) => type), ["presented"]);
});
