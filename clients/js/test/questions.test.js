/** How long a question waits, and how its request is repeated. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { ToastClient } from "../src/index.js";
import { address, json, lost, pass, scripted, setClock, silent } from "./scripted.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.reset());

test("a question may wait longer than that, and has a limit, too", async () => {
  const { requests, fetch } = scripted(silent, () => json(200, { id: "t1", state: "dismissed" }));
  const toast = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { wait: 60 });
  await pass(74);
  assert.equal(requests.length, 1);
  await pass(3);
  assert.equal((await toast).state, "dismissed");
});

test("a question is over when its time is, whatever the server asks for", async () => {
  setClock();
  const busy = () => new Response(null, { status: 503, headers: { "Retry-After": "60" } });
  const { requests, fetch } = scripted(busy, () => json(202, { id: "t1", state: "queued" }));
  let end;
  new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { wait: 10, withdraw: true })
    .then(() => { end = Date.now(); });
  await pass(15);
  assert.equal(end, 10_000);
  assert.deepEqual(requests.map(({ headers }) => headers.get("Prefer")), ["wait=10, withdraw", "wait=1, withdraw"]);
});

for (const [hours, last] of [[2, "GET"], [-2, "POST"]]) {
  test(`a question's time is the same when the clock is set by ${hours} hours`, async () => {
    setClock();
    const { now } = Date;
    const { requests, fetch } = scripted(
      () => {
        mock.method(Date, "now", () => now() + hours * 3_600_000);
        return new Response(null, { status: 503, headers: { "Retry-After": "1" } });
      },
      () => json(202, { id: "t1", state: "queued" }),
      () => json(200, { id: "t1", state: "dismissed" }),
    );
    const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { wait: 10 });
    await pass(4);
    assert.equal((await asking).state, "dismissed");
    assert.deepEqual(requests.map(({ headers }) => headers.get("Prefer")), ["wait=10", "wait=9", "wait=8"]);
    // By the date, because the server may have forgotten the key while this machine was suspended.
    assert.deepEqual(requests.map(({ method }) => method), ["POST", "POST", last]);
  });
}

test("a long question is asked again before a proxy gives it up", async () => {
  setClock();
  const { requests, fetch } = scripted(
    () => json(202, { id: "t1", state: "presented" }),
    () => json(200, { id: "t1", state: "dismissed" }),
  );
  const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?");
  await pass(2);
  assert.equal((await asking).state, "dismissed");
  assert.deepEqual(requests.map(({ headers }) => headers.get("Prefer")), ["wait=45", "wait=45"]);
  assert.equal(new Set(requests.map(({ headers }) => headers.get("Idempotency-Key"))).size, 1);
});

test("a question ends at once when it is aborted", async () => {
  const control = new AbortController();
  const { requests, fetch } = scripted(silent);
  const toast = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { signal: control.signal });
  await pass(1);
  control.abort(new Error("over"));
  await assert.rejects(toast, { message: "over" });
  assert.equal(requests.length, 1);
});

test("a question that was aborted before is not sent", async () => {
  const { requests, fetch } = scripted();
  const signal = AbortSignal.abort(new Error("over"));
  const toast = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { signal });
  await assert.rejects(toast, { message: "over" });
  assert.equal(requests.length, 0);
});

test("a question for which the server cannot wait is asked again", async () => {
  const { fetch } = scripted(
    () => json(201, { id: "t1", state: "queued" }),
    () => json(200, { id: "t1", state: "dismissed" }),
  );
  const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?");
  await pass(2);
  assert.equal((await asking).state, "dismissed");
});

/** A server that waits for 45 seconds, and cannot be reached for some time. It records each method and path. */
function waiting({ end = Infinity, from = 0, to = 0 } = {}) {
  const requests = [];
  const fetch = async (url, { method, headers }) => {
    const at = Date.now() / 1000;
    requests.push({ at, call: `${method} ${url.pathname}`, key: headers.get("Idempotency-Key") });
    if (at >= from && at < to) { lost(); }
    await new Promise((resolve) => { setTimeout(resolve, 45_000); });
    const state = Date.now() >= end * 1000 ? "dismissed" : "presented";
    const status = method === "POST" && state === "presented" ? 202 : 200;
    // What the server applies of the preferences: it withdraws nothing for a client that only reads.
    const applied = method === "POST" ? headers.get("Prefer") : "wait=45";
    return json(status, { id: "t1", state }, { "Preference-Applied": applied });
  };
  const calls = (after, until) => {
    const some = requests.filter(({ at }) => at > after && at <= until);
    return [...new Set(some.map(({ call }) => call))];
  };
  return { requests, fetch, calls };
}

const publication = "POST /v1/channels/ops/toasts";
const reading = "GET /v1/channels/ops/toasts/t1";

for (const [name, outage] of [["all the time", {}], ["after an outage of a day", { from: 2900, to: 86_400 }]]) {
  test(`a question that waits for longer than the server keeps its key is read, ${name}`, async () => {
    setClock();
    const { requests, fetch, calls } = waiting({ end: 87_000, ...outage });
    const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?");
    await pass(87_200, 5);
    assert.equal((await asking).state, "dismissed");
    assert.deepEqual(calls(0, 3000), [publication]);
    assert.deepEqual(calls(3000, Infinity), [reading]);
    assert.equal(requests.at(-1).key, null);
  });
}

test("a long question is read at the same time when the clock is set back by a day", async () => {
  setClock();
  const methods = [];
  const fetch = async (_, { method }) => {
    methods.push(method);
    await new Promise((resolve) => { setTimeout(resolve, 45_000); });
    return json(202, { id: "t1", state: method === "POST" ? "presented" : "dismissed" });
  };
  const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?");
  const { now } = Date;
  mock.method(Date, "now", () => now() - 86_400_000);
  await pass(3200, 5);
  assert.equal((await asking).state, "dismissed");
  assert.deepEqual(new Set(methods), new Set(["POST", "GET"]));
});

test("a question that may not have arrived is published for as long as it takes", async () => {
  setClock();
  const { fetch, calls } = waiting({ end: 4000, to: 4000 });
  const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?");
  await pass(4100, 5);
  assert.equal((await asking).state, "dismissed");
  assert.deepEqual(calls(0, Infinity), [publication]);
});

for (const [withdraw, after] of [[true, [reading, "DELETE /v1/channels/ops/toasts/t1"]], [false, [reading]]]) {
  test(`a question that is read and aborted is ${withdraw ? "" : "not "}withdrawn`, async () => {
    setClock();
    const control = new AbortController();
    const { fetch, calls } = waiting();
    const { signal } = control;
    const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { withdraw, signal });
    const ended = assert.rejects(asking, { message: "over" });
    await pass(3100, 5);
    control.abort(new Error("over"));
    await pass(50, 5);
    await ended;
    assert.deepEqual(calls(3000, Infinity), after);
  });
}

/** An answer about a toast that has not ended; `applied` are the preferences that the server follows. */
const queued = (status, id, applied) =>
  () => json(status, { id, state: "queued" }, applied && { "Preference-Applied": applied });

for (const [name, answers, withdrawn] of [
  ["is withdrawn, too", [queued(202, "t1", "wait=45, withdraw")], ["t1"]],
  ["and for which the server cannot wait is withdrawn, too", [queued(201, "t1")], ["t1"]],
  ["spares the toast of another publisher", [queued(202, "t1", "wait=45")], []],
  ["spares it also if the server cannot wait", [queued(200, "t1")], []],
  // The server has forgotten the key early, and another publisher's toast has taken the place.
  ["withdraws only its own", [queued(202, "t1", "wait=45, withdraw"), queued(202, "t2", "wait=45")], ["t1"]],
]) {
  test(`a question that is aborted between two requests ${name}`, async () => {
    const { requests, fetch } = scripted(...answers, () => json(200, { id: "t1", state: "dismissed" }));
    const control = new AbortController();
    const { signal } = control;
    const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { withdraw: true, signal });
    const ended = assert.rejects(asking, { message: "over" });
    await pass(answers.length - 0.5);
    control.abort(new Error("over"));
    await ended;
    const deleted = requests.filter(({ method }) => method === "DELETE").map(({ url }) => url.pathname);
    assert.deepEqual(deleted, withdrawn.map((id) => `/v1/channels/ops/toasts/${id}`));
    assert.equal(requests.length, answers.length + withdrawn.length);
  });
}

for (const [name, answer] of Object.entries({ lost, "not answered": silent })) {
  test(`a withdrawal that is ${name} is sent once, and ends within 5 seconds`, async () => {
    const { requests, fetch } = scripted(queued(202, "t1", "wait=45, withdraw"), answer);
    const control = new AbortController();
    const { signal } = control;
    const asking = new ToastClient(address, { fetch }).channel("ops").ask("Go on?", { withdraw: true, signal });
    const ended = assert.rejects(asking, { message: "over" });
    await pass(0.5);
    control.abort(new Error("over"));
    await ended;
    await pass(4.8);
    assert.equal(requests.at(-1).method, "DELETE");
    assert.equal(requests.at(-1).signal.aborted, false);
    await pass(0.4);
    assert.equal(requests.at(-1).signal.aborted, answer === silent);
    await pass(60);
    assert.equal(requests.length, 2);
  });
}

test("a withdrawal does not wait for a token that does not come", async () => {
  const { requests, fetch } = scripted(queued(202, "t1", "wait=45, withdraw"));
  const control = new AbortController();
  let late;
  const tokens = ["toastd_KEY", new Promise((resolve) => { late = resolve; })];
  const ops = new ToastClient(address, { fetch, token: () => tokens.shift() }).channel("ops");
  const ended = assert.rejects(ops.ask("Go on?", { withdraw: true, signal: control.signal }), { message: "over" });
  await pass(0.5);
  control.abort(new Error("over"));
  await ended;
  await pass(5.2);
  late("toastd_KEY");
  await pass(1);
  assert.equal(requests.length, 1);
});
