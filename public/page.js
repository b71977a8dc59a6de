/**
 * The page: one channel, watched and fed.
 *
 * @import { ToastViewer } from "./viewer/element.js"
 * @import { Connection, Envelope } from "./viewer/wire.d.ts"
 */

import { Channel, Problem } from "./page/channel.js";
import { compose } from "./page/composer.js";
import { demos } from "./page/demos.js";
import { Log } from "./page/log.js";
import { Queue } from "./page/queue.js";

/**
 * @template {HTMLElement} [Found=HTMLElement]
 * @param {string} selector
 * @returns {Found}
 */
function find(selector) {
  const element = document.querySelector(selector);
  if (!element) { throw new Error(`The page has no ${selector}`); }
  return /** @type {Found} */ (element);
}

/** @type {Record<Connection, string>} */
const words = { connecting: "Connecting…", open: "Live", offline: "Reconnecting…", closed: "Closed" };

const name = new URLSearchParams(location.search).get("channel") ?? "";
const channel = new Channel(/^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : "demo");

const viewer = /** @type {ToastViewer} */ (find("toast-viewer"));
const problem = find("[data-problem]");
const queue = new Queue(find("[data-area=queue]"), () => channel);
const log = new Log(find("[data-log]"));
const toaster = find("[data-toaster]");

/** @param {Promise<unknown>} work */
const report = (work) => work.catch((/** @type {Error} */ error) => {
  if (!(error instanceof Problem)) { throw error; }
  problem.textContent = error.message;
});

document.title = `#${channel.name} – toastd`;
find("[name=channel]").setAttribute("value", channel.name);
find("[data-embed]").textContent = [
  `<script type="module" src="${new URL("toast-viewer.js", document.baseURI)}"></script>`,
  `<toast-viewer channel="${channel.name}"></toast-viewer>`,
].join("\n");

find("[data-form=channel]").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  location.search = `?channel=${form.get("channel")}`;
});

compose(find("[data-form=compose]"), find("[data-preview]"), () => channel);

for (const demo of demos) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = demo.name;
  button.addEventListener("click", () => report(demo.run(channel)));
  find("[data-demos]").append(button);
}

find("[data-clear]").addEventListener("click", () => report(channel.clear()));
find("[data-wipe]").addEventListener("click", () => log.clear());
find("[data-mode]").addEventListener("change", ({ target }) => {
  report(channel.configure({ mode: /** @type {HTMLInputElement} */ (target).value }));
});

viewer.addEventListener("toast-connection", (event) => {
  const { state } = /** @type {CustomEvent<{ state: Connection }>} */ (event).detail;
  const sign = find("[data-connection]");
  sign.dataset.connection = state;
  find("[data-word]").textContent = words[state];
});

viewer.addEventListener("toast-event", (event) => {
  const envelope = /** @type {CustomEvent<Envelope>} */ (event).detail;
  log.take(envelope);
  queue.take(envelope);
  if ("settings" in envelope) {
    const { mode } = envelope.settings;
    for (const input of document.querySelectorAll("[name=mode]")) {
      if (input instanceof HTMLInputElement) { input.checked = input.value === mode; }
    }
  }
});

viewer.addEventListener("toast-show", () => {
  // Jump again, also when the last jump is not over yet.
  for (const animation of toaster.getAnimations({ subtree: true })) { animation.cancel(); }
  delete toaster.dataset.popped;
  requestAnimationFrame(() => { toaster.dataset.popped = ""; });
});

viewer.setAttribute("channel", channel.name);
