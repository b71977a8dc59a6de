import assert from "node:assert/strict";
import { test } from "node:test";
import { ChannelStates, emptyState, reduce } from "../../public/viewer/state.js";
import { at, event, toast } from "./fixtures.js";

/** @param {...object} events */
const after = (...events) => events.reduce(reduce, emptyState);
/** @param {{ presented: readonly { toast: { id: string } }[] }} state */
const ids = ({ presented }) => presented.map((entry) => entry.toast.id);

test("a snapshot is the whole screen, whatever was shown before", () => {
  const state = after(
    event("presented", { toast: toast({ id: "old" }) }),
    event("snapshot", { effective: { mode: "fifo" }, presented: [{ toast: toast({ id: "new" }), remaining: 3 }], queuedCount: 2, reset: true }),
  );
  assert.deepEqual(ids(state), ["new"]);
  assert.equal(state.presented[0].remaining, 3);
  assert.equal(state.settings.mode, "fifo");
});

test("a snapshot keeps the number of a toast's announced changes", () => {
  const snapshot = event("snapshot", { effective: {}, presented: [{ toast: toast({ title: "Built" }) }, { toast: toast({ id: "b" }) }], queuedCount: 0, reset: true });
  const state = after(event("presented", { toast: toast({ title: "Building" }) }), event("updated", { toast: toast({ title: "Built" }) }), snapshot);
  assert.deepEqual(state.presented.map(({ spoken }) => spoken), [1, 0]);
  assert.equal(reduce(state, event("updated", { toast: toast({ title: "Deployed" }) })).presented[0].spoken, 2);
});

test("a toast that is held in a snapshot stays held until a release without other holders", () => {
  const held = after(event("snapshot", { effective: {}, presented: [{ toast: toast(), remaining: 3, held: true }], queuedCount: 0, reset: false }));
  assert.equal(held.presented[0].holders.length, 1);
  const released = reduce(held, event("released", { id: "a", holder: "x", remaining: 3 }));
  assert.equal(released.presented[0].holders.length, 0);
});

test("a release with held: true leaves the unnamed holders of a snapshot", () => {
  const presented = [{ toast: toast(), remaining: 3, held: true }];
  const held = after(event("snapshot", { effective: {}, presented, queuedCount: 0, reset: false }));
  const still = reduce(held, event("released", { id: "a", holder: "x", remaining: 3, held: true }));
  assert.equal(still.presented[0].holders.length, 1);
  const released = reduce(still, event("released", { id: "a", holder: "y", remaining: 3 }));
  assert.equal(released.presented[0].holders.length, 0);
});

test("the remaining time of a live event is taken as it is", () => {
  const state = after({ type: "resumed", at: at(10) }, event("presented", { toast: toast(), remaining: 6 }, 12));
  assert.equal(state.presented[0].remaining, 6);
});

test("7: the remaining time of a replayed event is taken as it is, however old the event", () => {
  const state = after({ type: "resumed", at: at(10) }, event("presented", { toast: toast(), remaining: 2 }, 6));
  assert.equal(state.presented[0].remaining, 2);
});

test("a held toast does not age, however old the event", () => {
  const state = after(
    { type: "resumed", at: at(100) },
    event("presented", { toast: toast(), remaining: 6 }, 6),
    event("held", { id: "a", holder: "x", remaining: 5 }, 7),
  );
  assert.equal(state.presented[0].remaining, 5);
});

test("with two holders the countdown stands until both have released", () => {
  const both = after(
    event("presented", { toast: toast(), remaining: 6 }),
    event("held", { id: "a", holder: "x", remaining: 5 }),
    event("held", { id: "a", holder: "y", remaining: 5 }),
    event("released", { id: "a", holder: "x", remaining: 5 }),
  );
  assert.deepEqual(both.presented[0].holders, ["y"]);
  assert.deepEqual(reduce(both, event("released", { id: "a", holder: "y", remaining: 5 })).presented[0].holders, []);
});

test("an indefinite toast has no remaining time", () => {
  assert.equal(after(event("presented", { toast: toast({ duration: "indefinite" }) })).presented[0].remaining, undefined);
});

test("a toast that is presented twice has one entry, with the last content", () => {
  const state = after(
    event("presented", { toast: toast({ revision: 1 }), remaining: 6 }),
    event("presented", { toast: toast({ revision: 2 }), remaining: 4 }),
  );
  assert.equal(state.presented.length, 1);
  assert.equal(state.presented[0].toast.revision, 2);
});

test("a dismissal makes an exit, which is removed when the toast is presented again", () => {
  const gone = after(
    event("presented", { toast: toast(), remaining: 6 }),
    event("dismissed", { id: "a", dismissReason: "timeout", exit: 0.35 }),
  );
  assert.deepEqual(gone.presented, []);
  assert.deepEqual(gone.exits, [{ id: "a", exit: 0.35, reason: "timeout" }]);
  assert.deepEqual(reduce(gone, event("presented", { toast: toast(), remaining: 6 })).exits, []);
});

test("a dismissal of a toast that is not presented changes nothing", () => {
  assert.equal(reduce(emptyState, event("dismissed", { id: "a", dismissReason: "api", exit: 0 })), emptyState);
});

test("the number of exits is bounded", () => {
  let state = emptyState;
  for (let index = 0; index < 100; index++) {
    state = reduce(state, event("presented", { toast: toast({ id: `t${index}` }), remaining: 1 }));
    state = reduce(state, event("dismissed", { id: `t${index}`, reason: "timeout", exit: 0.35 }));
  }
  assert.equal(state.exits.length, 20);
  assert.equal(state.exits[0].id, "t99");
});

test("an update of a toast that is not presented changes nothing", () => {
  assert.deepEqual(after(event("updated", { toast: toast(), changed: ["message"] })).presented, []);
});

for (const [name, before, update, isNews] of /** @type {const} */ ([
  ["another title", {}, { title: "Done" }, true],
  ["another role", {}, { role: "success" }, true],
  ["the end of the work", { progress: { value: 1, total: 1 } }, {}, true],
  ["progress", { progress: { value: 0.1, total: 1 } }, { progress: { value: 0.2, total: 1 } }, false],
  ["another message", {}, { message: "Could not be saved" }, true],
  ["a message that counts along with the work", { progress: { value: 1, total: 9 } }, { message: "2 of 9", progress: { value: 2, total: 9 } }, false],
  ["another icon", {}, { icon: "star" }, false],
])) {
  test(`${name} is ${isNews ? "" : "not "}announced`, () => {
    const state = after(
      event("presented", { toast: toast(before), remaining: 6 }),
      event("updated", { toast: toast(update), changed: [], remaining: 5 }),
    );
    assert.equal(state.presented[0].spoken, Number(isNews));
  });
}

test("a toast that is sent again is announced, also with the same text", () => {
  const state = after(
    event("presented", { toast: toast(), remaining: 6 }),
    event("updated", { toast: toast(), changed: [], moved: true, remaining: 6 }),
  );
  assert.equal(state.presented[0].spoken, 1);
});

test("entries that did not change stay the same objects", () => {
  const one = after(event("presented", { toast: toast({ id: "a" }), remaining: 6 }), event("presented", { toast: toast({ id: "b" }), remaining: 6 }));
  const two = reduce(one, event("updated", { toast: toast({ id: "b", message: "new" }), changed: ["message"], remaining: 6 }));
  assert.equal(two.presented[0], one.presented[0]);
  assert.notEqual(two.presented[1], one.presented[1]);
});

test("events that a viewer does not know leave the state alone", () => {
  assert.equal(reduce(emptyState, event("enqueued", { toast: toast() })), emptyState);
});

test("an update that moves a toast makes it the newest", () => {
  const two = after(event("presented", { toast: toast({ id: "a" }), remaining: 6 }), event("presented", { toast: toast({ id: "b" }), remaining: 6 }));
  const moved = reduce(two, event("updated", { toast: toast({ id: "a" }), changed: ["message"], remaining: 6.3, moved: true }));
  assert.deepEqual(ids(moved), ["b", "a"]);
  assert.equal(moved.presented[1].moves, 1);
  assert.equal(moved.presented[1].remaining, 6.3);
  assert.equal(moved.presented[0], two.presented[1]);
});

test("with announcements of the server, only updates that have one are announced", () => {
  const first = after(event("presented", { toast: toast(), remaining: 6, announcement: "information, Info. Deployed." }));
  const quiet = reduce(first, event("updated", { toast: toast({ title: "Another" }), changed: ["title"], remaining: 5 }));
  assert.equal(quiet.presented[0].spoken, 0);
  assert.equal(quiet.presented[0].announcement, "information, Info. Deployed.");
  const loud = reduce(quiet, event("updated", { toast: toast(), changed: [], remaining: 5, announcement: "success, Done." }));
  assert.equal(loud.presented[0].spoken, 1);
  assert.equal(loud.presented[0].announcement, "success, Done.");
});

test("entries of a snapshot have its announcements", () => {
  const state = after(event("snapshot", { effective: {}, presented: [{ toast: toast(), announcement: "Hello." }], queuedCount: 0, reset: false }));
  assert.equal(state.presented[0].announcement, "Hello.");
});

test("an entry has the haptic of its presentation", () => {
  assert.equal(after(event("presented", { toast: toast(), haptic: "heavy" })).presented[0].haptic, "heavy");
});

test("the entries and exits of all channels are joined in the order of the channels", () => {
  const states = new ChannelStates();
  const of = (channel, ...rest) => ({ ...event(...rest), channel });
  states.take(of("", "configured", { effective: { mode: "fifo" } }));
  assert.deepEqual(states.settings, { mode: "fifo" });
  states.take(of("ops", "configured", { effective: { mode: "stack" } }));
  states.take(of("ops", "presented", { toast: toast({ id: "a" }) }));
  states.take(of("ci", "presented", { toast: toast({ id: "b" }) }));
  states.take(of("ops", "presented", { toast: toast({ id: "c" }) }));
  assert.deepEqual(states.settings, { mode: "stack" });
  assert.deepEqual(ids(states), ["a", "c", "b"]);
  const before = states.presented.map((entry) => states.told.get(entry));
  assert.ok(before.every((time) => time <= performance.now()));
  states.take(of("ops", "dismissed", { id: "a", exit: 0.3, dismissReason: "close" }));
  assert.deepEqual(ids(states), ["c", "b"]);
  assert.deepEqual(states.exits.map(({ id }) => id), ["a"]);
  // An entry that has not changed keeps its time.
  assert.deepEqual(states.presented.map((entry) => states.told.get(entry)), [before[1], before[2]]);
});

test("without a channel there are no settings", () => {
  assert.deepEqual(new ChannelStates().settings, {});
});
