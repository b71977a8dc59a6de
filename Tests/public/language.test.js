import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bestLanguage, message } from "../../public/page/language.js";
import deHooks from "../../public/page/messages/de-hooks.js";
import de from "../../public/page/messages/de.js";
import enHooks from "../../public/page/messages/en-hooks.js";
import en from "../../public/page/messages/en.js";

const read = (name) => readFileSync(new URL(`../../public/${name}`, import.meta.url), "utf8");

for (const [part, english, german] of [["the page", en, de], ["the panel of hooks", enHooks, deHooks]]) {
  test(`${part} has the same messages in English and German`, () => {
    assert.deepEqual(Object.keys(german).toSorted(), Object.keys(english).toSorted());
    for (const [key, text] of Object.entries(english)) {
      const values = (words) => [...new Set(words.match(/\{\w+\}/g))].toSorted();
      assert.deepEqual(values(german[key]), values(text), key);
      assert.equal(german[key].split("|").length, text.split("|").length, key);
    }
  });
}

test("all messages that the hooks panel uses exist, and it adds none that the page has", () => {
  const all = { ...en, ...enHooks };
  const code = read("page/hooks.js") + read("page/hook-form.js");
  for (const [, key] of code.matchAll(/"(hooks(?:\.[a-zA-Z]+)*)"/g)) { assert.ok(key in all, key); }
  assert.deepEqual(Object.keys(enHooks).filter((key) => key in en), []);
});

for (const name of ["index.html", "gallery.html", "guide.html"]) {
  test(`${name} asks for messages that there are, and says them in English before they come`, () => {
    const html = read(name);
    for (const [, key] of html.matchAll(/data-(?:text|label|hint|placeholder)="([^"]+)"/g)) { assert.ok(key in en, key); }
    for (const [, key, text] of html.matchAll(/data-text="([^"]+)"[^>]*>([^<]+)</g)) { assert.equal(text, en[key], key); }
  });
}

test("a browser gets the first of its languages that is available", () => {
  assert.equal(bestLanguage([null, "fr-FR", "de-AT", "en"]), "de");
  assert.equal(bestLanguage(["de", "en-GB"]), "de");
  assert.equal(bestLanguage(["fr"]), "en");
  assert.equal(bestLanguage([null, "constructor"]), "en");
});

test("singular and plural have different forms, with values filled in", () => {
  assert.equal(message("en", "timeline.more", { count: 1 }), "and one more waits");
  assert.equal(message("de", "timeline.more", { count: 7 }), "und 7 weitere warten");
  assert.equal(message("de", "reason.acted", { action: "undo" }), "„undo“");
});

test("a number is formatted for the language, rounded to a tenth, and never as -0", () => {
  assert.equal(message("en", "seconds", { seconds: 1.797 }), "1.8\u00a0s");
  assert.equal(message("de", "log.left", { seconds: 1.797 }), "noch 1,8\u00a0s");
  assert.equal(message("de", "seconds", { seconds: -0.03 }), "0\u00a0s");
  assert.equal(message("en", "seconds", { seconds: 6 }), "6\u00a0s");
});
