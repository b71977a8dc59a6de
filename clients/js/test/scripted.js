/** Scripted servers, and a clock that tests advance. */

import assert from "node:assert/strict";
import { mock } from "node:test";

export const address = "http://toasts.example";
export const json = (status, document, headers) => new Response(JSON.stringify(document), { status, headers });
export const problem = (status, type) => json(status, { type: `urn:toastd:problem:${type}`, title: "No.", status });

/** An answer that never comes; it is rejected when the request is aborted. */
export const silent = (_, { signal }) => new Promise((_, reject) => {
  signal?.addEventListener("abort", () => reject(signal.reason));
});

/** An answer whose head comes at once, and whose body never comes. */
export const headOnly = (_, { signal }) => new Response(new ReadableStream({
  start(body) { signal?.addEventListener("abort", () => body.error(signal.reason)); },
}));

/** A stream with these events, as text. */
export const events = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });

export const lost = () => { throw new TypeError("lost"); };

/** A `fetch` that gives one answer after another, and keeps the requests. */
export function scripted(...answers) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    assert.ok(answers.length > 0, "the client sent one more request");
    return answers.shift()(url, init);
  };
  return { requests, fetch };
}

/** Advances the clock by seconds, in small steps, so that each timer may set the next one. */
export async function pass(seconds, step = 0.1) {
  for (let count = 0; count < seconds / step; count += 1) {
    await new Promise(setImmediate);
    mock.timers.tick(step * 1000);
  }
  await new Promise(setImmediate);
}

/** Gives `Date`, `performance` and the timers one clock, which starts at 0. `mock.reset` ends it. */
export const setClock = () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  mock.method(performance, "now", Date.now);
};
