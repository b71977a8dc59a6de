import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Answers } from "../../public/viewer/lazy/answers.js";
import { toast } from "./fixtures.js";

/**
 * Answers about one toast, to a server that answers with a status; or is not reached, with 0.
 *
 * @param {number} status
 * @param {object} [own] - stands for the local channel
 */
function answering(status, own) {
  /** @type {string[]} */
  const calls = [];
  const fetched = mock.method(globalThis, "fetch", async () => {
    if (status === 0) { throw new TypeError("Failed to fetch"); }
    return new Response(status === 204 ? null : "{}", { status });
  });
  const lifecycle = { hide: (/** @type {string} */ id) => calls.push(`hide ${id}`), comeBack: (/** @type {string} */ id) => calls.push(`back ${id}`) };
  const answers = new Answers(/** @type {any} */ ({
    screen: { shown: new Map([["a", { card: {}, entry: { toast: toast() } }]]) },
    states: new Map([["ops", { presented: [{ toast: toast() }] }]]),
    lifecycle: { part: lifecycle, get: async () => lifecycle },
    timers: { dismiss: (/** @type {string} */ id, isClosing = true) => calls.push(`closing ${isClosing}`) },
    connection: { connection: "open", addressOf: (/** @type {string} */ _, /** @type {string} */ path) => new URL(path, "http://host/v1/channels/ops/") },
    tell: () => true,
    schedule: () => {},
    local: () => own,
    drop: () => {},
    tokenOf: () => undefined,
    refuse: (/** @type {URL} */ _, /** @type {number} */ refused) => calls.push(`refused ${refused}`),
  }));
  return { answers, calls, fetched };
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
