/** A page's own toasts, without a screen: their events, and what a page can do with them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LocalChannel } from "../../public/viewer/lazy/local-channel.js";

/** @param {object} [settings] - those of the server's channel, if there is one */
function make(settings) {
  /** @type {any[]} */
  const events = [];
  const host = { getAttribute: () => null };
  const means = { receive: (/** @type {any} */ event) => events.push(event), connection: { isOpen: true }, host };
  const channel = new LocalChannel(/** @type {any} */ ({ schedule: () => {} }), /** @type {any} */ (means), /** @type {any} */ ({ scale: 1 }));
  channel.beside(/** @type {any} */ (new Map(settings ? [["ops", { settings }]] : [])), []);
  const of = (/** @type {string} */ type) => events.filter((event) => event.type === type);
  return { channel, of };
}

test("an update changes neither the id of a toast nor its createdAt", () => {
  const { channel, of } = make();
  channel.show("a", { message: "A", duration: "indefinite" });
  const [{ toast }] = of("presented");
  assert.ok(channel.update("a", { ...toast, id: "other", createdAt: "", presentedAt: "", state: "queued", message: "B", actions: [] }));
  const [{ toast: changed }] = of("updated");
  assert.deepEqual({ ...changed, revision: 1 }, { ...toast, message: "B", actions: [] });
  assert.ok(channel.has("a"));
  assert.ok(!channel.has("other"));
});

test("a toast from an event can be passed to update, which only restarts its countdown", () => {
  const { channel, of } = make();
  channel.show("a", { message: "A", duration: "indefinite" });
  const [{ toast }] = of("presented");
  channel.update("a", { message: "B" });
  channel.update("a", { ...toast, message: "B" });
  assert.deepEqual(of("updated").at(-1).changed, ["duration"]);
});

test("an action with the id undefined is the same as one without an id", () => {
  const { channel } = make();
  /** @type {string[]} */
  const pressed = [];
  channel.show("a", { message: "A", duration: Infinity, actions: [{ id: undefined, title: "Undo", onPress: () => pressed.push("undo") }] });
  channel.perform("a", "actions/0");
  assert.deepEqual(pressed, ["undo"]);
});

test("an action without an id gets a unique one", () => {
  const { channel, of } = make();
  /** @type {string[]} */
  const pressed = [];
  const actions = [{ id: "1" }, {}, { id: "1_" }, {}].map((it, index) => (
    { ...it, title: "Undo", dismisses: /** @type {const} */ (false), onPress: () => pressed.push(`${index}`) }
  ));
  channel.show("a", { message: "A", duration: Infinity, actions });
  const ids = of("presented")[0].toast.actions.map((/** @type {{ id: string }} */ { id }) => id);
  assert.deepEqual(ids, ["1", "1__", "1_", "3"]);
  for (const id of ids) { channel.perform("a", `actions/${id}`); }
  assert.deepEqual(pressed, ["0", "1", "2", "3"]);
});

test("a toast whose time is infinite stays", () => {
  const { channel, of } = make();
  channel.show("a", { message: "A", duration: Infinity });
  const [{ toast, remaining }] = of("presented");
  assert.equal(toast.duration, "indefinite");
  assert.equal(remaining, undefined);
});

/** A toast that can be undone. @param {string} message @param {() => void} onPress @param {object} [members] */
const undoable = (message, onPress, members) => ({ message, duration: "indefinite", actions: [{ title: "Undo", onPress }], ...members });

test("a duplicate keeps the id of the toast, whose button calls the last function", () => {
  const { channel, of } = make({ mode: "stack", deduplication: "identity" });
  /** @type {string[]} */
  const pressed = [];
  channel.show("one", undoable("Row 1", () => pressed.push("one"), { reuseIdentifier: "del" }));
  const second = undoable("Row 2", () => pressed.push("two"), { reuseIdentifier: "del" });
  assert.equal(channel.idOf("two", second), "one");
  channel.show("two", second);
  assert.equal(of("updated")[0].toast.message, "Row 2");
  channel.perform("one", "actions/0");
  assert.deepEqual(pressed, ["two"]);
});

test("a button that a duplicate adds can be pressed, one that it removes cannot", () => {
  const { channel } = make({ mode: "stack", deduplication: "identity" });
  /** @type {string[]} */
  const pressed = [];
  channel.show("one", { message: "Row 1", reuseIdentifier: "del" });
  const actions = [{ title: "Undo", dismisses: /** @type {const} */ (false), onPress: () => pressed.push("two") }];
  channel.show("two", { message: "Row 2", reuseIdentifier: "del", actions });
  channel.perform("one", "actions/0");
  channel.show("three", { message: "Row 3", reuseIdentifier: "del", actions: [{ title: "Open" }] });
  channel.perform("one", "actions/0");
  assert.deepEqual(pressed, ["two"]);
});

for (const deduplication of ["identity", "equal"]) {
  test(`the id given to a duplicate works for the toast that it repeats (${deduplication})`, () => {
    const { channel, of } = make({ mode: "stack", deduplication });
    channel.show("one", { message: "Syncing", duration: "indefinite" });
    channel.show("two", { message: "Syncing", duration: "indefinite" });
    assert.ok(channel.update("two", { message: "Synced" }));
    assert.equal(of("updated").at(-1).toast.message, "Synced");
    assert.ok(channel.dismiss("two", "api"));
    assert.deepEqual(of("dismissed").map(({ id }) => id), ["one"]);
    assert.ok(!channel.has("two"));
  });
}

test("a duplicate that changes nothing replaces the functions of its buttons only if these are the same", () => {
  const { channel } = make({ mode: "stack", deduplication: "equal" });
  /** @type {string[]} */
  const pressed = [];
  for (const id of ["a", "b"]) {
    channel.show(id, undoable(id, () => pressed.push("first"), { message: id }));
  }
  channel.show("a2", undoable("a", () => pressed.push("second")));
  channel.show("b2", { message: "b", duration: "indefinite", actions: [{ title: "Open", onPress: () => pressed.push("other") }] });
  channel.perform("a", "actions/0");
  channel.perform("b", "actions/0");
  assert.deepEqual(pressed, ["second", "first"]);
});

test("the id of a duplicate is free again when the toast that it repeated is gone", () => {
  const { channel, of } = make({ mode: "stack", deduplication: "identity" });
  for (const id of ["one", "two"]) { channel.show(id, { message: "Syncing", duration: "indefinite" }); }
  channel.dismiss("one", "api");
  channel.show("two", { message: "Syncing", duration: "indefinite" });
  channel.show("one", { message: "Another", duration: "indefinite" });
  channel.dismiss("two", "api");
  assert.deepEqual(of("dismissed").map(({ id }) => id), ["one", "two"]);
  assert.ok(channel.has("one"));
});

test("an id that show returned for a toast that has gone meanwhile works for the next toast", () => {
  const { channel, of } = make({ mode: "stack", deduplication: "identity" });
  channel.show("one", { message: "Saving", duration: "indefinite" });
  const told = channel.idOf("two", { message: "Saving", duration: "indefinite" });
  assert.equal(told, "one");
  // After the page's earlier calls.
  channel.dismiss("one", "api");
  channel.show("two", { message: "Saving", duration: "indefinite" }, told);
  assert.ok(channel.update(told, { message: "Saved" }));
  assert.equal(of("updated").at(-1).toast.id, "two");
  assert.ok(channel.dismiss(told, "api"));
  assert.ok(!channel.has("two"));
});

test("a duration may be longer than the longest timer of a browser", (t) => {
  const delays = [];
  t.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ _, /** @type {number} */ delay) => { delays.push(delay); });
  const { channel, of } = make();
  channel.show("a", { message: "A", duration: 30 * 86_400 });
  assert.equal(of("presented").length, 1);
  assert.ok(delays.length > 0);
  assert.ok(delays.every((delay) => delay < 2 ** 31), String(delays));
});
