/** Wrong arguments, and answers that are not those of toastd: they throw only the documented errors. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { ConnectionLost, ProblemError, ToastClient, UnexpectedAnswer } from "../src/index.js";

const address = "http://toasts.example";

/** A server that gives the same answer each time, a channel of it, and the requests to it. */
function answered(answer, options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    return answer();
  };
  const client = new ToastClient(address, { fetch, ...options });
  return { requests, client, ops: client.channel("ops") };
}

const first = (ops) => ops.stream()[Symbol.asyncIterator]().next();

const events = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });

for (const name of ["", ".", ".."]) {
  test(`the name "${name}" leads elsewhere, and is refused`, async () => {
    const { requests, ops } = answered(() => Response.json({}));
    const refusal = { name: "TypeError", message: /is no name/ };
    assert.throws(() => new ToastClient(address).channel(name), refusal);
    for (const call of [
      ops.get(name), ops.delete(name), ops.patch(name, { message: "Deployed" }), ops.dismiss(name),
      ops.act(name, "undo"), ops.act("t1", name), ops.hold("t1", name), ops.release("t1", name),
    ]) { await assert.rejects(call, refusal); }
    assert.equal(requests.length, 0);
  });
}

test("a string is no list of names", async () => {
  const { requests, ops } = answered(() => Response.json({}));
  const client = new ToastClient(address);
  const refusal = { name: "TypeError", message: /^"ops" is one name; a list of names is needed\.$/ };
  assert.throws(() => client.stream("ops"), refusal);
  assert.throws(() => ops.stream({ events: "ops" }), refusal);
  await assert.rejects(client.publishTo("ops", "Deployed"), refusal);
  assert.equal(requests.length, 0);
});

test("what is no text clears nothing", async () => {
  const { requests, ops } = answered(() => Response.json({ dismissedCount: 7 }));
  const refusal = { name: "TypeError", message: '"title" is undefined; a text is needed.' };
  await assert.rejects(ops.clear({ placement: "top", title: undefined }), refusal);
  assert.equal(requests.length, 0);
});

test("a number that is not finite is refused, and not sent as the channel's default", async () => {
  const { requests, ops } = answered(() => Response.json({}));
  for (const [call, message] of [
    [ops.publish({ message: "Deployed", duration: Infinity }), '"duration" is Infinity; a finite number is needed.'],
    [ops.publishBatch([{ message: "Deployed", progress: { value: NaN } }]), '"value" is NaN; a finite number is needed.'],
    [ops.patch("t1", { expiresAfter: -Infinity }), '"expiresAfter" is -Infinity; a finite number is needed.'],
    [ops.hold("t1", "viewer-1", NaN), '"lease" is NaN; a finite number is needed.'],
    [ops.ask("Go on?", { wait: NaN }), '"wait" is NaN; a number of seconds is needed.'],
  ]) { await assert.rejects(call, { name: "TypeError", message }); }
  assert.equal(requests.length, 0);
});

test("a redirect is an error that names it, and nothing is sent to where it leads", async (context) => {
  const paths = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    response.writeHead(301, { Location: "/elsewhere" }).end();
  });
  await new Promise((ready) => { server.listen(0, "127.0.0.1", ready); });
  context.after(() => { server.closeAllConnections(); server.close(); });
  const ops = new ToastClient(`http://127.0.0.1:${server.address().port}`).channel("ops");
  const redirected = { name: "ProblemError", status: 301, message: /redirects to \/elsewhere/ };
  await assert.rejects(ops.publish("Deployed"), redirected);
  await assert.rejects(ops.ask("Go on?", { wait: 5 }), redirected);
  await assert.rejects(first(ops), redirected);
  assert.ok(paths.length === 3 && !paths.includes("/elsewhere"), String(paths));
});

test("a redirect that a browser hides is an error, too", async () => {
  const hidden = () => {
    const response = Response.error();
    Object.defineProperty(response, "type", { value: "opaqueredirect" });
    return response;
  };
  await assert.rejects(answered(hidden).ops.publish("Deployed"), /redirects to another address/);
});

for (const [name, token, message] of [
  ["is no header", "toastd_KEY\n\nmore", /invalid/i],
  ["cannot be fetched", () => { throw new Error("log in first"); }, /log in first/],
]) {
  test(`a token that ${name} is no lost connection`, async () => {
    const { requests, ops } = answered(() => Response.json({}), { token });
    const isRight = (error) => !(error instanceof ConnectionLost) && message.test(error.message);
    for (const call of [ops.publish("Deployed"), ops.ask("Go on?"), first(ops)]) {
      await assert.rejects(call, isRight);
    }
    assert.equal(requests.length, 0);
  });
}

for (const body of ["<html>Hello.</html>", "", "null", "[]", "7", "{}", '{"id":7}', '{"state":"dismissed"}']) {
  test(`the answer "${body}" of another server is unexpected, and no lost connection`, async () => {
    const { requests, client, ops } = answered(() => new Response(body));
    const calls = {
      ask: ops.ask("Go on?"), publish: ops.publish("Deployed"), publishBatch: ops.publishBatch(["Deployed"]),
      publishTo: client.publishTo(["ops"], "Deployed"), toasts: ops.toasts(), page: ops.page(), get: ops.get("t1"),
      patch: ops.patch("t1", {}), patchAll: ops.patchAll("disk", {}), delete: ops.delete("t1"), clear: ops.clear(),
      dismiss: ops.dismiss("t1"), act: ops.act("t1", "undo"), hold: ops.hold("t1", "viewer-1"),
    };
    const all = Object.entries(calls);
    await Promise.all(all.map(([name, call]) => assert.rejects(call, UnexpectedAnswer, name)));
    assert.equal(requests.length, all.length);
  });
}

test("a refusal of another server is a problem", async () => {
  const { ops } = answered(() => Response.json({ errors: { no: 1 }, detail: "No." }, { status: 400 }));
  await assert.rejects(ops.get("t1"), (error) => error instanceof ProblemError && error.message.endsWith("No."));
});

for (const type of ["text/html; charset=utf-8", "application/json"]) {
  test(`a stream of the type ${type} is an error`, async () => {
    const { requests, ops } = answered(() => new Response("<html>", { headers: { "Content-Type": type } }));
    await assert.rejects(first(ops), { name: "UnexpectedAnswer", message: /no stream of events/ });
    assert.equal(requests.length, 1);
  });
}

test("an event that cannot be read is skipped", async () => {
  const text = 'data: {bad\n\ndata: null\n\ndata: {"id": "t1"}\n\ndata: {"type": "acted", "id": "t1"}\n\n';
  assert.deepEqual((await first(answered(() => events(text)).ops)).value, { type: "acted", id: "t1" });
});
