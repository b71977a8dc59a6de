/**
 * The page: one channel, watched and fed.
 *
 * @import { ToastViewer } from "./viewer/element.js"
 * @import { Connection, Envelope } from "./viewer/wire.d.ts"
 */

import { Channel, isChannelName, Problem } from "./page/channel.js";
import { dress, ownChannel, relink } from "./page/chrome.js";
import { Composer } from "./page/composer.js";
import { demos, greet } from "./page/demos.js";
import { curl } from "./page/draft.js";
import { find, make, makeCopying } from "./page/elements.js";
import { Inspector } from "./page/inspector.js";
import { t } from "./page/language.js";
import { Log } from "./page/log.js";
import { modes, SettingsPanel } from "./page/settings.js";

dress();
for (const name of ["message", "title"]) {
  /** @type {HTMLInputElement} */ (find(`[name=${name}]`)).defaultValue = t(`example.${name}`);
}

const asked = new URLSearchParams(location.search).get("channel") ?? "";
let channel = new Channel(isChannelName(asked) ? asked : ownChannel());
const current = () => channel;

const viewer = /** @type {ToastViewer} */ (find("toast-viewer"));
const inspector = new Inspector(find("[data-area=timeline]"), current);
const log = new Log(find("[data-log]"));
const composer = new Composer(find("[data-form=compose]"), current);
const settings = new SettingsPanel(find("[data-form=settings]"), current);
const toaster = find("[data-toaster]");

/** @param {Promise<unknown>} work */
const report = (work) => work.catch((/** @type {Error} */ error) => {
  if (!(error instanceof Problem)) { throw error; }
  find("[data-form=compose] [data-problem]").textContent = error.message;
});

/** Show the channel: its name wherever it stands, and nothing of the one before. */
function show() {
  document.title = t("title.channel", { channel: channel.name });
  /** @type {HTMLInputElement} */ (find("[data-form=channel] input")).value = channel.name;
  find("[data-curl=hero] code").textContent = curl(channel.toastsAddress, { message: t("demo.hello.text") });
  find("[data-embed]").textContent = [
    `<script type="module" src="${new URL("toast-viewer.js", document.baseURI)}"></script>`,
    `<toast-viewer channel="${channel.name}"></toast-viewer>`,
  ].join("\n");
  relink(channel.name);
  inspector.clear();
  log.clear();
  composer.show();
  viewer.channel = channel.name;
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

for (const demo of demos) {
  const button = make("button", t(demo.name));
  button.type = "button";
  button.addEventListener("click", () => report(demo.run(channel)));
  find("[data-demos]").append(button);
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

find("[data-tool=history]").addEventListener("click", () => viewer.showHistory());
find("[data-tool=preferences]").addEventListener("click", () => viewer.showPreferences());
find("[data-clear]").addEventListener("click", () => report(channel.clear()));
find("[data-wipe]").addEventListener("click", () => log.clear());
find("[data-mode]").addEventListener("change", ({ target }) => {
  settings.set({ mode: /** @type {HTMLInputElement} */ (target).value });
});

viewer.addEventListener("toast-connection", (event) => {
  const { state } = /** @type {CustomEvent<{ state: Connection }>} */ (event).detail;
  find("[data-connection]").dataset.connection = state;
  find("[data-word]").textContent = t(`connection.${state}`);
});

viewer.addEventListener("toast-event", (event) => {
  const envelope = /** @type {CustomEvent<Envelope>} */ (event).detail;
  if ("channel" in envelope && envelope.channel !== channel.name) { return; }
  log.take(envelope);
  inspector.take(envelope);
  if (!("effective" in envelope)) { return; }
  const { mode } = envelope.effective;
  for (const input of document.querySelectorAll("[name=mode]")) {
    if (input instanceof HTMLInputElement) { input.checked = input.value === mode; }
  }
  composer.settings = envelope.effective;
  settings.load();
});

viewer.addEventListener("toast-show", () => {
  // Jump again, also when the last jump is not over yet.
  for (const animation of toaster.getAnimations({ subtree: true })) { animation.cancel(); }
  delete toaster.dataset.popped;
  requestAnimationFrame(() => { toaster.dataset.popped = ""; });
});

// Who comes to no channel in particular gets one, and sees at once what this is about.
if (!asked) {
  const address = new URL(location.href);
  address.searchParams.set("channel", channel.name);
  history.replaceState(null, "", address);
  viewer.addEventListener("toast-event", () => report(greet(channel)), { once: true });
}

show();
