import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../public/viewer/history.js";
import { preferences } from "../../public/viewer/preferences.js";
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

test("toasts that reuse an id have an entry each, with the reason of the dismissal", () => {
  const history = after(presented("a", "One"), dismissed("a"), presented("b", "Other"), presented("a", "Two"), dismissed("a", "timeout"), presented("a", "Three"));
  assert.deepEqual(history.all.map((it) => [it.toast.message, it.reason]), [["Three", undefined], ["Two", "timeout"], ["Other", undefined], ["One", "close"]]);
  history.see(["a"]);
  assert.deepEqual(history.all.map(({ isNew }) => isNew), [false, false, true, false]);
  assert.equal(history.unread(), 1);
});

test("a toast of a snapshot has the time of its presentation", () => {
  const [there, local] = [toast({ presentedAt: at(3) }), toast({ id: "b" })];
  const history = after(event("snapshot", { presented: [{ toast: there }, { toast: local }] }, 9));
  assert.deepEqual(history.all.map((it) => it.at).sort(), [Date.parse(at(3)), Date.parse(at(9))]);
});

test("the dismissal of a toast that was never presented changes nothing", () => {
  const history = after(presented("a", "One"), dismissed("a"), dismissed("a", "expired"));
  assert.deepEqual(history.all.map(({ reason }) => reason), ["close"]);
});

test("a toast that is presented again before it goes has one entry, with the last content", () => {
  const snapshot = event("snapshot", { presented: [{ toast: toast({ message: "Two" }) }] });
  const history = after(presented("a", "One"), snapshot, event("updated", { toast: toast({ message: "Three" }) }));
  assert.deepEqual(history.all.map((it) => it.toast.message), ["Three"]);
});

test("the history keeps two hundred toasts", () => {
  const history = after(...Array.from({ length: 300 }, (_, n) => presented(`t${n}`, `Toast ${n}`)));
  assert.equal(history.all.length, 200);
  assert.equal(history.all[0].toast.message, "Toast 299");
  assert.equal(history.unread(new Set(["t299"])), 199);
});

test("toasts that are not to disturb are remembered, but not counted", () => {
  preferences.change({ isQuiet: true });
  const history = after(presented("a", "One"), event("presented", { toast: toast({ id: "b", role: "error" }) }));
  preferences.change({ isQuiet: false });
  assert.equal(history.came, 1);
  assert.equal(history.unread(), 2);
});

test("toasts that came are counted once each, read or not, until the history is cleared", () => {
  const history = after(presented("a", "One"), dismissed("a"), presented("b", "Two"));
  history.see(["a", "b"]);
  history.take(presented("a", "Three"));
  history.take(event("snapshot", { presented: [{ toast: toast({ id: "a", message: "Three" }) }] }));
  assert.equal(history.came, 3);
  history.clear(() => false);
  assert.equal(history.came, 0);
});
