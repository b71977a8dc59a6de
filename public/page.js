/**
 * The page: shows one channel, and publishes to it.
 *
 * @import { HooksPanel } from "./page/hooks.js"
 * @import { ToastViewer } from "./viewer/element.js"
 * @import { Envelope, Settings } from "./viewer/wire.d.ts"
 */

import { Account, restrict } from "./page/account.js";
import { Away } from "./page/away.js";
import { Channel, isChannelName, Problem, request } from "./page/channel.js";
import { channelOf, clearHeader, embedding, keep, preparePage, recall, relink } from "./page/chrome.js";
import { Composer } from "./page/composer.js";
import { follow, watch } from "./page/connection.js";
import { demos, greet } from "./page/demos.js";
import { curl } from "./page/draft.js";
import { find, make, makeCopying } from "./page/elements.js";
import { Inspector } from "./page/inspector.js";
import { learn, t } from "./page/language.js";
import { mark, report, unmark } from "./page/issues.js";
import { Log } from "./page/log.js";
import { Session } from "./page/session.js";
import { modes } from "./page/setting-controls.js";
import { SettingsPanel } from "./page/settings.js";
import { styleName, styles } from "./page/specimen.js";

preparePage();
clearHeader();
for (const name of ["message", "title"]) {
  /** @type {HTMLInputElement} */ (find(`[name=${name}]`)).defaultValue = t(`example.${name}`);
}

/** Where the last shown channel is stored: the installed app begins with it. */
const lastChannel = "toastd-last-channel";
const parameters = new URLSearchParams(location.search);
const asked = parameters.get("channel") ?? (parameters.has("app") ? recall(lastChannel) : undefined) ?? "";
let channel = channelOf(asked);
const current = () => channel;

const session = new Session();
const account = new Account(find("[data-area=session]"), find("[data-tool=account]"), session, () => channel.name);
const viewer = /** @type {ToastViewer} */ (find("toast-viewer"));
const inspector = new Inspector(find("[data-area=timeline]"), current);
const log = new Log(find("[data-log]"));
const composer = new Composer(find("[data-form=compose]"), current);
const settings = new SettingsPanel(find("[data-form=settings]"), current);
const away = new Away(find("[data-form=away]"), () => channel.name, () => viewer.isPaused);
const toaster = find("[data-toaster]");

const hooks = /** @type {HTMLDetailsElement} */ (find("[data-hooks]"));
/** Loaded when the panel is opened. @type {Promise<HooksPanel> | undefined} */
let hooksPanel;

async function loadHooksPanel() {
  const { HooksPanel } = await import("./page/hooks.js");
  return new HooksPanel(find("div", hooks), current, { t, learn, request, Problem, mark, unmark, styles, styleName });
}

/** The lines for failures: of the greeting, of the button in the timeline, of each demo. */
const problems = {
  hero: find("[data-area=hero] [data-problem]"),
  timeline: find("[data-area=timeline] [data-problem]"),
  demos: demos.map(() => make("p", "", { problem: "" })),
};

/** Show the channel's name everywhere, and clear everything of the previous channel. */
function show() {
  document.title = t("title.channel", { channel: channel.name });
  /** @type {HTMLInputElement} */ (find("[data-form=channel] input")).value = channel.name;
  find("[data-embed]").textContent = embedding(channel.name);
  relink(channel.name);
  keep(lastChannel, channel.name);
  away.look();
  inspector.clear();
  log.clear();
  settings.clear();
  composer.clear();
  showSettings();
  for (const line of Object.values(problems).flat()) { line.textContent = ""; }
  applyPermissions();
}

/**
 * Show the channel's settings outside of their form: the queue mode, and the look in the composer.
 *
 * @param {Settings} [effective] - absent while they are not known
 */
function showSettings(effective = {}) {
  for (const input of document.querySelectorAll("[name=mode]")) {
    if (input instanceof HTMLInputElement) { input.checked = input.value === effective.mode; }
  }
  composer.settings = effective;
}

/** Watch the channel if the caller may, and show what else is permitted. */
function applyPermissions() {
  restrict(session, channel.name);
  account.show();
  hooksPanel?.then((panel) => panel.load());
  // The curl lines need no key if this caller has no session, and so is anonymous, and may publish.
  channel.needsKey = session.isOpen || !session.may("publish", channel.name);
  find("[data-curl=hero] code").textContent = curl(channel.toastsAddress, { message: t("demo.hello.text") }, channel.needsKey);
  composer.show();
  watch(viewer, session, channel.name);
}

/**
 * Watch another channel, without loading the page again.
 *
 * @param {string} name
 */
function turnTo(name) {
  if (name === channel.name || !isChannelName(name)) { return; }
  channel = new Channel(name);
  show();
}

find("[data-form=channel]").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("channel"));
  const address = new URL(location.href);
  address.searchParams.set("channel", name);
  history.pushState(null, "", address);
  turnTo(name);
});

addEventListener("popstate", () => turnTo(new URLSearchParams(location.search).get("channel") ?? ""));

for (const [index, demo] of demos.entries()) {
  const button = make("button", t(demo.name));
  const line = problems.demos[index];
  const part = make("div");
  button.type = "button";
  button.addEventListener("click", () => report(line, demo.run(channel)));
  line.role = "alert";
  part.append(button, line);
  find("[data-demos]").append(part);
}

for (const mode of modes) {
  const label = make("label");
  label.title = t(`mode.${mode}.hint`);
  const input = make("input");
  Object.assign(input, { type: "radio", name: "mode", value: mode });
  label.append(input, t(`mode.${mode}`));
  find("[data-mode] [data-segments]").append(label);
}

for (const part of document.querySelectorAll("[data-area=hero] [data-curl], [data-area=embed] [data-curl]")) {
  makeCopying(find("[data-copy]", part), find("code", part), t);
}

session.addEventListener("change", applyPermissions);
for (const button of document.querySelectorAll("[data-ask]")) {
  button.addEventListener("click", () => {
    account.ask();
    find("[data-area=session]").scrollIntoView({ block: "nearest" });
  });
}

find("[data-tool=history]").addEventListener("click", () => viewer.showHistory());
find("[data-tool=preferences]").addEventListener("click", () => viewer.showPreferences());
find("[data-clear]").addEventListener("click", () => report(problems.timeline, channel.clear()));
hooks.addEventListener("toggle", async () => {
  if (!hooks.open) { return; }
  hooksPanel ??= loadHooksPanel();
  try {
    (await hooksPanel).load();
  } catch {
    // The server was away; another opening tries again.
    hooksPanel = undefined;
    find("div", hooks).textContent = t("problem.away");
  }
});
find("[data-wipe]").addEventListener("click", () => log.clear());
find("[data-mode]").addEventListener("change", ({ target }) => {
  settings.set("mode", /** @type {HTMLInputElement} */ (target).value);
});

follow(viewer, session);

viewer.addEventListener("toast-event", (event) => {
  const envelope = /** @type {CustomEvent<Envelope>} */ (event).detail;
  if ("channel" in envelope && envelope.channel !== channel.name) { return; }
  log.take(envelope);
  inspector.take(envelope);
  away.take(envelope);
  if (!("effective" in envelope)) { return; }
  showSettings(envelope.effective);
  settings.load();
});

for (const [type, isHere] of /** @type {const} */ ([["toast-show", true], ["toast-dismiss", false]])) {
  viewer.addEventListener(type, (event) => {
    const { detail } = /** @type {CustomEvent<{ id?: string, toast?: { id: string } }>} */ (event);
    inspector.see(detail.toast?.id ?? detail.id ?? "", isHere);
  });
}

viewer.addEventListener("toast-show", () => {
  // Restart the animation, even if it is running.
  for (const animation of toaster.getAnimations({ subtree: true })) { animation.cancel(); }
  delete toaster.dataset.popped;
  requestAnimationFrame(() => { toaster.dataset.popped = ""; });
});

// Put the channel into the address. A visitor who asked for none, nor has one from the installed app, gets a greeting.
if (!parameters.has("channel")) {
  const address = new URL(location.href);
  address.searchParams.set("channel", channel.name);
  history.replaceState(null, "", address);
}
if (!asked) {
  const first = channel;
  viewer.addEventListener("toast-event", () => {
    // Not into another channel that was entered meanwhile: it may be on many screens.
    if (channel === first && session.may("publish", first.name)) { report(problems.hero, greet(first)); }
  }, { once: true });
}

await session.load();
show();
