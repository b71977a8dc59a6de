/** custom-elements.json says what the element is: its attributes, events and parts are those of the code. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../public/", import.meta.url);
const read = (/** @type {string} */ name) => readFileSync(new URL(name, root), "utf8");
const { modules: [{ declarations: [element] }] } = JSON.parse(read("custom-elements.json"));
const files = ["viewer/", "viewer/lazy/"].flatMap((folder) => readdirSync(new URL(folder, root)).filter((it) => it.endsWith(".js")).map((it) => folder + it));
const code = files.map(read).join("\n");
/** @param {{ name: string }[]} all */
const names = (all) => all.map(({ name }) => name).sort();

test("the manifest has the events that the code dispatches", () => {
  const told = [...code.matchAll(/@fires (toast-[a-z]+)/g)].map(([, name]) => name);
  assert.deepEqual(names(element.events), [...new Set(told)].sort());
});

test("the manifest has the parts that the code makes", () => {
  const made = [...code.matchAll(/(?:make\("[a-z0-9]+", |setAttribute\("part", |, )"([a-z-]+)"(?=[,)])/g)].map(([, name]) => name);
  for (const { name } of element.cssParts) {
    assert.ok(made.includes(name) || new RegExp(`"${name}"|\`(?:toast|control|action) |part="?${name}| ${name}\``).test(code), `${name} is no part`);
  }
  for (const name of ["toast", "title", "message", "actions", "toolbar", "panel", "connection"]) { assert.ok(names(element.cssParts).includes(name), name); }
  const drawn = [...code.matchAll(/\bmake\("[a-z0-9]+", (?:\w+ \? )?"([a-z -]+)"/g)].flatMap(([, it]) => it.split(" "));
  assert.deepEqual(drawn.filter((name) => !names(element.cssParts).includes(name)), []);
});

test("every attribute that the element uses is in the manifest and in the types", () => {
  const asked = [...code.matchAll(/(?:host|this|element)\.(?:get|has)Attribute\("([a-z-]+)"\)/g)].map(([, name]) => name);
  const known = names(element.attributes);
  for (const name of asked.filter((it) => !/^(part|data-|tabindex|aria-|lang$)/.test(it))) { assert.ok(known.includes(name), `${name} is not named`); }
  const types = read("toast-viewer.d.ts");
  for (const name of known) { assert.match(types, new RegExp(`\\n  "?${name}"?\\?: `), `${name} has no type in JSX`); }
});

test("every attribute with a property is a field, and docs/embed.md has a row for each attribute", () => {
  const words = /^const words = \{(.*?)^\};/ms.exec(read("viewer/element.js"))?.[1] ?? "";
  const properties = [...words.matchAll(/(\w+): "/g)].map(([, name]) => name);
  assert.ok(properties.length > 10);
  const fields = element.members.filter((/** @type {{ attribute?: string }} */ { attribute }) => attribute);
  assert.deepEqual(names(fields), [...properties, "holds", "local"].sort());
  const table = read("../docs/embed.md").split("| attribute | meaning |")[1].split("\n\n")[0];
  assert.deepEqual([...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, name]) => name).sort(), names(element.attributes));
});

test("the types import declaration files only", () => {
  /** @type {Set<string>} */
  const found = new Set();
  const follow = (/** @type {string} */ name) => {
    if (found.has(name)) { return; }
    found.add(name);
    for (const [, address] of read(name).matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) { follow(new URL(address, new URL(name, root)).href.slice(root.href.length)); }
  };
  for (const name of ["toast-viewer.d.ts", "toast-viewer-react.d.ts"]) { follow(name); }
  assert.deepEqual([...found].filter((name) => !name.endsWith(".d.ts")), []);
  assert.ok(found.has("viewer/wire.d.ts"));
});
