import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curl, draft, fieldOf, quoted } from "../../public/page/draft.js";

const fields = {
  message: "Hi", titleKind: "automatic", title: "T", role: "info", style: "glass", placement: "top",
  durationKind: "custom", duration: "6", icon: "", haptic: "", progressKind: "", progress: "0.4",
};

test("what is left out of the form is left out of the toast", () => {
  assert.deepEqual(draft(fields), { message: "Hi", role: "info", style: "glass", placement: "top", duration: 6 });
});

test("a title is that of the role, a custom one or none", () => {
  assert.equal("title" in draft(fields), false);
  assert.equal(draft({ ...fields, titleKind: "custom" }).title, "T");
  assert.equal(draft({ ...fields, titleKind: "none" }).title, null);
});

test("named durations are sent by name", () => {
  assert.equal(draft({ ...fields, durationKind: "indefinite" }).duration, "indefinite");
});

test("every other field makes its member", () => {
  const toast = draft({
    ...fields, action0: "Undo it", actionRole0: "destructive", action1: " ", actionRole1: "", progressKind: "indeterminate",
    image: "https://a.example/x.png", alt: "A graph", reuseIdentifier: "r", requiresInteraction: "on", dimsBackground: "on",
    expiresAfter: "60", data: '{"build":42}', icon: "star.fill", haptic: "heavy",
  });
  assert.deepEqual(toast.actions, [{ id: "undo-it", title: "Undo it", role: "destructive" }]);
  assert.deepEqual(toast.progress, { indeterminate: true });
  assert.deepEqual(toast.image, { url: "https://a.example/x.png", alt: "A graph" });
  assert.deepEqual(toast.data, { build: 42 });
  assert.equal(toast.expiresAfter, 60);
  assert.equal(toast.requiresInteraction, true);
  assert.equal(toast.dimsBackground, true);
});

test("every action has a unique id within the server's maximum length", () => {
  const ids = (...titles) => draft({ ...fields, ...Object.fromEntries(titles.map((title, index) => [`action${index}`, title])) })
    .actions.map(({ id }) => id);
  assert.deepEqual(ids("はい", "いいえ", "Action 2"), ["action", "action-2", "action-2-2"]);
  assert.deepEqual(ids("Retry", "retry!", "Undo"), ["retry", "retry-2", "undo"]);
  const long = ids("x".repeat(100), "x".repeat(99));
  assert.ok(long[0] !== long[1] && long.every((id) => id.length <= 64));
});

test("a localized text has its key, its arguments and its default", () => {
  const toast = draft({ ...fields, messageKind: "key", key: "done", arguments: "Ann, 3", fallback: "%@ did %@" });
  assert.deepEqual(toast.message, { key: "done", arguments: ["Ann", "3"], default: "%@ did %@" });
});

test("progress has a value and a total, and may have a time until the dismissal", () => {
  const toast = draft({ ...fields, progressKind: "determinate", progress: "0.4", total: "12", dismissAfter: "2" });
  assert.deepEqual(toast.progress, { value: 4.8, total: 12, dismissAfter: 2 });
});

test("a JSON Pointer of the server leads to the field that made the member", () => {
  const typed = { ...fields, action1: "Undo", action2: "Retry", messageKind: "key" };
  for (const [pointer, name] of [
    ["/actions/0/id", "action1"], ["/actions/1/role", "actionRole2"], ["/actions/1/url", "actionURL2"], ["/actions", "action1"],
    ["/message/key", "key"], ["/message", "key"], ["/message/default", "fallback"], ["/message/arguments/0", "arguments"],
    ["/progress/total", "total"], ["/progress", "progress"], ["/image/url", "image"], ["/image/alt", "alt"],
    ["/duration", "duration"], ["/data/a/b", "data"], ["/title", "titleKind"], ["", undefined], ["/unheardOf", undefined],
  ]) { assert.equal(fieldOf(pointer, typed), name, pointer); }
  assert.equal(fieldOf("/message", fields), "message");
});

test("a toast with only a message makes the shortest command line", () => {
  assert.equal(curl("http://h/x", { message: "Deployed" }), "curl -d 'Deployed' http://h/x");
});

test("a message that curl would read as a file name is sent as JSON", () => {
  assert.match(curl("http://h/x", { message: "@/etc/passwd" }), /^curl --json /);
});

for (const word of ["it's", "'; rm -rf /; '", "$HOME `id` \\ \"q\"", "a\nb", "é ☕"]) {
  test(`a shell reads ${JSON.stringify(word)} back`, () => {
    assert.equal(execFileSync("sh", ["-c", `printf %s ${quoted(word)}`], { encoding: "utf8" }), word);
  });
}
