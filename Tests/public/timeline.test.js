import assert from "node:assert/strict";
import { test } from "node:test";
import { stateOf, Timeline } from "../../public/page/timeline.js";

const start = Date.parse("2026-01-01T12:00:00.000Z");
const settings = { mode: "fifo", lanes: "shared", pause: 0.2, animations: { exit: { duration: 0.35 } } };

/** An event, a number of seconds after the start. */
const at = (seconds, type, members = {}) => (
  { type, channel: "c", cursor: "c-1", at: new Date(start + seconds * 1000).toISOString(), ...members }
);
const toast = (id, members = {}) => (
  { id, role: "info", message: id, placement: "top", duration: 6, createdAt: new Date(start).toISOString(), ...members }
);

/** A timeline that has taken a snapshot and then these events. */
function after(...events) {
  const timeline = new Timeline();
  for (const event of [at(0, "snapshot", { effective: settings, presented: [], queuedCount: 0, reset: false }), ...events]) { timeline.take(event); }
  return timeline;
}

/** Spans as text, in seconds. */
const text = (spans) => spans.map(({ kind, from, to }) => `${kind} ${(from - start) / 1000}-${(to - start) / 1000}`);

test("a toast has spans of waiting, being shown, its exit, and the pause", () => {
  const timeline = after(
    at(1, "enqueued", { toast: toast("a") }),
    at(2, "presented", { toast: toast("a"), remaining: 6 }),
    at(5, "dismissed", { id: "a", dismissReason: "close", exit: 0.35 }),
  );
  const [row] = timeline.rows();
  assert.deepEqual(text(timeline.spans(row)), ["wait 1-2", "shown 2-5", "exit 5-5.35", "pause 5.35-5.55"]);
  assert.equal(row.reason, "close");
});

test("the end of a presented toast is known in advance", () => {
  const timeline = after(at(1, "enqueued", { toast: toast("a") }), at(1, "presented", { toast: toast("a"), remaining: 6 }));
  assert.deepEqual(text(timeline.spans(timeline.rows()[0])), ["shown 1-7", "exit 7-7.35", "pause 7.35-7.55"]);
  assert.equal(timeline.shown, 1);
});

test("a hold makes the end unknown, and its release sets it again", () => {
  const timeline = after(
    at(1, "enqueued", { toast: toast("a") }),
    at(1, "presented", { toast: toast("a"), remaining: 6 }),
    at(3, "held", { id: "a", holder: "v", remaining: 4 }),
  );
  const [row] = timeline.rows();
  assert.deepEqual(text(timeline.spans(row)), ["shown 1-Infinity", "held 3-Infinity"]);
  timeline.take(at(8, "held", { id: "a", holder: "v", remaining: 4 }));
  timeline.take(at(10, "released", { id: "a", holder: "v", remaining: 4 }));
  assert.deepEqual(text(timeline.spans(row)).slice(0, 2), ["shown 1-14", "held 3-10"]);
});

test("a release does not set the end while there are other holders", () => {
  const presented = [{ toast: toast("a", { presentedAt: new Date(start).toISOString() }), remaining: 4, held: true }];
  const timeline = after(at(3, "snapshot", { effective: settings, presented, queuedCount: 0, reset: false }));
  timeline.take(at(5, "released", { id: "a", holder: "v", remaining: 4, held: true }));
  const [row] = timeline.rows();
  assert.deepEqual(text(timeline.spans(row)), ["shown 0-Infinity", "held 3-Infinity"]);
  timeline.take(at(10, "released", { id: "a", holder: "w", remaining: 4 }));
  assert.deepEqual(text(timeline.spans(row)).slice(0, 2), ["shown 0-14", "held 3-10"]);
});

test("rows are in the order of the dismissals, and queued toasts come last", () => {
  const timeline = after(
    ...["a", "b", "c", "d", "e"].map((id) => at(0, "enqueued", { toast: toast(id) })),
    at(0, "presented", { toast: toast("a"), remaining: 6 }),
    at(6, "dismissed", { id: "a", dismissReason: "timeout", exit: 0.35 }),
    at(7, "presented", { toast: toast("b"), remaining: 6 }),
    at(8, "dismissed", { id: "d", dismissReason: "api", exit: 0 }),
    at(8, "dismissed", { id: "b", dismissReason: "api", exit: 0.35 }),
    at(9, "presented", { toast: toast("c"), remaining: 6 }),
  );
  assert.deepEqual(timeline.rows().map(({ id }) => id), ["a", "b", "d", "c", "e"]);
});

test("queued toasts have a time in the forecast", () => {
  const timeline = after(
    at(0, "enqueued", { toast: toast("a") }),
    at(0, "presented", { toast: toast("a"), remaining: 6 }),
    at(1, "enqueued", { toast: toast("b", { duration: 2 }) }),
    at(1, "enqueued", { toast: toast("c", { role: "error" }) }),
  );
  assert.deepEqual(text([...timeline.forecast(start + 2000).values()]), ["later 6.55-8.55", "later 9.1-15.1"]);
  timeline.take(at(2, "configured", { effective: { ...settings, mode: "priority" } }));
  assert.deepEqual([...timeline.forecast(start + 2000).keys()], ["c", "b"]);
});

test("there is no forecast behind a toast that stays", () => {
  const timeline = after(
    at(0, "enqueued", { toast: toast("a") }),
    at(0, "presented", { toast: toast("a", { duration: "indefinite" }) }),
    at(1, "enqueued", { toast: toast("b") }),
  );
  assert.equal(timeline.forecast(start).size, 0);
  assert.deepEqual(text(timeline.spans(timeline.queue()[0])), ["wait 1-Infinity"]);
});

test("lanes by placement have separate forecasts", () => {
  const timeline = after(
    at(0, "configured", { effective: { ...settings, lanes: "placement" } }),
    at(0, "enqueued", { toast: toast("a") }),
    at(0, "presented", { toast: toast("a"), remaining: 6 }),
    at(1, "enqueued", { toast: toast("b", { placement: "bottom" }) }),
  );
  assert.deepEqual(timeline.rows().map(({ lane }) => lane), ["top", "bottom"]);
  timeline.take(at(2, "updated", { toast: toast("b", { placement: "top" }), changed: ["placement"] }));
  assert.deepEqual(timeline.rows().map(({ lane }) => lane), ["top", "bottom"], "a lane is a queue, not a look");
  assert.equal(timeline.forecast(start + 2000).get("b").from, start + 2000);
  timeline.take(at(3, "configured", { effective: settings }));
  assert.deepEqual(timeline.rows().map(({ lane }) => lane), ["", ""]);
});

test("a snapshot adds rows for its toasts, and removes those of toasts that it lacks", () => {
  const timeline = after(at(0, "enqueued", { toast: toast("a") }), at(0, "enqueued", { toast: toast("b") }));
  const presented = [{ toast: toast("b", { presentedAt: new Date(start + 1000).toISOString() }), remaining: 3, held: true }];
  timeline.take(at(4, "snapshot", { effective: settings, presented, queuedCount: 7, reset: true }));
  assert.deepEqual(timeline.rows().map(({ id }) => id), ["b"]);
  assert.equal(timeline.waiting, 7);
  assert.deepEqual(timeline.rows()[0].holders, [""]);
});

test("the number of rows is bounded", () => {
  const timeline = after();
  for (let index = 0; index < 5000; index++) {
    timeline.take(at(index, "enqueued", { toast: toast(`w${index}`) }));
  }
  assert.equal(timeline.waiting, 5000);
  for (let index = 0; index < 5000; index++) {
    timeline.take(at(index, "presented", { toast: toast(`w${index}`), remaining: 1 }));
    timeline.take(at(index, "dismissed", { id: `w${index}`, dismissReason: "timeout", exit: 0.35 }));
  }
  assert.equal(timeline.waiting, 0);
  assert.ok(timeline.rows().length <= 140);
  assert.ok(timeline.rows().every((row) => stateOf(row) === "dismissed"));
});

test("a toast that was dismissed in the queue has one span of waiting", () => {
  const timeline = after(at(0, "enqueued", { toast: toast("a") }), at(5, "dismissed", { id: "a", dismissReason: "expired", exit: 0 }));
  assert.deepEqual(text(timeline.spans(timeline.rows()[0])), ["wait 0-5"]);
  assert.equal(timeline.waiting, 0);
});

test("7: the remaining time of a replayed event counts from the resumption", () => {
  const timeline = after(
    at(8, "resumed"),
    at(3, "presented", { toast: toast("a"), remaining: 1 }),
    at(9, "enqueued", { toast: toast("b") }),
  );
  assert.deepEqual(text(timeline.spans(timeline.rows()[0])).slice(0, 2), ["wait 0-3", "shown 3-9"]);
});

test("in a stack the next toast comes when a place is free, without waiting for the exit", () => {
  const stack = { ...settings, mode: "stack", maxVisible: 2, animations: { ...settings.animations, enter: { duration: 0.5 } } };
  const timeline = after(
    at(0, "configured", { effective: stack }),
    ...["a", "b", "c", "d", "e"].map((id) => at(0, "enqueued", { toast: toast(id) })),
    at(0, "presented", { toast: toast("a"), remaining: 6.5 }),
    at(0, "presented", { toast: toast("b"), remaining: 3 }),
  );
  const plan = timeline.forecast(start + 1000);
  assert.deepEqual(["c", "d", "e"].map((id) => text([plan.get(id)])[0]), ["later 3-9.5", "later 6.5-13", "later 9.5-16"]);
});

test("an unlimited stack has room at once, and one full of toasts that stay never has", () => {
  const stack = { ...settings, mode: "stack", maxVisible: "unlimited" };
  const timeline = after(at(0, "configured", { effective: stack }), at(0, "enqueued", { toast: toast("a") }));
  assert.deepEqual(text([timeline.forecast(start + 1000).get("a")]), ["later 1-7"]);
  const full = after(
    at(0, "configured", { effective: { ...stack, maxVisible: 1 } }),
    ...["a", "b"].map((id) => at(0, "enqueued", { toast: toast(id) })),
    at(0, "presented", { toast: toast("a") }),
  );
  assert.equal(full.forecast(start + 1000).size, 0);
});

test("a toast that the server has ended and this viewer still shows has a span for that", () => {
  const timeline = after(
    at(1, "enqueued", { toast: toast("a") }),
    at(1, "presented", { toast: toast("a"), remaining: 6 }),
    at(7, "dismissed", { id: "a", dismissReason: "timeout", exit: 0.35 }),
  );
  assert.deepEqual(text(timeline.spans(timeline.rows()[0], undefined, true)), ["shown 1-7", "here 7-Infinity"]);
});
