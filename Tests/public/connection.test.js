/** The states of a connection that the page is told. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.CSSStyleSheet = /** @type {any} */ (class { replaceSync() {} });
globalThis.document = /** @type {any} */ (Object.assign(new EventTarget(), {
  hidden: false, hasFocus: () => false, baseURI: "https://page/app/index.html",
}));
globalThis.addEventListener = /** @type {any} */ (() => {});
globalThis.BroadcastChannel = /** @type {any} */ (class { close() {} });
/** The locks that were requested. @type {string[]} */
const requested = [];
// They are never granted nor refused: it is not known whether another tab has the stream, and another one speaks.
const locks = {
  request: (/** @type {string} */ name) => {
    requested.push(name);
    return new Promise(() => {});
  },
};
Object.defineProperty(globalThis, "navigator", { value: { locks } });
const { ChannelConnection, serverOf } = await import("../../public/viewer/connection.js");

/** A viewer's connection to a channel. @param {(state: string) => void} [connect] */
function opened(connect = () => {}) {
  const connection = new ChannelConnection(() => {}, connect, () => /** @type {any} */ (new Map()));
  connection.open(new URL("http://host/"), ["ops"], { isAssistive: false, isShared: true, language: "en", scale: 1 });
  return connection;
}

for (const [source, address] of [
  ["https://host/toastd", "https://host/toastd/"],
  ["https://host/toastd/", "https://host/toastd/"],
  ["https://host", "https://host/"],
  ["..", "https://page/"], ["sub", "https://page/app/sub/"], ["", new URL("../../public/", import.meta.url).href],
]) {
  test(`the server of a viewer with the source "${source}" is ${address}`, () => {
    const element = /** @type {any} */ ({ getAttribute: () => source });
    assert.equal(serverOf(element).href, address);
  });
}

test("a connection can be closed before it is known which tab has the stream", () => {
  /** @type {string[]} */
  const states = [];
  const connection = opened((state) => states.push(state));
  connection.close();
  assert.deepEqual(states, ["connecting", "closed"]);
  assert.equal(connection.connection, "closed");
});

test("of two viewers of a page the older one keeps its place among those that wait to speak when the younger one closes", () => {
  const wishes = () => requested.filter((name) => name.startsWith("toast-viewer voice")).length;
  const before = wishes();
  const first = opened();
  opened().close();
  assert.equal(wishes(), before + 1);
  const second = opened();
  first.close();
  assert.equal(wishes(), before + 2);
  second.close();
  assert.equal(wishes(), before + 2);
});
