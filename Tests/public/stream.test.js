import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { backoff, parseEnvelope, Stream } from "../../public/viewer/stream.js";
import { event, toast } from "./fixtures.js";

/** An EventSource whose events the test sends. */
class FakeSource extends EventTarget {
  /** @type {FakeSource[]} */
  static all = [];
  onerror = () => {};
  readyState = 0;
  isClosed = false;

  /** @param {URL} address */
  constructor(address) {
    super();
    this.address = address;
    FakeSource.all.push(this);
  }

  close() {
    this.isClosed = true;
  }

  /** @param {{ type: string }} envelope */
  send(envelope) {
    this.dispatchEvent(Object.assign(new Event(envelope.type), { data: JSON.stringify(envelope) }));
  }
}

globalThis.EventSource = /** @type {any} */ (FakeSource);

function open() {
  FakeSource.all = [];
  /** @type {string[]} */
  const received = [];
  /** @type {string[]} */
  const states = [];
  const address = new URL("http://host/v1/channels/ops/stream?assistive=1");
  const stream = new Stream(address, (it) => received.push(it.type), (it) => states.push(it));
  stream.open();
  return { stream, received, states, last: () => FakeSource.all[FakeSource.all.length - 1] };
}

const snapshot = event("snapshot", { effective: {}, presented: [], queuedCount: 0, reset: false }, 3);

test("waits before reconnections double from one second to thirty, with a random part", () => {
  assert.deepEqual([0, 1, 2, 5, 50].map((attempt) => backoff(attempt, 1)), [1, 2, 4, 30, 30]);
  assert.deepEqual([0, 5].map((attempt) => backoff(attempt, 0)), [0.25, 7.5]);
  for (let attempt = 0; attempt < 40; attempt++) {
    const seconds = backoff(attempt);
    assert.ok(seconds >= 0.25 && seconds <= 30);
  }
});

for (const text of ["", "{", "null", "[]", "7", '"presented"', '{"type":"constructor"}', '{"type":"message"}', undefined]) {
  test(`${JSON.stringify(text)} is no envelope`, () => {
    assert.equal(parseEnvelope(text), undefined);
  });
}

test("hostile and random text never throws", () => {
  for (let seed = 0; seed < 2000; seed++) {
    const text = JSON.stringify(event("presented", { toast: toast() })).split("");
    text[(seed * 7919) % text.length] = String.fromCharCode((seed * 104729) % 65536);
    assert.doesNotThrow(() => parseEnvelope(text.join("")));
  }
});

test("the first connection asks for a snapshot and keeps the address' own parameters", () => {
  const { last, states } = open();
  assert.equal(last().address.href, "http://host/v1/channels/ops/stream?assistive=1");
  last().send(snapshot);
  assert.deepEqual(states, ["connecting", "open"]);
});

test("a broken stream resumes after the last event, on a new source", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { last, states, received } = open();
  last().send(snapshot);
  last().send(event("presented", { toast: toast(), remaining: 6 }, 4));
  const dropped = last();
  dropped.onerror();
  assert.ok(dropped.isClosed);
  mock.timers.tick(1000);
  assert.equal(last().address.searchParams.get("since"), "e-4");
  dropped.send(event("presented", { toast: toast(), remaining: 6 }, 5));
  assert.deepEqual(received, ["snapshot", "presented"]);
  assert.deepEqual(states, ["connecting", "open", "offline", "connecting"]);
  mock.timers.reset();
});

test("the cursor of `resumed` is not used: the events that follow it may not arrive", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { last } = open();
  last().send(snapshot);
  last().onerror();
  mock.timers.tick(1000);
  last().send(event("resumed", {}, 9));
  last().onerror();
  mock.timers.tick(1000);
  assert.equal(last().address.searchParams.get("since"), "e-3");
  mock.timers.reset();
});

test("after an answer that is no stream, which may be due to the cursor, the next request has none", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { last } = open();
  last().send(snapshot);
  last().readyState = 2;
  last().onerror();
  mock.timers.tick(1000);
  assert.equal(last().address.searchParams.has("since"), false);
  mock.timers.reset();
});

test("after `shutdown` the stream waits as long as the server says", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { last, states } = open();
  last().send(snapshot);
  last().send({ type: "shutdown", at: snapshot.at, retry: 5 });
  assert.equal(states.at(-1), "offline");
  mock.timers.tick(4999);
  assert.equal(FakeSource.all.length, 1);
  mock.timers.tick(5001);
  assert.equal(FakeSource.all.length, 2);
  mock.timers.reset();
});

test("a closed stream stays closed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { stream, last, states } = open();
  last().onerror();
  stream.close();
  mock.timers.tick(60_000);
  assert.equal(FakeSource.all.length, 1);
  assert.equal(states.at(-1), "closed");
  mock.timers.reset();
});

test("hurry ends a wait, and changes nothing for an open stream", () => {
  const { stream, last } = open();
  stream.hurry();
  assert.equal(FakeSource.all.length, 1);
  last().onerror();
  stream.hurry();
  assert.equal(FakeSource.all.length, 2);
  stream.close();
});
