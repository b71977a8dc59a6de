import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("..", import.meta.url));
const description = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
let project;
let installed;

/** The package as npm would install it: only what `files` names. */
before(async () => {
  execFileSync(join(source, "copy-viewer"));
  project = await mkdtemp(join(tmpdir(), "toastd-package-"));
  installed = join(project, "node_modules", description.name);
  for (const name of ["package.json", ...description.files]) {
    await cp(join(source, name), join(installed, name), { recursive: true });
  }
});
after(() => rm(project, { recursive: true }));

test("a program imports the client by the name of the package", async () => {
  const program = 'import * as all from "toast-viewer"; console.log(Object.keys(all).sort().join(" "));';
  await writeFile(join(project, "program.mjs"), program);
  const names = execFileSync(process.execPath, [join(project, "program.mjs")], { encoding: "utf8" }).trim();
  assert.equal(names, "ChannelClient ConnectionLost ProblemError ToastClient ToastStream");
});

test("every export has its file, and types", async () => {
  for (const [name, files] of Object.entries(description.exports)) {
    if (typeof files === "string") { continue; }
    assert.ok(files.types, name);
    for (const file of Object.values(files)) { assert.ok((await stat(join(installed, file))).isFile(), file); }
  }
});

test("every module of the element is in the package, and every style", async () => {
  const files = (await readdir(join(installed, "viewer"), { recursive: true })).filter((name) => /\.(js|ts)$/.test(name));
  let count = 0;
  for (const file of files) {
    const text = await readFile(join(installed, "viewer", file), "utf8");
    for (const [, target] of text.matchAll(/^(?:import|export|} from|.*\bimport\().*"(\.\.?\/[^"]+)"/gm)) {
      assert.ok((await stat(join(installed, "viewer", dirname(file), target))).isFile(), `${file}: ${target}`);
      count += 1;
    }
  }
  assert.ok(count > 100, `${count} imports`);
  const styles = (await readdir(join(installed, "viewer/styles"))).filter((name) => name.endsWith(".css"));
  assert.ok(styles.includes("glass.css") && styles.includes("base.css"), String(styles));
});

test("a draft has the members that openapi.yaml describes", async () => {
  const members = (text, start, end, pattern) => {
    const from = text.indexOf(start);
    const part = text.slice(from, text.indexOf(end, from + start.length));
    return [...part.matchAll(pattern)].map(([, name]) => name).sort();
  };
  const contract = await readFile(join(source, "../../openapi.yaml"), "utf8");
  const types = await readFile(join(source, "src/wire.d.ts"), "utf8");
  const described = members(contract, "\n    ToastMembers:\n", "\n    ToastDraft:\n", /^ {8}(\w+):/gm);
  assert.ok(described.length > 15, String(described));
  assert.deepEqual(members(types, "interface Draft {", "\n}", /^ {2}(\w+)\??:/gm), described);
});
