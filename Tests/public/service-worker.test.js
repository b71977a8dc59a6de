import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** @type {{ name?: string, files: string[] }} */
const cache = { files: [] };
const listeners = {};
/** The address of the window that was opened. */
let opened = "";
Object.assign(globalThis, {
  addEventListener: (type, listener) => { listeners[type] = listener; },
  skipWaiting: async () => {},
  caches: {
    open: async (name) => {
      cache.name = name;
      return { addAll: async (files) => { cache.files = files; } };
    },
  },
  registration: { scope: "http://localhost/" },
  clients: { matchAll: async () => [], openWindow: async (address) => { opened = address; } },
});
await import("../../public/service-worker.js");

/** Dispatches an event, and waits until the worker has handled it. @param {string} type @param {object} [members] */
const dispatch = (type, members) => new Promise((resolve) => listeners[type]({ ...members, waitUntil: resolve }));

test("the name of the cache changes with the stored files", async () => {
  await dispatch("install");
  const digest = createHash("sha256");
  for (const name of cache.files) { digest.update(readFileSync(new URL(`../../public/${name}`, import.meta.url))); }
  assert.ok(cache.files.includes("offline.html"));
  assert.equal(cache.name, `toastd-offline-${digest.digest("hex").slice(0, 8)}`);
});

test("an action that is not answered in 5 seconds opens the page", async (context) => {
  const limit = new AbortController();
  const timeout = context.mock.method(AbortSignal, "timeout", () => limit.signal);
  globalThis.fetch = (_, { signal } = {}) => new Promise((_, reject) => signal?.addEventListener("abort", reject));
  const notification = { close: () => {}, data: { channel: "ops", id: "a", links: {} } };
  const handled = dispatch("notificationclick", { notification, action: "retry" });
  assert.deepEqual(timeout.mock.calls.map((call) => call.arguments), [[5000]]);
  limit.abort();
  await handled;
  assert.equal(opened, "http://localhost/?channel=ops");
});
