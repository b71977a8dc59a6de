/** When a request or a stream is tried again. The servers are functions, and the time is set by hand. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { ConnectionLost, ProblemError, ToastClient, ToastStream } from "../src/index.js";
import { delay } from "../src/requests.js";

const address = "http://toasts.example";
const json = (status, document) => new Response(JSON.stringify(document), { status });
const problem = (status, type) => json(status, { type: `urn:toastd:problem:${type}`, title: "No.", status });

/** An answer that never comes, until the request is given up. */
const silent = (_, { signal }) => new Promise((_, reject) => {
  signal?.addEventListener("abort", () => reject(signal.reason));
});

/** The head of an answer, whose body never comes. */
const headOnly = (_, { signal }) => new Response(new ReadableStream({
  start(body) { signal?.addEventListener("abort", () => body.error(signal.reason)); },
}));

/** A stream with these events, as text. */
const events = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });

const lost = () => { throw new TypeError("lost"); };

/** A `fetch` that gives one answer after another, and keeps the requests. */
function scripted(...answers) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    assert.ok(answers.length > 0, "the client sent one more request");
    return answers.shift()(url, init);
  };
  return { requests, fetch };
}

/** Lets some time pass, in steps, so that each timer may set the next one. */
async function pass(seconds) {
  for (let step = 0; step < seconds * 10; step += 1) {
    await new Promise(setImmediate);
    mock.timers.tick(100);
  }
  await new Promise(setImmediate);
}

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

test("a press is sent once, because the server may have recorded it", async () => {
  const { requests, fetch } = scripted(lost);
  const refused = assert.rejects(new ToastClient(address, { fetch }).channel("ops").act("t1", "undo"), ConnectionLost);
  await pass(10);
  await refused;
  assert.equal(requests.length, 1);
});

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
  // Pauses of middle length; all together are longer than the 10 s of a restart.
  assert.ok(Math.abs(end - 31_000 * 0.625) < 1000, `${end}`);
});

for (const [seconds, attempts, count] of [["31", 6, 1], ["30", 6, 2], ["5", 1, 1]]) {
  test(`a full queue with Retry-After ${seconds} is tried ${count} of ${attempts} times before 37 seconds`, async () => {
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

test("a question may wait longer than that, and has a limit, too", async () => {
  const { requests, fetch } = scripted(silent, () => json(200, { id: "t1", state: "dismissed" }));
  const toast = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { wait: 60 });
  await pass(74);
  assert.equal(requests.length, 1);
  await pass(3);
  assert.equal((await toast).state, "dismissed");
});

/** Gives `Date` and the timers one clock, which starts at 0. */
const setClock = () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
};

test("a question is over when its time is, whatever the server asks for", async () => {
  setClock();
  const busy = () => new Response(null, { status: 503, headers: { "Retry-After": "60" } });
  const { requests, fetch } = scripted(busy, () => json(202, { id: "t1", state: "queued" }));
  let end;
  new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { wait: 10, withdraw: true })
    .then(() => { end = Date.now(); });
  await pass(15);
  assert.equal(end, 10_000);
  assert.deepEqual(requests.map(({ headers }) => headers.get("Prefer")), ["wait=10, withdraw", "wait=1, withdraw"]);
});

test("a long question is asked again before a proxy gives it up", async () => {
  setClock();
  const { requests, fetch } = scripted(() => json(202, { id: "t1" }), () => json(201, { id: "t1" }));
  const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?");
  await pass(2);
  assert.equal((await asking).id, "t1");
  assert.deepEqual(requests.map(({ headers }) => headers.get("Prefer")), ["wait=45", "wait=45"]);
  assert.equal(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size, 1);
});

test("a question ends at once when it is aborted", async () => {
  const control = new AbortController();
  const { requests, fetch } = scripted(silent);
  const toast = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { signal: control.signal });
  await pass(1);
  control.abort(new Error("over"));
  await assert.rejects(toast, { message: "over" });
  assert.equal(requests.length, 1);
});

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
  publishTo: (_, signal, client) => client.publishTo(["ops"], "Deployed", { signal }),
})) {
  for (const [when, answers] of [["it waits for an answer", [silent]], ["it waits to repeat", [lost]]]) {
    if (name === "act" && answers[0] === lost) { continue; }
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

test("a question that was aborted before is not sent", async () => {
  const { requests, fetch } = scripted();
  const signal = AbortSignal.abort(new Error("over"));
  const toast = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { signal });
  await assert.rejects(toast, { message: "over" });
  assert.equal(requests.length, 0);
});

test("a stream without the head of an answer is opened again", async () => {
  const snapshot = () => events('data: {"type": "snapshot"}\n\n');
  const { requests, fetch } = scripted(silent, snapshot);
  const stream = new ToastClient(address, { fetch }).channel("ops").stream()[Symbol.asyncIterator]();
  const next = stream.next();
  await pass(39);
  assert.equal(requests.length, 1);
  await pass(3);
  assert.equal((await next).value.type, "snapshot");
  await stream.return();
});

test("a pause is neither too short nor too long", async () => {
  const pause = (seconds) => delay(0, new Response(null, { headers: { "Retry-After": seconds } }), 1);
  assert.deepEqual(["0", "10", "2592000", "9".repeat(400)].map(pause), [0.25, 12, 3600, 3600]);
  const shutdown = () => events('data: {"type": "shutdown", "retry": 0}\n\n');
  const { requests, fetch } = scripted(shutdown, () => events('data: {"type": "resumed"}\n\n'));
  const stream = new ToastClient(address, { fetch }).channel("ops").stream()[Symbol.asyncIterator]();
  await stream.next();
  const next = stream.next();
  await pass(0.2);
  assert.equal(requests.length, 1);
  await pass(0.2);
  assert.equal((await next).value.type, "resumed");
  await stream.return();
});

test("a stream resumes after what it left out", async () => {
  const event = 'id: a-1\ndata: {"type": "acted", "cursor": "a-1"}\n\n';
  const texts = [`${event}:\n\nid: a-8\n\nid: a-9\n\n`, `id: a-1\n\n${event}`, `id: a-2\n\n${event}id: a-3`, event];
  const { requests, fetch } = scripted(...texts.map((text) => () => events(text)));
  const stream = new ToastClient(address, { fetch }).channel("ops").stream()[Symbol.asyncIterator]();
  for (const _ of texts) {
    const next = stream.next();
    await pass(60);
    assert.equal((await next).value.type, "acted");
  }
  await stream.return();
  // The last id is of a block that did not end.
  const cursors = requests.map(({ url }) => new URL(url).searchParams.get("since"));
  assert.deepEqual(cursors, [null, "a-9", "a-1", "a-1"]);
});

test("a connection that breaks after a shutdown is opened when the server asked", async () => {
  const shutdown = () => {
    const text = new TextEncoder().encode('data: {"type": "shutdown", "retry": 7}\n\n');
    let isRead = false;
    return events(new ReadableStream({
      pull(body) {
        if (isRead) { return body.error(new TypeError("lost")); }
        isRead = true;
        body.enqueue(text);
      },
    }, { highWaterMark: 0 }));
  };
  const { requests, fetch } = scripted(shutdown, () => events('data: {"type": "resumed"}\n\n'));
  const stream = new ToastClient(address, { fetch }).channel("ops").stream()[Symbol.asyncIterator]();
  assert.equal((await stream.next()).value.type, "shutdown");
  const next = stream.next();
  await pass(6.8);
  assert.equal(requests.length, 1);
  await pass(0.4);
  assert.equal((await next).value.type, "resumed");
  await stream.return();
});

for (const wrong of [
  "toasts.example", "toasts.example:80", "localhost:8080", "ftp://toasts.example", "http://", "",
  "http://user:secret@toasts.example", "https://user@toasts.example", "http://:secret@toasts.example",
]) {
  test(`the address "${wrong}" is refused`, () => {
    assert.throws(() => new ToastClient(wrong), { name: "TypeError", message: /is no address of a server/ });
    assert.throws(() => new ToastStream(wrong), { name: "TypeError", message: /is no address of a server/ });
  });
}
