import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Answers } from "../../public/viewer/lazy/answers.js";
import { SharedHolds } from "../../public/viewer/lazy/shared-holds.js";
import { toast } from "./fixtures.js";

/**
 * Answers about one toast, to a server that answers with a status; or is not reached, with 0.
 *
 * @param {number} status
 * @param {object} [own] - stands for the local channel
 * @param {string} [problem] - the type of the server's problem
 */
function answering(status, own, problem = "toast-not-found") {
  /** @type {string[]} */
  const calls = [];
  const fetched = mock.method(globalThis, "fetch", async () => {
    if (status === 0) { throw new TypeError("Failed to fetch"); }
    return new Response(status === 204 ? null : JSON.stringify({ type: `urn:toastd:problem:${problem}` }), { status });
  });
  const states = new Map([["ops", { presented: [{ toast: toast() }] }]]);
  const lifecycle = { hide: (/** @type {string} */ id) => calls.push(`hide ${id}`), comeBack: (/** @type {string} */ id) => calls.push(`back ${id}`) };
  const answers = new Answers(/** @type {any} */ ({
    screen: { shown: new Map([["a", { card: {}, entry: { toast: toast() } }]]) },
    states,
    lifecycle: { part: lifecycle, get: async () => lifecycle },
    timers: { dismiss: (/** @type {string} */ id, isClosing = true) => calls.push(`closing ${isClosing}`) },
    connection: {
      connection: "open",
      /** @param {string} channel @param {string} path */
      addressOf: (channel, path) => new URL(path, `http://host/v1/channels/${channel || "other"}/`),
    },
    tell: () => true,
    schedule: () => {},
    local: () => own,
    drop: () => {},
    tokenOf: () => undefined,
    refuse: (/** @type {URL} */ _, /** @type {number} */ refused) => calls.push(`refused ${refused}`),
  }));
  return { answers, calls, fetched, states };
}

for (const status of [200, 204, 404, 409, 410]) {
  test(`after a decision of the server, ${status}, the toast does not come back`, async () => {
    const { answers, calls } = answering(status);
    await answers.send("a", "actions/undo");
    assert.ok(calls.includes("hide a"));
    assert.ok(!calls.includes("back a"));
    assert.equal(await answers.post("POST", "a", "actions/undo"), status < 300);
  });
}

for (const status of [0, 401, 403, 408, 429, 500, 503]) {
  test(`a toast whose action gets ${status} comes back`, async () => {
    const { answers, calls } = answering(status);
    await answers.send("a", "actions/undo");
    assert.deepEqual(calls.slice(-2), ["closing false", "back a"]);
    assert.equal(await answers.post("POST", "a", "actions/undo"), undefined);
  });
}

test("a toast that is still there without the action that was pressed comes back", async () => {
  const { answers, calls } = answering(404, undefined, "action-not-found");
  await answers.send("a", "actions/undo");
  assert.deepEqual(calls.slice(-2), ["closing false", "back a"]);
});

test("an answer is sent also when the page navigates", async () => {
  const { answers, fetched } = answering(200);
  await answers.send("a", "actions/undo");
  await answers.send("a", "dismiss", { dismissReason: "close" });
  assert.deepEqual(fetched.mock.calls.map((call) => call.arguments[1]?.keepalive), [true, true]);
});

test("a hold is released in the toast's channel, also when another one is shown by then", { timeout: 10_000 }, async () => {
  const { answers, fetched, states } = answering(200);
  const holds = new SharedHolds((...request) => answers.post(...request));
  holds.share(["a"]);
  holds.share([]);
  states.clear();
  while (fetched.mock.callCount() < 2) { await new Promise(setImmediate); }
  const sent = fetched.mock.calls.map(({ arguments: [address, options] }) => {
    const [, , , channel] = new URL(String(address)).pathname.split("/");
    return `${options?.method} ${channel}`;
  });
  assert.deepEqual(sent, ["PUT ops", "DELETE ops"]);
});

for (const status of [401, 403]) {
  test(`a toast whose dismissal is forbidden, ${status}, comes back, and it is not sent again`, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { answers, calls, fetched } = answering(status);
    await answers.send("a", "dismiss", { dismissReason: "close" });
    assert.deepEqual(calls.slice(-3), [`refused ${status}`, "closing false", "back a"]);
    t.mock.timers.tick(60_000);
    answers.resend();
    assert.equal(fetched.mock.callCount(), 1);
  });
}

for (const status of [0, 408, 429, 503]) {
  test(`a dismissal that gets ${status} is sent again`, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { answers, calls, fetched } = answering(status);
    await answers.send("a", "dismiss", { dismissReason: "close" });
    assert.ok(!calls.includes("back a"));
    assert.equal(fetched.mock.callCount(), 1);
    t.mock.timers.tick(5000);
    assert.equal(fetched.mock.callCount(), 2);
  });
}

test("a dismissal without any answer is given up, and sent again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { answers, fetched } = answering(200);
  const timeout = new AbortController();
  t.mock.method(AbortSignal, "timeout", () => timeout.signal);
  fetched.mock.mockImplementationOnce((_, { signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))));
  const sent = answers.send("a", "dismiss", { dismissReason: "close" });
  timeout.abort();
  await sent;
  t.mock.timers.tick(5000);
  assert.equal(fetched.mock.callCount(), 2);
});

test("an onPress that throws does not block answers to the next toast of its id", async () => {
  let count = 0;
  const perform = () => {
    count += 1;
    throw new Error("Alas");
  };
  const { answers } = answering(200, { has: () => true, perform });
  await assert.rejects(answers.send("a", "actions/0"), /Alas/);
  await assert.rejects(answers.send("a", "actions/0"), /Alas/);
  assert.equal(count, 2);
});
