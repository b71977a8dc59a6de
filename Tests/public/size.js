/**
 * How much of the viewer goes over the wire, gzip of the files as they are served:
 * `node Tests/public/size.js [limit in bytes]`. What a page loads for a toast of one style, and all there is.
 */

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const root = new URL("../../public/", import.meta.url);

/** @param {string} folder */
const list = (folder) => readdirSync(new URL(folder, root)).map((name) => folder + name);

const lazy = ["viewer/more-icons.js", "viewer/role-icons.js"];
const scripts = ["toast-viewer.js", ...list("viewer/").filter((name) => name.endsWith(".js"))];
const sheets = list("styles/");

/** @param {string[]} names */
const size = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, root)), { level: 9 }).length, 0);

/**
 * The same without comments and indentation: what a step before serving would leave.
 *
 * @param {string[]} names
 */
const bare = (names) => names.reduce((sum, name) => {
  const text = readFileSync(new URL(name, root), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "").replace(/^\s+/gm, "").replace(/\n{2,}/g, "\n");
  return sum + gzipSync(text, { level: 9 }).length;
}, 0);

const first = [...scripts.filter((name) => !lazy.includes(name)), "styles/base.css", "styles/glass.css"];
const all = [...scripts, ...sheets];
for (const [title, names] of Object.entries({ "scripts": scripts, "sheets": sheets, "first glass toast": first, "everything": all })) {
  console.log(`${title.padEnd(18)} ${String(size(names)).padStart(6)} B gzip, ${String(bare(names)).padStart(6)} B without comments`);
}

const limit = Number(process.argv[2] ?? Infinity);
if (size(first) > limit) {
  console.error(`The first toast costs more than ${limit} B`);
  process.exitCode = 1;
}
