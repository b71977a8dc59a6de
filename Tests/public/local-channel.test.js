/** Toasts that a page shows itself, without a screen: what is told of them, and what a page can do with them. */

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

test("an update changes neither the id of a toast nor when it came", () => {
  const { channel, of } = make();
  channel.show("a", { message: "A", duration: "indefinite" });
  const [{ toast }] = of("presented");
  assert.ok(channel.update("a", { ...toast, id: "other", createdAt: "", presentedAt: "", state: "queued", message: "B", actions: [] }));
  const [{ toast: changed }] = of("updated");
  assert.deepEqual({ ...changed, revision: 1 }, { ...toast, message: "B", actions: [] });
  assert.ok(channel.has("a"));
  assert.ok(!channel.has("other"));
});

test("an action whose id is undefined is called as one without an id is", () => {
  const { channel } = make();
  /** @type {string[]} */
  const pressed = [];
  channel.show("a", { message: "A", duration: Infinity, actions: [{ id: undefined, title: "Undo", onPress: () => pressed.push("undo") }] });
  channel.perform("a", "actions/0");
  assert.deepEqual(pressed, ["undo"]);
});

test("a toast whose time is infinite stays", () => {
  const { channel, of } = make();
  channel.show("a", { message: "A", duration: Infinity });
  const [{ toast, remaining }] = of("presented");
  assert.equal(toast.duration, "indefinite");
  assert.equal(remaining, undefined);
});
