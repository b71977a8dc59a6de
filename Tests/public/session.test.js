import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

// A BroadcastChannel would keep this process alive.
Reflect.deleteProperty(globalThis, "BroadcastChannel");
Object.assign(globalThis, { document: { baseURI: "http://localhost/" } });
const { Session } = await import("../../public/page/session.js");

/** Functions that answer the open requests, in their order. @type {((caller?: object) => void)[]} */
let answers;

beforeEach(() => {
  answers = [];
  globalThis.fetch = () => new Promise((resolve, reject) => {
    answers.push((caller) => {
      if (caller) { resolve(Response.json(caller)); } else { reject(new TypeError("Failed to fetch")); }
    });
  });
});

const caller = (members) => ({ principal: "key:ann", session: true, grants: [{ scopes: ["publish"], channels: ["*"] }], ...members });

test("the end of a session stays where it is as time goes on", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_000_000 });
  const session = new Session();
  assert.equal(session.end, Infinity);
  const loaded = session.load();
  answers[0](caller({ expiresIn: 3600 }));
  await loaded;
  context.mock.timers.setTime(1_600_000);
  assert.equal(session.end, 1_000_000 + 3_600_000);
  // It stays also while the server is away.
  const failed = session.load();
  answers[1]();
  await failed;
  assert.equal(session.end, 1_000_000 + 3_600_000);
});

test("without a session the end is Infinity", async () => {
  const session = new Session();
  const loaded = session.load();
  answers[0](caller({ session: false }));
  await loaded;
  assert.equal(session.end, Infinity);
});

test("an answer is ignored if a later request was answered before", async () => {
  const session = new Session();
  let changes = 0;
  session.addEventListener("change", () => { changes += 1; });
  const all = [session.load(), session.load()];
  answers[1](caller({ principal: "key:ann" }));
  await all[1];
  answers[0](caller({ principal: "anonymous", session: false, grants: [] }));
  await all[0];
  assert.equal(session.name, "key:ann");
  assert.equal(changes, 1);
});
