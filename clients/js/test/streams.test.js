/** When a stream is opened again, and from where. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, mock, test } from "node:test";

import { ToastClient } from "../src/index.js";
import { delay } from "../src/requests.js";
import { address, events, pass, scripted, silent } from "./scripted.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

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
  // The last id does not count, because its block is incomplete.
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

/** Events of one chunk. */
const acted = (...cursors) => events(cursors.map((it) => `data: {"type": "acted", "cursor": "${it}"}\n\n`).join(""));

const since = ({ url }) => new URL(url).searchParams.get("since");

test("each loop over a stream has a place of its own", async () => {
  const { requests, fetch } = scripted(...["a-3", "a-9", "a-4"].map((cursor) => () => acted(cursor)));
  const stream = new ToastClient(address, { fetch }).channel("ops").stream();
  const [one, other] = [stream[Symbol.asyncIterator](), stream[Symbol.asyncIterator]()];
  await Promise.all([one.next(), other.next()]);
  const next = one.next();
  await pass(2);
  assert.equal((await next).value.cursor, "a-4");
  assert.deepEqual(requests.map(since), [null, null, "a-3"]);
  await Promise.all([one.return(), other.return()]);
});

test("a stream of several channels keeps its place until all of them have resumed", async () => {
  const resumed = () => events('data: {"type": "resumed", "channel": "ops", "cursor": "ops=b-3"}\n\n');
  const { requests, fetch } = scripted(resumed, resumed);
  const options = { since: "lobby=a-7,ops=a-3" };
  const stream = new ToastClient(address, { fetch }).stream(["ops", "lobby"], options)[Symbol.asyncIterator]();
  await stream.next();
  const next = stream.next();
  await pass(2);
  await next;
  assert.deepEqual(requests.map(since), [options.since, options.since]);
  await stream.return();
});

test("a stream of several channels keeps its place until all of them have begun after a power failure", async () => {
  const [before, whole, last] = ["a-lobby.7~ops.3", "b-lobby.7~ops.2", "b-lobby.7~ops.4"];
  const reset = { type: "snapshot", channel: "ops", cursor: "b-ops.2", reset: true };
  const connections = [
    [reset],
    [reset, { type: "acted", channel: "ops", cursor: "b-ops.3" }],
    [reset, { type: "resumed", channel: "lobby", cursor: whole }],
    // From here on it goes on after each event.
    [{ type: "resumed", channel: "ops", cursor: whole }, { type: "acted", channel: "ops", cursor: last }],
    [{ type: "resumed", channel: "ops", cursor: last }],
  ];
  const texts = connections.map((all) => all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  const { requests, fetch } = scripted(...texts.map((text) => () => events(text)));
  const client = new ToastClient(address, { fetch });
  const stream = client.stream(["ops", "lobby"], { since: before })[Symbol.asyncIterator]();
  for (const event of connections.flat()) {
    const next = stream.next();
    await pass(2);
    assert.deepEqual((await next).value, event);
  }
  await stream.return();
  assert.deepEqual(requests.map(since), [before, before, before, whole, last]);
});

test("another loop goes on where the last one was left", async () => {
  const { requests, fetch } = scripted(() => acted("a-1", "a-2"), () => acted("a-2"));
  const stream = new ToastClient(address, { fetch }).channel("ops").stream();
  for (let loop = 0; loop < 2; loop += 1) {
    for await (const _ of stream) { break; }
  }
  assert.deepEqual(requests.map(since), [null, "a-1"]);
});

test("a stream that is aborted gives none of the events that have come already", async () => {
  const control = new AbortController();
  const { fetch } = scripted(() => acted("a-1", "a-2", "a-3"));
  const stream = new ToastClient(address, { fetch }).channel("ops").stream({ signal: control.signal });
  const cursors = [];
  for await (const event of stream) {
    cursors.push(event.cursor);
    control.abort();
  }
  assert.deepEqual(cursors, ["a-1"]);
  assert.equal(stream.cursor, "a-1");
});

test("a stream that is aborted while it waits for its token ends", async () => {
  const control = new AbortController();
  const { fetch } = scripted();
  const client = new ToastClient(address, { fetch, token: () => new Promise(() => {}) });
  const next = client.channel("ops").stream({ signal: control.signal })[Symbol.asyncIterator]().next();
  control.abort(new Error("over"));
  assert.equal((await next).done, true);
  assert.equal(getEventListeners(control.signal, "abort").length, 0);
});

test("what a stream is asked for is in its address", async () => {
  const { requests, fetch } = scripted(() => acted("a-1"));
  const events = ["acted", "dismissed"];
  const options = { since: "a-0", events, audience: false, assistive: true, scale: 2.5, language: "de" };
  await new ToastClient(address, { fetch }).channel("ops").stream(options)[Symbol.asyncIterator]().next();
  const query = "?events=acted%2Cdismissed&audience=0&assistive=1&scale=2.5&language=de&since=a-0";
  assert.equal(requests[0].url.search, query);
});
