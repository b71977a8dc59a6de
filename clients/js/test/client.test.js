import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ConnectionLost, ProblemError, ToastClient } from "../src/index.js";
import { EventReader } from "../src/stream.js";
import { launch } from "./server.js";

const undo = { id: "undo", title: "Undo" };
let server;
let number = 0;

before(async () => { server = await launch(); });
after(() => server.remove());

/** A channel that no other test uses. */
const channel = () => {
  number += 1;
  return new ToastClient(server.url).channel(`js-${number}`);
};

test("a toast is published, listed, changed and taken back", async () => {
  const ops = channel();
  const toast = await ops.publish({ message: "1 of 2", role: "success", duration: "long", data: { n: 1 } });
  assert.deepEqual([toast.state, toast.role, toast.duration], ["queued", "success", 4]);
  assert.deepEqual(await ops.toasts(), [await ops.get(toast.id)]);
  assert.equal((await ops.patch(toast.id, { message: "2 of 2" }, { revision: 1 })).revision, 2);
  await assert.rejects(ops.patch(toast.id, { message: "3" }, { revision: 1 }), { status: 412, type: "precondition-failed" });
  const deleted = await ops.delete(toast.id);
  assert.deepEqual([deleted.id, deleted.dismissReason], [toast.id, "api"]);
  assert.deepEqual(await ops.get(toast.id), deleted);
});

test("a batch is accepted whole or not at all", async () => {
  const ops = channel();
  const { toasts, warnings } = await ops.publishBatch(["one", { message: "two", colour: "red" }]);
  assert.deepEqual(toasts.map(({ message }) => message), ["one", "two"]);
  assert.deepEqual(warnings.map(({ pointer }) => pointer), ["/1/colour"]);
  await assert.rejects(ops.publishBatch(["three", { role: "error" }]), ProblemError);
  assert.equal((await ops.toasts()).length, 2);
  const [first, again] = [await ops.publishBatch(["four"], { key: "k" }), await ops.publishBatch(["four"], { key: "k" })];
  assert.deepEqual(again.toasts, first.toasts);
});

test("all toasts with an identifier are changed, and cleared", async () => {
  const ops = channel();
  const disk = { message: "Disk full", reuseIdentifier: "disk/1 & 2" };
  await ops.publishBatch([disk, disk, "Deployed"]);
  const { updatedCount, toasts } = await ops.patchAll(disk.reuseIdentifier, { role: "warning" });
  assert.deepEqual([updatedCount, ...toasts.map(({ role }) => role)], [2, "warning", "warning"]);
  assert.equal(await ops.clear({ reuseIdentifier: disk.reuseIdentifier, message: "Disk full" }), 2);
  assert.equal(await ops.clear(), 1);
  assert.equal(await ops.clear(), 0);
});

test("a question waits for its answer, and its countdown can be held", async () => {
  const ops = channel();
  const asking = ops.ask({ message: "Row deleted", duration: 60, actions: [undo] }, { wait: 30 });
  for await (const event of ops.stream({ events: ["presented"], scale: 2 })) {
    if (event.type !== "presented") { continue; }
    assert.equal((await ops.hold(event.toast.id, "viewer-1", 5)).lease, 5);
    await ops.release(event.toast.id, "viewer-1");
    await ops.act(event.toast.id, "undo");
    break;
  }
  assert.equal((await asking).action, "undo");
});

test("a question without an answer ends after its time", async () => {
  assert.equal((await channel().ask("Anybody?", { wait: 1 })).state, "queued");
});

test("a lost response publishes nothing twice", async () => {
  let lost = 0;
  const lossy = async (...request) => {
    const response = await fetch(...request);
    if (request[1].method === "POST" && lost === 0) { lost += 1; await response.text(); throw new TypeError("lost"); }
    return response;
  };
  const ops = new ToastClient(server.url, { fetch: lossy }).channel("js-lossy");
  await ops.publish("Deployed");
  assert.equal((await ops.toasts()).length, 1);
});

test("a server that is away is reported", async () => {
  await assert.rejects(new ToastClient("http://127.0.0.1:1", { attempts: 1 }).channel("ops").publish("m"), ConnectionLost);
});

test("a stream ends when it is aborted", async () => {
  const control = new AbortController();
  const kinds = [];
  for await (const event of channel().stream({ signal: control.signal })) {
    kinds.push(event.type);
    control.abort();
  }
  assert.deepEqual(kinds, ["snapshot"]);
});

test("a stream that is refused throws", async () => {
  await assert.rejects(channel().stream({ since: "never" })[Symbol.asyncIterator]().next(), { type: "invalid-parameter" });
});

for (const signal of ["SIGTERM", "SIGKILL"]) {
  test(`a stream misses nothing while the server restarts after ${signal}`, async () => {
    const own = await launch();
    const ops = new ToastClient(own.url).channel("ops");
    const stream = ops.stream({ events: ["enqueued"] })[Symbol.asyncIterator]();
    const next = async () => {
      for (;;) {
        const { value } = await stream.next();
        if (value.type === "enqueued") { return value.toast.message; }
      }
    };
    await stream.next();
    await ops.publishBatch(["before 0", "before 1"]);
    assert.equal(await next(), "before 0");
    await own.end(signal);
    await own.start();
    await ops.publishBatch(["after 0", "after 1"]);
    assert.deepEqual([await next(), await next(), await next()], ["before 1", "after 0", "after 1"]);
    await stream.return();
    await own.remove();
  });
}

test("the same call with the same key publishes nothing again in several channels", async () => {
  const names = [1, 2].map(() => `js-${crypto.randomUUID()}`);
  const publish = () => new ToastClient(server.url).publishTo(names, "Lunch", { key: "k" });
  const [first, again] = [await publish(), await publish()];
  assert.deepEqual(again.results.map(({ toast }) => toast.id), first.results.map(({ toast }) => toast.id));
});

test("text becomes events however it is cut", () => {
  const text = 'retry: 3000\n\n: comment\nid: a-1\r\ndata: {"type": "acted",\r\ndata: "id": "\u2028ü"}\r\n\r\n';
  for (const size of [1, 2, 3, 1000]) {
    const reader = new EventReader();
    const events = [];
    for (let at = 0; at < text.length; at += size) { events.push(...reader.feed(text.slice(at, at + size))); }
    assert.deepEqual(events, [{ type: "acted", id: "\u2028ü" }]);
    assert.equal(reader.retry, 3);
  }
});
