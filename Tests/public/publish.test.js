/** Requests for publishing, and for refused streams: what they send, and how they treat the response. */

import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { explain, publish } from "../../public/viewer/lazy/requests.js";

globalThis.document = /** @type {any} */ ({ baseURI: "https://app.example/" });
const server = "https://toasts.example/";

/** A server with one response, and the bodies that it received. @param {number} status @param {object} answer */
function answering(status, answer) {
  /** @type {any[]} */
  const bodies = [];
  mock.method(globalThis, "fetch", async (/** @type {URL} */ _, /** @type {RequestInit} */ { body }) => {
    if (body) { bodies.push(JSON.parse(String(body))); }
    return new Response(JSON.stringify(answer), { status });
  });
  return bodies;
}

/** @param {object} toast */
const send = (toast) => publish(server, "ops", toast, () => "token");

afterEach(() => mock.restoreAll());

test("a published toast has the members that a local one would have", async () => {
  const bodies = answering(201, { id: "t1" });
  assert.deepEqual(await send({ message: "Syncing", duration: Infinity, progress: 0.5, data: { progress: 1 } }), { id: "t1" });
  await send({ message: "Saved", duration: 5, progress: { value: 1, total: 2 } });
  await send({ message: "Plain" });
  assert.deepEqual(bodies, [
    { message: "Syncing", duration: "indefinite", progress: { value: 0.5 }, data: { progress: 1 } },
    { message: "Saved", duration: 5, progress: { value: 1, total: 2 } },
    { message: "Plain" },
  ]);
});

test("a toast is published below the server's path, with or without a slash at its end", async () => {
  answering(201, { id: "t1" });
  for (const source of ["https://host/toastd", "https://host/toastd/"]) {
    await publish(source, "ops", { message: "Saved" }, ({ href }) => {
      assert.equal(href, "https://host/toastd/v1/channels/ops/toasts");
      return undefined;
    });
  }
});

test("a number that is not finite is an error: as null it would mean the channel's default", async () => {
  const bodies = answering(201, { id: "t1" });
  await assert.rejects(send({ message: "Saved", duration: NaN }), { name: "TypeError", message: "duration: NaN" });
  await assert.rejects(send({ message: "Saved", progress: NaN }), { name: "TypeError", message: "value: NaN" });
  const message = "expiresAfter: Infinity";
  await assert.rejects(send({ message: "Saved", expiresAfter: Infinity }), { name: "TypeError", message });
  assert.deepEqual(bodies, []);
});

test("the error names the wrong members", async () => {
  const problem = {
    type: "urn:toastd:problem:invalid-toast", title: "The toast is not valid.", detail: "2 members.",
    errors: [{ pointer: "/role", detail: "It is none." }, { pointer: "/duration", detail: "It is too long." }],
  };
  answering(422, problem);
  const message = "/role: It is none.; /duration: It is too long.";
  await assert.rejects(send({ message: "Saved" }), { message, status: 422, type: "invalid-toast", problem });
});

test("without a problem document the error has the status", async () => {
  mock.method(globalThis, "fetch", async () => new Response("<html>", { status: 502 }));
  await assert.rejects(send({ message: "Saved" }), { message: "HTTP 502", status: 502, type: undefined, problem: {} });
});

/** An element whose stream was refused. @param {URL} address */
async function refused(address) {
  const element = { dispatchEvent: mock.fn() };
  const channels = new Map([["Ops", new URL(`${server}v1/channels/Ops/`)]]);
  const credentials = { authorize: () => {}, tokenOf: () => undefined };
  await explain(/** @type {any} */ (element), channels, { address }, () => {}, credentials);
  return element.dispatchEvent.mock.callCount();
}

test("with another document the error has the status", async () => {
  for (const answer of [{ errors: { a: ["b"] } }, null, { type: 5 }, { errors: [null] }]) {
    answering(403, answer);
    await assert.rejects(send({ message: "Saved" }), { name: "Error", status: 403 });
  }
});

test("a 400 for a stream is logged as a warning, once for each address", async () => {
  const warn = mock.method(console, "warn", () => {});
  answering(400, { title: "Not valid.", detail: "A channel has no capital letters." });
  const [address, other] = ["en", "de"].map((language) => new URL(`${server}v1/channels/Ops/stream?language=${language}`));
  for (const it of [address, address, other]) { assert.equal(await refused(it), 0); }
  assert.deepEqual(warn.mock.calls.map((call) => call.arguments), [
    [`${address}: A channel has no capital letters.`], [`${other}: A channel has no capital letters.`],
  ]);
});

test("other refusals of a stream are not logged", async () => {
  const warn = mock.method(console, "warn", () => {});
  for (const [status, count] of [[401, 1], [403, 1], [429, 0], [503, 0]]) {
    answering(status, {});
    assert.equal(await refused(new URL(`${server}v1/channels/Ops/stream?status=${status}`)), count);
  }
  assert.equal(warn.mock.callCount(), 0);
});
