import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("the name of the cache changes with the stored files", async () => {
  /** @type {{ name?: string, files: string[] }} */
  const cache = { files: [] };
  const listeners = {};
  Object.assign(globalThis, {
    addEventListener: (type, listener) => { listeners[type] = listener; },
    skipWaiting: async () => {},
    caches: {
      open: async (name) => {
        cache.name = name;
        return { addAll: async (files) => { cache.files = files; } };
      },
    },
  });
  await import("../../public/service-worker.js");
  await new Promise((resolve) => listeners.install({ waitUntil: resolve }));
  const digest = createHash("sha256");
  for (const name of cache.files) { digest.update(readFileSync(new URL(`../../public/${name}`, import.meta.url))); }
  assert.ok(cache.files.includes("offline.html"));
  assert.equal(cache.name, `toastd-offline-${digest.digest("hex").slice(0, 8)}`);
});
