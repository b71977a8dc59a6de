/**
 * How much of the viewer goes over the wire, gzip of each file as it is served: `node Tests/public/size.js`.
 *
 * Fails when a page's first toast, or a style, has outgrown its limit: what more it costs has to be wanted.
 */

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const root = new URL("../../public/", import.meta.url);

/** Bytes, gzip, as served. */
const limits = { first: 59_300, style: 1800 };

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, root), "utf8");

/** @param {string} folder */
const list = (folder) => readdirSync(new URL(folder, root)).map((name) => folder + name);

/**
 * A module and all that it needs before it runs.
 *
 * @param {string} name
 * @param {Set<string>} [found]
 */
function imports(name, found = new Set()) {
  if (found.has(name)) { return found; }
  found.add(name);
  for (const [, address] of read(name).matchAll(/^(?:import|export)\b[^;]*? from "(\.[^"]+)"/gm)) {
    imports(new URL(address, new URL(name, root)).href.slice(root.href.length), found);
  }
  return found;
}

/** @param {Iterable<string>} names */
const size = (names) => [...names].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);

/**
 * The same without comments and indentation: what a step before serving would leave.
 *
 * @param {Iterable<string>} names
 */
const bare = (names) => [...names].reduce((sum, name) => {
  const text = read(name).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "").replace(/^\s+/gm, "").replace(/\n{2,}/g, "\n");
  return sum + gzipSync(text, { level: 9 }).length;
}, 0);

const scripts = ["toast-viewer.js", ...list("viewer/").filter((name) => name.endsWith(".js"))];
const sheets = list("styles/");
const needed = imports("toast-viewer.js");
const first = [...needed, "styles/base.css", "styles/glass.css"];

const groups = {
  "first toast, in glass": first,
  "scripts loaded later": scripts.filter((name) => !needed.has(name)),
  "all scripts": scripts,
  "all sheets": sheets,
  "everything": [...scripts, ...sheets],
};
for (const [title, names] of Object.entries(groups)) {
  console.log(`${title.padEnd(22)} ${String(size(names)).padStart(6)} B gzip, ${String(bare(names)).padStart(6)} B without comments and indentation`);
}

const large = sheets.filter((name) => !/(base|controls)\.css$/.test(name) && size([name]) > limits.style);
if (size(first) > limits.first) { large.push(`the first toast (${size(first)} B, at most ${limits.first})`); }
if (large.length) {
  console.error(`Too large: ${large.join(", ")}`);
  process.exitCode = 1;
}
