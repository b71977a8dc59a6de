/**
 * The compressed size of the viewer: `node Tests/public/size.js`. Of the files in public/, with their comments, each
 * compressed by itself, and of the files that `scripts/dist` makes for production.
 *
 * Fails when the first toast, a style, all scripts or all sheets exceed their limits, so that growth is a decision.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

/** Bytes, gzip. */
const limits = { first: 45_770, dist: 16_540, scripts: 48_375, sheets: 15_140, style: 1900 };

const source = new URL("../../public/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "toast-viewer-"));
execFileSync(new URL("../../scripts/dist", import.meta.url).pathname, [source.pathname, folder]);
const dist = new URL(`${pathToFileURL(folder)}/`);

/** @param {URL} root @param {string} name */
const read = (root, name) => readFileSync(new URL(name, root), "utf8");

/** @param {string} folder @param {string} kind */
const list = (folder, kind) => readdirSync(new URL(folder, source)).filter((name) => name.endsWith(kind)).map((name) => folder + name);

/** Static imports and re-exports, which load before a module runs. */
const needed = /(?:^|;)(?:import|export)\b[^;]*?\bfrom ?"(\.[^"]+)"/gm;
/** These, and dynamic imports. */
const loaded = /(?:\bfrom ?|\bimport\()"(\.[^"]+)"/g;

/**
 * A module and all modules that it imports, directly or not.
 *
 * @param {URL} root
 * @param {string} name
 * @param {RegExp} pattern - of the imports that count
 * @param {Set<string>} [found]
 */
function imports(root, name, pattern = needed, found = new Set()) {
  if (found.has(name)) { return found; }
  found.add(name);
  for (const [, address] of read(root, name).matchAll(pattern)) {
    imports(root, new URL(address, new URL(name, root)).href.slice(root.href.length), pattern, found);
  }
  return found;
}

/** @param {URL} root @param {Iterable<string>} names */
const size = (root, names) => [...names].reduce((sum, name) => sum + gzipSync(read(root, name), { level: 9 }).length, 0);

const glass = ["styles/base.css", "styles/glass.css"];
const styles = list("styles/", ".css");
const scripts = ["toast-viewer.js", ...list("viewer/", ".js"), ...list("viewer/lazy/", ".js")];

const together = ["interaction", "answers", "toast-lifecycle"].flatMap((name) => [...imports(source, `viewer/lazy/${name}.js`)]);
const next = new Set(together.filter((name) => !imports(source, "toast-viewer.js").has(name)));
const icons = ["viewer/lazy/role-icons.js", "viewer/lazy/more-icons.js"];

/** @type {Record<string, [Iterable<string>, Iterable<string>]>} */
const groups = {
  "first toast, in glass": [[...imports(source, "toast-viewer.js"), ...glass], imports(dist, "toast-viewer.js")],
  "after it": [[...next, "styles/stage.css"], [...imports(dist, "viewer/lazy/interaction.js"), "styles/stage.css"]],
  // With base.css and glass.css, because they are in the first file for production.
  "all scripts": [[...scripts, ...glass], imports(dist, "toast-viewer.js", loaded)],
  "of these, icons": [icons, icons],
  "all sheets": [styles, styles],
};
console.log(`${"bytes, gzip".padEnd(24)}${"public/".padStart(10)}${"dist".padStart(10)}`);
for (const [title, [here, there]] of Object.entries(groups)) {
  console.log(`${title.padEnd(24)}${String(size(source, here)).padStart(10)}${String(size(dist, there)).padStart(10)}`);
}

const [here, there] = groups["first toast, in glass"];
const large = styles.filter((name) => !/(base|parts|stage|controls)\.css$/.test(name) && size(source, [name]) > limits.style);
if (size(source, here) > limits.first) { large.push(`the first toast in public/ (at most ${limits.first} B)`); }
if (size(dist, there) > limits.dist) { large.push(`the first toast in production (at most ${limits.dist} B)`); }
for (const kind of /** @type {const} */ (["scripts", "sheets"])) {
  if (size(dist, groups[`all ${kind}`][1]) > limits[kind]) { large.push(`all ${kind} in production (at most ${limits[kind]} B)`); }
}
// The first toast must need one file only: none of the lazy parts.
if ([...there].length > 1) { large.push(`the first toast's files in production: ${[...there].join(" ")}`); }
rmSync(folder, { recursive: true });
if (large.length) {
  console.error(`Too large: ${large.join(", ")}`);
  process.exitCode = 1;
}
