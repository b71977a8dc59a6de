import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../public/viewer/history.js";
import { isHotkey, spelled } from "../../public/viewer/localizer.js";
import { adapt, parsePreferences, preferences } from "../../public/viewer/preferences.js";
import { wordsIn } from "../../public/viewer/lazy/messages.js";
import { event, toast } from "./fixtures.js";

const none = { scale: 1, isPaused: false, isQuiet: false };

for (const text of [null, "", "{", "null", "7", '"x"', "[]", '{"scale":11,"placement":"left","style":"../x","isPaused":"yes","vibrates":1}']) {
  test(`${JSON.stringify(text)} sets no preference`, () => { assert.deepEqual(parsePreferences(text), none); });
}

test("preferences are kept as they are", () => {
  const preferences = { scale: "never", isPaused: true, isQuiet: true, vibrates: false, placement: "bottom", style: "retro" };
  assert.deepEqual(parsePreferences(JSON.stringify(preferences)), preferences);
  assert.equal(parsePreferences('{"scale":10}').scale, 10);
});

/** @param {string} code @param {string[]} held @param {object} [state] */
const key = (code, held = [], state = {}) => /** @type {KeyboardEvent} */ ({ code, getModifierState: (it) => held.includes(it), ...state });

test("a hotkey is that key with those modifiers and no others", () => {
  assert.ok(isHotkey("F8", key("F8")));
  assert.ok(!isHotkey("F8", key("F8", ["Shift"])));
  assert.ok(!isHotkey("F9", key("F8")));
  assert.ok(isHotkey("Alt+KeyT", key("KeyT", ["Alt"])));
  assert.ok(isHotkey("Shift+Alt+KeyT", key("KeyT", ["Alt", "Shift"])));
  assert.ok(!isHotkey("Alt+KeyT", key("KeyT")));
  assert.ok(!isHotkey("Alt+KeyT", key("KeyT", ["Alt", "Control"])));
});

test("without a hotkey no key is one, nor while composing, repeating, or after another handler", () => {
  assert.ok(!isHotkey("", key("F8")));
  assert.ok(!isHotkey("", key("")));
  for (const state of ["repeat", "isComposing", "defaultPrevented"]) { assert.ok(!isHotkey("F8", key("F8", [], { [state]: true }))); }
});

test("the keydown of autofill is no hotkey", () => {
  assert.ok(!isHotkey("F8", /** @type {any} */ ({ type: "keydown" })));
  assert.ok(!isHotkey("", /** @type {any} */ ({ type: "keydown" })));
});

test("a hotkey is spelled for people", () => {
  assert.equal(spelled("F8"), "F8");
  assert.equal(spelled("Control+Shift+KeyN"), "Ctrl+Shift+N");
  assert.equal(spelled(""), "");
});

test("the history has the newest two hundred toasts, once each, with their present content", () => {
  const history = new History();
  for (let index = 0; index < 250; index++) {
    history.take(/** @type {any} */ (event("presented", { toast: toast({ id: `t${index}` }) })));
  }
  history.take(/** @type {any} */ (event("presented", { toast: toast({ id: "t249", message: "again" }) })));
  history.take(/** @type {any} */ (event("dismissed", { id: "t249", dismissReason: "close", exit: 0 })));
  assert.equal(history.all.length, 200);
  assert.equal(history.all[0].toast.message, "again");
  assert.equal(history.all[0].reason, "close");
  assert.equal(history.all[199].id, "t50");
});

test("toasts that were not on the screen are new until they are read", () => {
  const history = new History();
  for (const id of ["a", "b", "c"]) { history.take(/** @type {any} */ (event("presented", { toast: toast({ id }) }))); }
  history.see(["a"]);
  assert.equal(history.unread(), 2);
  assert.equal(history.unread(new Set(["a", "b"])), 1);
  history.see(history.all.map(({ id }) => id));
  assert.equal(history.unread(), 0);
  assert.equal(history.unread(new Set(["b", "c"])), 0);
});

test("words are in the requested language, else in English", () => {
  assert.equal(wordsIn("de-AT")("more", { n: 3 }), "3 weitere zeigen");
  assert.equal(wordsIn("fr")("more", { n: 3 }), "Show 3 more");
});

test("adapt returns the same object unless the placement or the style changes", () => {
  const entry = /** @type {any} */ ({ toast: toast({ placement: "top", style: "pale" }) });
  assert.equal(adapt(entry), entry);
  preferences.change({ placement: "bottom", style: "retro" });
  const adapted = adapt(entry);
  assert.deepEqual([adapted.toast.placement, adapted.toast.style], ["bottom", "retro"]);
  preferences.change({ isPaused: true });
  assert.equal(adapt(entry), adapted);
  preferences.change({ style: "glass" });
  assert.equal(adapt(entry).toast.style, "glass");
  preferences.change({ placement: undefined, style: undefined });
  assert.deepEqual(adapt(entry), entry);
});
