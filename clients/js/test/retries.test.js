/** When a request is repeated, and when a list is read again from its beginning. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, mock, test } from "node:test";

import { ConnectionLost, ProblemError, ToastClient, ToastStream } from "../src/index.js";
import { address, events, headOnly, json, lost, pass, problem, scripted, setClock, silent } from "./scripted.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.reset());

for (const [name, call] of Object.entries({
  "a press": (ops) => ops.act("t1", "undo"),
  "a clear": (ops) => ops.clear({ reuseIdentifier: "disk" }),
})) {
  test(`${name} is sent once, because the server may have obeyed`, async () => {
    const { requests, fetch } = scripted(lost);
    const refused = assert.rejects(call(new ToastClient(address, { fetch }).channel("ops")), ConnectionLost);
    await pass(10);
    await refused;
    assert.equal(requests.length, 1);
  });
}

for (const [name, call] of Object.entries({
  publish: (ops) => ops.publish("Deployed"),
  dismiss: (ops) => ops.dismiss("t1"),
  patch: (ops) => ops.patch("t1", { message: "Deployed" }),
  hold: (ops) => ops.hold("t1", "viewer-1"),
})) {
  test(`${name} is sent again`, async () => {
    const { requests, fetch } = scripted(lost, () => json(200, { id: "t1" }));
    const answer = call(new ToastClient(address, { fetch }).channel("ops"));
    await pass(1);
    assert.deepEqual(await answer, { id: "t1" });
    assert.equal(requests.length, 2);
  });
}

test("a change of one revision is sent once, because the second request would be refused", async () => {
  const { requests, fetch } = scripted(lost);
  const ops = new ToastClient(address, { fetch }).channel("ops");
  const refused = assert.rejects(ops.patch("t1", { message: "Deployed" }, { revision: 1 }), ConnectionLost);
  await pass(10);
  await refused;
  assert.equal(requests.length, 1);
});

test("options that are undefined are as if they were left out", async () => {
  const { requests, fetch } = scripted(lost, lost, lost, lost, lost, lost);
  const ops = new ToastClient(address, { attempts: undefined, fetch, token: "toastd_KEY" }).channel("ops");
  const refused = assert.rejects(ops.get("t1"), ConnectionLost);
  await pass(32);
  await refused;
  assert.equal(requests.length, 6);
  const streaming = scripted(() => events('data: {"type": "snapshot"}\n\n'));
  const client = new ToastClient(address, { fetch: streaming.fetch, token: "toastd_KEY" });
  const stream = client.channel("ops").stream({ token: undefined, fetch: undefined })[Symbol.asyncIterator]();
  assert.equal((await stream.next()).value.type, "snapshot");
  assert.equal(streaming.requests[0].headers.get("Authorization"), "Bearer toastd_KEY");
  await stream.return();
});

test("a key in use is tried again under the same key, after a pause", async () => {
  const { requests, fetch } = scripted(() => problem(409, "idempotency-key-in-use"), () => json(201, { id: "t1" }));
  const toast = new ToastClient(address, { fetch }).channel("ops").publish("Deployed");
  await pass(0.2);
  assert.equal(requests.length, 1);
  await pass(1);
  assert.equal((await toast).id, "t1");
  const [first, second] = requests.map(({ headers }) => headers.get("Idempotency-Key"));
  assert.ok(first);
  assert.equal(first, second);
});

for (const [name, call] of Object.entries({
  publish: (ops, key) => ops.publish("Deployed", { key }),
  publishBatch: (ops, key) => ops.publishBatch(["Deployed"], { key }),
  ask: (ops, key) => ops.ask("Go on?", { key }),
  publishTo: (_, key, client) => client.publishTo(["ops"], "Deployed", { key }),
})) {
  test(`${name} is repeated under a key of its own if it is given none`, async () => {
    for (const key of [undefined, null, ""]) {
      const answer = { id: "t1", state: "dismissed", toasts: [], results: [] };
      const { requests, fetch } = scripted(lost, () => json(201, answer));
      const client = new ToastClient(address, { fetch });
      const published = call(client.channel("ops"), key, client);
      await pass(2);
      await published;
      const [first, second] = requests.map(({ headers }) => headers.get("Idempotency-Key"));
      assert.ok(first, `for the key ${key}`);
      assert.equal(first, second);
    }
  });
}

test("a restart of the server is survived", async () => {
  const gateway = () => new Response(null, { status: 502 });
  const { fetch } = scripted(lost, gateway, gateway, gateway, lost, () => json(201, { id: "t1" }));
  const random = mock.method(Math, "random", () => 0.5);
  setClock();
  const toast = new ToastClient(address, { fetch }).channel("ops").publish("Deployed");
  let end;
  toast.then(() => { end = Date.now(); });
  await pass(20);
  random.mock.restore();
  // With pauses of medium length, which together exceed the 10 s of a restart.
  assert.ok(Math.abs(end - 31_000 * 0.625) < 1000, `${end}`);
});

for (const [seconds, attempts, count] of [["31", 6, 1], ["30", 6, 2], ["5", 1, 1]]) {
  test(`a full queue with Retry-After ${seconds} is tried ${count} of ${attempts} times in 37 seconds`, async () => {
    const full = () => {
      const answer = problem(429, "queue-full");
      answer.headers.set("Retry-After", seconds);
      return answer;
    };
    const { requests, fetch } = scripted(full, () => problem(403, "forbidden"));
    const published = new ToastClient(address, { attempts, fetch }).channel("ops").publish("Deployed");
    const refused = assert.rejects(published, { status: count === 1 ? 429 : 403 });
    await pass(37);
    await refused;
    assert.equal(requests.length, count);
  });
}

test("another conflict is a refusal", async () => {
  const { requests, fetch } = scripted(() => problem(409, "toast-already-presented"));
  await assert.rejects(new ToastClient(address, { fetch }).channel("ops").publish("Deployed"), ProblemError);
  assert.equal(requests.length, 1);
});

for (const [name, answer] of Object.entries({ answer: silent, body: headOnly })) {
  test(`a request whose ${name} does not come in 20 seconds is sent again`, async () => {
    const { requests, fetch } = scripted(answer, () => json(200, { id: "t1" }));
    const toast = new ToastClient(address, { fetch }).channel("ops").get("t1");
    await pass(19);
    assert.equal(requests.length, 1);
    await pass(3);
    assert.equal((await toast).id, "t1");
  });
}

for (const [name, call] of Object.entries({
  publish: (ops, signal) => ops.publish("Deployed", { signal }),
  publishBatch: (ops, signal) => ops.publishBatch(["Deployed"], { signal }),
  toasts: (ops, signal) => ops.toasts("queued", { signal }),
  get: (ops, signal) => ops.get("t1", { signal }),
  patch: (ops, signal) => ops.patch("t1", { message: "Deployed" }, { signal }),
  delete: (ops, signal) => ops.delete("t1", { signal }),
  dismiss: (ops, signal) => ops.dismiss("t1", "close", { signal }),
  act: (ops, signal) => ops.act("t1", "undo", { signal }),
  hold: (ops, signal) => ops.hold("t1", "viewer-1", 10, { signal }),
  release: (ops, signal) => ops.release("t1", "viewer-1", { signal }),
  patchAll: (ops, signal) => ops.patchAll("disk", { message: "Deployed" }, { signal }),
  clear: (ops, signal) => ops.clear({}, { signal }),
  publishTo: (_, signal, client) => client.publishTo(["ops"], "Deployed", { signal }),
})) {
  for (const [when, answers] of [["it waits for an answer", [silent]], ["it waits to repeat", [lost]]]) {
    if (["act", "clear"].includes(name) && answers[0] === lost) { continue; }
    test(`${name} ends at once when it is aborted while ${when}`, async () => {
      const control = new AbortController();
      const { requests, fetch } = scripted(...answers);
      const client = new ToastClient(address, { fetch });
      const ended = assert.rejects(call(client.channel("ops"), control.signal, client), { message: "over" });
      await pass(0.1);
      control.abort(new Error("over"));
      await ended;
      assert.equal(requests.length, 1);
    });
  }
}

const page = (ids, next, state = "queued") => () => json(200, { toasts: ids.map((id) => ({ id, state })), next });
const gone = () => problem(404, "toast-not-found");

test("a list is begun anew when the toast after which it continues is gone, and has no toast twice", async () => {
  const last = page(["q1", "q4"], undefined, "presented");
  const answers = [page(["q1", "q2"], "q2"), gone, page(["q1", "q3"], "q3"), last];
  const { requests, fetch } = scripted(...answers);
  const toasts = await new ToastClient(address, { fetch }).channel("ops").toasts();
  const queries = requests.map(({ url }) => new URL(url).search);
  assert.deepEqual(queries, ["", "?after=q2", "", "?after=q3"]);
  assert.deepEqual(toasts.map(({ id, state }) => `${id} ${state}`), ["q1 presented", "q3 queued", "q4 presented"]);
});

test("a list that is always gone is a problem", async () => {
  const { requests, fetch } = scripted(...Array(6).fill([page(["q1"], "q1"), gone]).flat());
  await assert.rejects(new ToastClient(address, { fetch }).channel("ops").toasts(), { type: "toast-not-found" });
  assert.equal(requests.length, 12);
  const first = scripted(gone);
  const ops = new ToastClient(address, { fetch: first.fetch }).channel("ops");
  await assert.rejects(ops.toasts(), { type: "toast-not-found" });
});

test("a token that does not come holds up no abort, and leaves nothing at the signal", async () => {
  const control = new AbortController();
  const { requests, fetch } = scripted(() => json(200, { id: "t1" }));
  const tokens = [async () => "toastd_KEY", () => new Promise(() => {})];
  const ops = new ToastClient(address, { fetch, token: () => tokens.shift()() }).channel("ops");
  await ops.get("t1", { signal: control.signal });
  assert.equal(requests[0].headers.get("Authorization"), "Bearer toastd_KEY");
  assert.equal(getEventListeners(control.signal, "abort").length, 0);
  const ended = assert.rejects(ops.publish("Deployed", { signal: control.signal }), { message: "over" });
  control.abort(new Error("over"));
  await ended;
  assert.equal(getEventListeners(control.signal, "abort").length, 0);
  assert.equal(requests.length, 1);
});

for (const empty of ["", Promise.resolve("")]) {
  const kind = typeof empty === "string" ? "text" : "promise";
  test(`an empty token of a function is refused, not sent as another caller (${kind})`, async () => {
    const { requests, fetch } = scripted();
    const ops = new ToastClient(address, { fetch, token: () => empty }).channel("ops");
    const refusal = { name: "TypeError", message: /^the token is empty/ };
    await assert.rejects(ops.publish("Deployed"), refusal);
    await assert.rejects(ops.stream()[Symbol.asyncIterator]().next(), refusal);
    assert.equal(requests.length, 0);
  });
}

for (const wrong of [
  "toasts.example", "toasts.example:80", "localhost:8080", "ftp://toasts.example", "http://", "",
  "http://user:secret@toasts.example", "https://user@toasts.example", "http://:secret@toasts.example",
]) {
  test(`the address "${wrong}" is refused`, () => {
    assert.throws(() => new ToastClient(wrong), { name: "TypeError", message: /is no address of a server/ });
    assert.throws(() => new ToastStream(wrong), { name: "TypeError", message: /is no address of a server/ });
  });
}
