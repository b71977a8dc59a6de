import assert from "node:assert/strict";
import { test } from "node:test";
import { DisplayTimers } from "../../public/viewer/display-timers.js";
import { fold, restart } from "../../public/viewer/lazy/timer-controls.js";
import { toast } from "./fixtures.js";

/**
 * @param {string} id
 * @param {object} [members]
 */
const entry = (id, { remaining = 6, ...members } = {}) => (
  { toast: toast({ id, duration: remaining, ...members }), remaining, holders: [], spoken: 0, moves: 0 }
);
/** @param {string} id @param {string} [reason] */
const exit = (id, reason = "timeout") => ({ id, exit: 0.35, reason });

function make() {
  const timers = new DisplayTimers();
  /** @type {any[]} */
  let presented = [];
  /** @type {any[]} */
  let exits = [];
  const ids = (/** @type {number} */ now) => timers.view(now).presented.map((it) => it.toast.id);
  const show = (/** @type {number} */ now, /** @type {any[]} */ ...entries) => {
    presented = [...presented, ...entries];
    timers.update({ presented, exits }, now);
  };
  const end = (/** @type {number} */ now, /** @type {string} */ id, /** @type {string} */ reason = "timeout") => {
    presented = presented.filter((it) => it.toast.id !== id);
    exits = [exit(id, reason), ...exits];
    timers.update({ presented, exits }, now);
  };
  const hold = (/** @type {number} */ now, /** @type {string[]} */ ...reasons) => timers.hold(new Set(reasons), now);
  return { timers, ids, show, end, hold };
}

test("a toast without a hold goes when the server ends it", () => {
  const { ids, show, end } = make();
  show(0, entry("a"));
  assert.deepEqual(ids(0), ["a"]);
  end(6000, "a");
  assert.deepEqual(ids(6000), []);
});

for (const reason of ["hover", "focus", "drag", "hidden", "pause", "never"]) {
  test(`B6: during ${reason} the server's end of a countdown removes no toast; its time left here follows`, () => {
    const { ids, show, end, hold } = make();
    show(0, entry("a"));
    ids(0);
    hold(2000, reason);
    end(6000, "a");
    assert.deepEqual(ids(600_000), ["a"]);
    hold(600_000);
    assert.deepEqual(ids(603_000), ["a"]);
    assert.deepEqual(ids(604_000), []);
  });
}

for (const reason of ["api", "cleared", "action", "close", "swipe"]) {
  test(`a toast that ended for ${reason} stays while it is touched, but not for "never"`, () => {
    const { ids, show, end, hold } = make();
    show(0, entry("a"), entry("b"));
    ids(0);
    hold(0, "never");
    end(1000, "a", reason);
    assert.deepEqual(ids(1000), ["b"]);
    hold(1000, "hover");
    end(1000, "b", reason);
    assert.deepEqual(ids(1000), ["b"]);
    hold(2000);
    assert.deepEqual(ids(2000), []);
  });
}

test("B4: the time without a hold is the toast's time, however often it is held", () => {
  let seed = 1;
  const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
  for (let round = 0; round < 500; round++) {
    const { timers, ids, show, end, hold } = make();
    const seconds = 2 + random() * 20;
    show(0, entry("a", { remaining: seconds }));
    ids(0);
    let now = 0;
    let free = 0;
    end(0, "a");
    for (let turn = 0; turn < 8; turn++) {
      const run = random() * (seconds * 1000 - free - 1500) / 2;
      if (run < 0) { break; }
      now += run;
      free += run;
      assert.deepEqual(ids(now), ["a"], `still there in round ${round}`);
      hold(now, "hover");
      now += random() * 100_000;
      assert.deepEqual(ids(now), ["a"], `held in round ${round}`);
      hold(now);
    }
    const left = seconds * 1000 - free;
    assert.deepEqual(ids(now + left - 450), ["a"]);
    assert.ok(timers.next(now + left - 450) <= 51);
    assert.deepEqual(ids(now + left), []);
  }
});

test("B4: a duration that changes during a hold is the new time", () => {
  const { timers, ids, show, hold } = make();
  show(0, entry("a"));
  ids(0);
  hold(1000, "hover");
  const longer = { ...entry("a", { remaining: 30 }) };
  timers.update({ presented: [longer], exits: [] }, 2000);
  timers.update({ presented: [], exits: [/** @type {any} */ (exit("a"))] }, 2000);
  hold(2000);
  assert.deepEqual(ids(31_000), ["a"]);
  assert.deepEqual(ids(32_000), []);
});

test("B5: a timer that fires a minute late changes nothing, because times come from the clock", () => {
  const { ids, show, end, hold } = make();
  show(0, entry("a"));
  ids(0);
  hold(1000, "hidden");
  end(6000, "a");
  hold(61_000);
  assert.deepEqual(ids(61_000), ["a"]);
  assert.deepEqual(ids(65_000), ["a"]);
  assert.deepEqual(ids(125_000), []);
});

test("B2: a toast that came while the page was hidden has its full time afterwards", () => {
  const { timers, ids, show, end, hold } = make();
  timers.close();
  hold(0, "hidden");
  show(0, entry("a"));
  end(6000, "a");
  assert.deepEqual(ids(60_000), []);
  hold(60_000);
  assert.equal(timers.open(60_000).length, 1);
  assert.deepEqual(ids(60_000), ["a"]);
  assert.deepEqual(ids(65_000), ["a"]);
  assert.deepEqual(ids(66_000), []);
});

test("B3: of two hundred toasts that came while the page was hidden, the most important few are shown", () => {
  const { timers, ids, show, end, hold } = make();
  timers.limit = 3;
  timers.close();
  hold(0, "hidden");
  for (let index = 0; index < 200; index++) {
    show(index, entry(`t${index}`, { role: index === 150 ? "error" : "info" }));
    end(index, `t${index}`);
  }
  hold(1000);
  timers.open(1000);
  assert.deepEqual(ids(1000), ["t150", "t198", "t199"]);
  assert.deepEqual(ids(10_000), []);
});

test("the number of kept toasts that have ended is bounded", () => {
  const { timers, ids, show, end, hold } = make();
  timers.limit = 1000;
  hold(0, "never");
  for (let index = 0; index < 300; index++) {
    show(index, entry(`t${index}`));
    ids(index);
    end(index, `t${index}`);
  }
  assert.equal(ids(1000).length, 100);
});

test("a scale of ten is applied here if the server has not applied it", () => {
  const { timers, ids, show, end } = make();
  timers.scale = 10;
  show(0, entry("a"));
  ids(0);
  end(6000, "a");
  assert.deepEqual(ids(59_000), ["a"]);
  assert.deepEqual(ids(60_000), []);
});

test("a scale that the server has applied is not applied again", () => {
  const { timers, ids } = make();
  timers.scale = 10;
  const granted = { ...entry("a"), remaining: 60 };
  timers.update({ presented: [granted], exits: [] }, 0);
  ids(0);
  timers.update({ presented: [], exits: [/** @type {any} */ (exit("a"))] }, 60_000);
  assert.deepEqual(ids(60_000), []);
});

test("turning the screen restarts all countdowns", () => {
  const { timers, ids, show, end } = make();
  show(0, entry("a"));
  ids(0);
  restart(timers, 5000);
  end(6000, "a");
  assert.deepEqual(ids(10_000), ["a"]);
  assert.deepEqual(ids(11_000), []);
});

test("a hold does not keep a toast that a person has dismissed here", () => {
  const { timers, ids, show, end, hold } = make();
  show(0, entry("a"));
  ids(0);
  hold(0, "hover", "focus");
  timers.dismiss("a");
  assert.deepEqual(ids(10), ["a"]);
  end(20, "a", "close");
  assert.deepEqual(ids(20), []);
});

for (const reason of ["close", "api"]) {
  test(`a reused id is another toast, also while the one that ended for ${reason} is held`, () => {
    const { timers, ids, show, end, hold } = make();
    show(0, entry("a", { remaining: 6 }), entry("b"));
    ids(0);
    hold(0, "hover");
    if (reason === "close") { timers.dismiss("a"); }
    end(10, "a", reason);
    show(10, entry("a", { remaining: 6, createdAt: "later" }));
    const { presented, over, exits } = timers.view(20);
    assert.deepEqual(presented.map(({ toast }) => [toast.id, toast.createdAt === "later"]), [["b", false], ["a", true]]);
    assert.deepEqual([...over], []);
    assert.deepEqual(exits.map((it) => [it.id, it.reason]), [["a", reason]]);
    hold(20);
    assert.deepEqual(ids(20), ["b", "a"]);
    end(30, "a", "api");
    assert.deepEqual(ids(30), ["b"]);
  });
}

test("while the server is away, toasts whose time is over go, and do not come back by themselves", () => {
  const { timers, ids, show } = make();
  const only = entry("a");
  show(0, only);
  ids(0);
  timers.isAway = true;
  assert.deepEqual(ids(7000), ["a"]);
  assert.deepEqual(ids(9000), []);
  timers.update({ presented: [only], exits: [] }, 9100);
  assert.deepEqual(ids(9100), []);
});

test("shown toasts keep their places, and a free place goes to the newest of the most important role", () => {
  const { timers, ids, show, end } = make();
  timers.limit = 2;
  show(0, entry("a"), entry("b"));
  ids(0);
  show(1, entry("c"), entry("d", { role: "warning" }), entry("e"));
  assert.deepEqual(ids(1), ["a", "b"]);
  assert.equal(timers.view(1).more.size, 3);
  end(2, "a", "close");
  assert.deepEqual(ids(2), ["b", "d"]);
  end(3, "d", "close");
  assert.deepEqual(ids(3), ["b", "e"]);
});

test("an error needs no free place, and does not take one from later toasts", () => {
  const { timers, ids, show, end } = make();
  timers.limit = 1;
  show(0, entry("a"));
  ids(0);
  show(1, entry("b"), entry("c", { role: "error" }), entry("d", { role: "error" }));
  assert.deepEqual(ids(1), ["a", "c", "d"]);
  assert.deepEqual(timers.view(1).waiting.map(({ toast }) => toast.id), ["b"]);
  for (const id of ["a", "c", "d"]) { end(2, id, "close"); }
  assert.deepEqual(ids(2), ["b"]);
});

test("when the list is collapsed again, the newest toasts stay and the others wait", () => {
  const { timers, ids, show } = make();
  timers.limit = 5;
  show(0, ...["a", "b", "c", "d", "e"].map((id) => entry(id)));
  assert.deepEqual(ids(0), ["a", "b", "c", "d", "e"]);
  timers.limit = 2;
  // A lower limit alone removes no shown toast.
  assert.equal(ids(0).length, 5);
  fold(timers);
  assert.deepEqual(ids(0), ["d", "e"]);
  assert.deepEqual([...timers.view(0).more], ["a", "b", "c"]);
});

test("an update with less remaining on the server does not shorten the time here", () => {
  const { timers, ids, show, end } = make();
  timers.scale = 3;
  const granted = { ...entry("a"), remaining: 18 };
  show(0, granted);
  ids(0);
  // A change 13 s later: the server has 5 s left, which is less than the 6 s that were sent.
  timers.update({ presented: [{ ...granted, remaining: 5 }], exits: [] }, 13_000);
  assert.equal(timers.left(timers.kept.get("a"), 13_000), 5000);
  end(18_000, "a");
  assert.deepEqual(ids(18_000), []);
});
