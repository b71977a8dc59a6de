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
  assert.equal(names, "ChannelClient ConnectionLost ProblemError ToastClient ToastStream UnexpectedAnswer");
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

/** The names in the part of a text that a pattern finds. */
const names = (text, part, name) => [...(part.exec(text)?.[1] ?? "").matchAll(name)].map((it) => it[1]).sort();

const contract = await readFile(join(source, "../../openapi.yaml"), "utf8");
const wire = await readFile(join(source, "src/wire.d.ts"), "utf8");
const declaration = await readFile(join(source, "src/index.d.ts"), "utf8");

/** The members of an interface. */
const members = (text, name) => names(text, new RegExp(`interface ${name} {\\n(.*?)\\n}`, "s"), /^ {2}(\w+)\??:/gm);

/** The properties of a schema. */
const properties = (name) =>
  names(contract, new RegExp(`\\n    ${name}:\\n(?: {6}.*\\n)*? {6}properties:\\n((?: {8}.*\\n)+)`), /^ {8}(\w+):/gm);

for (const [name, declared, ...schemas] of [
  ["a draft", members(wire, "Draft"), "ToastMembers", "PublicationMembers"],
  ["a button", members(wire, "ActionDraft"), "ActionInput"],
  ["a receipt", names(wire, /type ReceiptMember =(.*?);/s, /"(\w+)"/g), "ToastReceipt"],
  ["a batch", members(wire, "ToastBatch"), "ToastBatch"],
  ["a change of several toasts", members(wire, "UpdatedToasts"), "UpdatedToasts"],
]) {
  test(`${name} has the members that openapi.yaml describes`, () => {
    assert.deepEqual(declared, schemas.flatMap(properties).sort());
    assert.ok(declared.length > 1, String(declared));
  });
}

test("a stream has the options that openapi.yaml describes", () => {
  const described = names(contract, /operationId: streamChannel\n(.*?)responses:/s, /parameters\/(\w+)"/g);
  // Two parameters are header fields; `language` has another name as a parameter of a path.
  const parameters = described.filter((name) => !["lastEventID", "acceptLanguage"].includes(name));
  const options = members(declaration, "StreamOptions").filter((name) => !["token", "signal", "fetch"].includes(name));
  assert.deepEqual(options, parameters.map((name) => name.replace("languages", "language")));
});
