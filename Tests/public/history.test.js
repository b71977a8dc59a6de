import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../public/viewer/history.js";
import { at, event, toast } from "./fixtures.js";

/** @param {...any} events */
function after(...events) {
  const history = new History();
  for (const each of events) { history.take(each); }
  return history;
}

/** @param {string} id @param {string} message */
const presented = (id, message) => event("presented", { toast: toast({ id, message }) });
/** @param {string} id */
const dismissed = (id, dismissReason = "close") => event("dismissed", { id, dismissReason });

test("each toast of an id is remembered, with how it went", () => {
  const history = after(presented("a", "One"), dismissed("a"), presented("b", "Other"), presented("a", "Two"), dismissed("a", "timeout"), presented("a", "Three"));
  assert.deepEqual(history.all.map((it) => [it.toast.message, it.reason]), [["Three", undefined], ["Two", "timeout"], ["Other", undefined], ["One", "close"]]);
  history.see(["a"]);
  assert.deepEqual(history.all.map(({ isNew }) => isNew), [false, false, true, false]);
  assert.equal(history.unread(), 1);
});

test("a toast of a snapshot came when it was presented", () => {
  const [there, local] = [toast({ presentedAt: at(3) }), toast({ id: "b" })];
  const history = after(event("snapshot", { presented: [{ toast: there }, { toast: local }] }, 9));
  assert.deepEqual(history.all.map((it) => it.at).sort(), [Date.parse(at(3)), Date.parse(at(9))]);
});

test("a toast that goes before it was shown changes nothing that is remembered", () => {
  const history = after(presented("a", "One"), dismissed("a"), dismissed("a", "expired"));
  assert.deepEqual(history.all.map(({ reason }) => reason), ["close"]);
});

test("a toast that is repeated while it is there is remembered once, as it was last", () => {
  const snapshot = event("snapshot", { presented: [{ toast: toast({ message: "Two" }) }] });
  const history = after(presented("a", "One"), snapshot, event("updated", { toast: toast({ message: "Three" }) }));
  assert.deepEqual(history.all.map((it) => it.toast.message), ["Three"]);
});

test("two hundred are remembered", () => {
  const history = after(...Array.from({ length: 300 }, (_, n) => presented(`t${n}`, `Toast ${n}`)));
  assert.equal(history.all.length, 200);
  assert.equal(history.all[0].toast.message, "Toast 299");
  assert.equal(history.unread(new Set(["t299"])), 199);
});
