/** Requests of the page that are not answered, or not whole. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

Object.assign(globalThis, { document: { baseURI: "http://localhost/" } });
const { Problem, request } = await import("../../public/page/channel.js");

/** The settings of a channel, or as much of them as a response has. */
const whole = '{"own":{},"effective":{}}';

/** A body whose connection ends before the body does. @param {string} text */
const broken = (text) => new ReadableStream({
  start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  pull: (controller) => controller.error(new TypeError("network error")),
});

/** @param {BodyInit | null} body @param {number} [status] */
function ask(body, status = 200) {
  globalThis.fetch = async () => new Response(body, { status });
  return request("GET", "v1/channels/ops/settings");
}

for (const [what, cut] of Object.entries({ "ends early": whole.slice(0, 12), "breaks off": broken(whole.slice(0, 12)), "is a proxy's page": "<!doctype html>" })) {
  test(`a success whose body ${what} is a problem`, async () => {
    await assert.rejects(ask(cut), (error) => error instanceof Problem && error.message === "The server did not answer" && error.status === 200);
  });
}

test("a success may be empty", async () => {
  assert.deepEqual(await ask(whole), { own: {}, effective: {} });
  assert.deepEqual(await ask(null, 204), {});
  assert.deepEqual(await ask(""), {});
});

test("a refusal keeps its status whatever its body is", async () => {
  await assert.rejects(ask('{"title":"Too many requests"}', 429), { message: "Too many requests", status: 429 });
  for (const body of ['{"title":"Too', "<!doctype html>", "null", broken("{")]) {
    await assert.rejects(ask(body, 502), (error) => error instanceof Problem && error.status === 502);
  }
});

/** Ends only when it is aborted. @param {AbortSignal} [signal] @returns {Promise<never>} */
const never = (signal) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

for (const [what, send] of Object.entries({
  "without an answer": never,
  "whose answer does not end": async (/** @type {AbortSignal} */ signal) => ({ ok: true, status: 200, text: () => never(signal) }),
})) {
  test(`a request ${what} ends after 20 seconds`, async (context) => {
    const limit = new AbortController();
    const timeout = context.mock.method(AbortSignal, "timeout", () => limit.signal);
    globalThis.fetch = /** @type {any} */ ((_, { signal }) => send(signal));
    const answer = request("GET", "v1/session");
    assert.deepEqual(timeout.mock.calls.map((call) => call.arguments), [[20_000]]);
    // Until the beginning of an answer has been taken.
    await new Promise((resolve) => setImmediate(resolve));
    limit.abort(new DOMException("The operation timed out.", "TimeoutError"));
    await assert.rejects(answer, (error) => error instanceof Problem && error.message === "The server did not answer");
  });
}

test("every request of the page has a time limit", () => {
  const folder = new URL("../../public/", import.meta.url);
  const names = ["page.js", ...readdirSync(new URL("page/", folder)).filter((name) => name.endsWith(".js")).map((name) => `page/${name}`)];
  const code = names.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const requests = [...code.matchAll(/(?<![.#\w])fetch\(.*/g)].map(([line]) => line);
  assert.ok(requests.length > 2);
  assert.deepEqual(requests.filter((line) => !/\bsignal\b/.test(line)), []);
});
