import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curl, draft, quoted } from "../../public/page/draft.js";

const fields = {
  message: "Hi", titleKind: "automatic", title: "T", role: "info", style: "glass", placement: "top",
  durationKind: "custom", duration: "6", icon: "", haptic: "", progressKind: "", progress: "0.4",
};

test("what is left out of the form is left out of the toast", () => {
  assert.deepEqual(draft(fields), { message: "Hi", role: "info", style: "glass", placement: "top", duration: 6 });
});

test("a title is the role's, one's own or none", () => {
  assert.equal("title" in draft(fields), false);
  assert.equal(draft({ ...fields, titleKind: "custom" }).title, "T");
  assert.equal(draft({ ...fields, titleKind: "none" }).title, null);
});

test("named durations go out by name", () => {
  assert.equal(draft({ ...fields, durationKind: "indefinite" }).duration, "indefinite");
});

test("everything else has its member", () => {
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

test("a plain message is the shortest line", () => {
  assert.equal(curl("http://h/x", { message: "Deployed" }), "curl -d 'Deployed' http://h/x");
});

test("a message that curl would read as a file goes as JSON", () => {
  assert.match(curl("http://h/x", { message: "@/etc/passwd" }), /^curl --json /);
});

for (const word of ["it's", "'; rm -rf /; '", "$HOME `id` \\ \"q\"", "a\nb", "é ☕"]) {
  test(`a shell reads ${JSON.stringify(word)} back`, () => {
    assert.equal(execFileSync("sh", ["-c", `printf %s ${quoted(word)}`], { encoding: "utf8" }), word);
  });
}
