import assert from "node:assert/strict";
import { test } from "node:test";
import { english, safeURL, spoken as told, text, titleOf as titled } from "../../public/viewer/text.js";
import { differing } from "../../public/viewer/lazy/catalog.js";
import { wordsIn } from "../../public/viewer/lazy/messages.js";
import { toast } from "./fixtures.js";

/** @import { Say } from "../../public/viewer/text.js" */
/** @import { Toast } from "../../public/viewer/wire.d.ts" */

/** @param {Toast} it @param {Say} [say] */
const titleOf = (it, say = english) => titled(it, say);
/** @param {Toast} it @param {string} [words] @param {string} [hint] @param {Say} [say] */
const spoken = (it, words, hint, say = english) => told(it, words, hint, say);

test("a string is shown as it is", () => {
  assert.equal(text("<b>*hi*</b> %@"), "<b>*hi*</b> %@");
});

test("a localized text shows the server's rendering, else its default, else its key", () => {
  assert.equal(text({ key: "k", default: "d", text: "t" }), "t");
  assert.equal(text({ key: "k", default: "d" }), "d");
  assert.equal(text({ key: "k" }), "k");
});

test("an absent title is that of the role, null is none", () => {
  assert.equal(titleOf(toast({ role: "error" })), "Error");
  assert.equal(titleOf(toast({ title: null })), "");
  assert.equal(titleOf(toast({ title: "Mine" })), "Mine");
});

test("the name of a toast has its role once, before the title and the message", () => {
  assert.equal(spoken(toast({ role: "error", message: "Full" })), "Error: Full");
  assert.equal(spoken(toast({ role: "error", title: "Disk", message: "Full" })), "Error: Disk: Full");
  assert.equal(spoken(toast({ title: null, message: "Full" })), "Info: Full");
});

test("roles are in German with German words", () => {
  const say = wordsIn("de-AT");
  assert.equal(titleOf(toast({ role: "error" }), say), "Fehler");
  assert.equal(spoken(toast({ role: "error", message: "Voll" }), undefined, "", say), "Fehler: Voll");
  assert.equal(say("dismiss", { name: "Voll" }), "Schließen: Voll");
});

test("the server's words replace ours where they differ", () => {
  const catalog = { close: "Schließen", "role.error.title": "Panne", "role.info.title": { one: "x" }, progress: "100 %% fertig", mine: "x" };
  const learned = differing("de", catalog);
  assert.deepEqual(learned, { errorRole: "Panne", progress: "100 % fertig" });
  assert.equal(titleOf(toast({ role: "error" }), wordsIn("de", learned)), "Panne");
  assert.equal(wordsIn("fr", differing("fr", { close: "Fermer" }))("dismiss", { name: "Plein" }), "Fermer: Plein");
});

test("an announcement has the actions, and the key to get to them", () => {
  assert.equal(spoken(toast({ message: "Deleted", actions: [{ id: "u", title: "Undo" }] }), undefined, "press F8."), "Info: Deleted. Undo: press F8.");
});

test("the server's announcement replaces the name, and its full stop is not doubled", () => {
  const words = "error, Disk. Full.";
  assert.equal(spoken(toast({ role: "error", message: "Full" }), words), words);
  assert.equal(spoken(toast({ actions: [{ id: "u", title: "Undo" }] }), words, "press F8."), "error, Disk. Full. Undo: press F8.");
});

for (const url of ["https://a.example/x.png", "http://a.example", "/x.png", "x/y.png", "//a.example/x", "https://a.example/@b", "https://a.example?c@d"]) {
  test(`${url} may be used`, () => { assert.equal(safeURL(url), url); });
}

for (const url of ["javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x", "https://bank.example@a.example/", "https://a:b@a.example/x.png", "//a@b.example/", "", undefined]) {
  test(`${JSON.stringify(url)} may not`, () => { assert.equal(safeURL(url), undefined); });
}
