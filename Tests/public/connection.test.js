/** The states of a connection that the page is told. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.CSSStyleSheet = /** @type {any} */ (class { replaceSync() {} });
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), { hidden: false, hasFocus: () => true }));
globalThis.addEventListener = /** @type {any} */ (() => {});
globalThis.BroadcastChannel = /** @type {any} */ (class { close() {} });
// A lock that is never granted nor refused: it is not known whether another tab has the stream.
Object.defineProperty(globalThis, "navigator", { value: { locks: { request: () => new Promise(() => {}) } } });
const { ChannelConnection } = await import("../../public/viewer/connection.js");

test("a connection can be closed before it is known which tab has the stream", () => {
  /** @type {string[]} */
  const states = [];
  const connection = new ChannelConnection(() => {}, (state) => states.push(state), () => /** @type {any} */ (new Map()));
  connection.open(new URL("http://host/"), ["ops"], { isAssistive: false, isShared: true, language: "en", scale: 1 });
  connection.close();
  assert.deepEqual(states, ["connecting", "closed"]);
  assert.equal(connection.connection, "closed");
});
