import assert from "node:assert/strict";
import { test } from "node:test";
import { formats, sample, signature } from "../../public/page/hook-samples.js";

const plain = (value) => JSON.parse(JSON.stringify(value));

test("the sample for a hook has values at its pointers", () => {
  const hook = {
    format: "json",
    pointers: { title: "/monitor/name", message: "/a~1b/m~0n/0", role: "/heartbeat/status" },
    roles: { "1": "success", "0": "error" },
  };
  assert.deepEqual(plain(sample(hook, "Test", "It works").document), {
    monitor: { name: "Test" }, "a/b": { "m~n": { 0: "It works" } }, heartbeat: { status: "0" },
  });
});

test("a pointer to the whole document, and names that objects have by themselves", () => {
  assert.equal(sample({ format: "json", pointers: { message: "" } }, "Test", "It works").document, "It works");
  const { document } = sample({ format: "json", pointers: { message: "/__proto__/toString" } }, "Test", "It works");
  assert.equal(JSON.stringify(document), '{"__proto__":{"toString":"It works"}}');
});

test("the sample of every format has the given text", () => {
  for (const format of Object.keys(formats)) {
    const { document } = sample({ format, pointers: { message: "/text" } }, "Test", "It works");
    assert.ok(JSON.stringify(document).includes("It works"), format);
  }
});

// The second test case of RFC 4231 §4.3.
const code = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

test("a sample is signed as GitHub, GitLab and Grafana sign", async () => {
  const sign = (format) => signature({ format, signingSecret: "Jefe" }, "what do ya want for nothing?");
  assert.deepEqual(await sign("github"), { "x-hub-signature-256": `sha256=${code}` });
  assert.deepEqual(await sign("grafana"), { "x-grafana-alerting-signature": code });
  assert.deepEqual(await sign("gitlab"), { "x-gitlab-token": "Jefe" });
  assert.deepEqual(await signature({ format: "github" }, "x"), {});
});
