/**
 * Toasts as notifications of the device while the page is hidden, if the person wants that; and installing the page as
 * an app.
 *
 * @import { Envelope, Toast } from "../viewer/wire.d.ts"
 */

import { titleOf, text } from "../viewer/text.js";
import { wordsIn } from "../viewer/lazy/messages.js";
import { keep, recall } from "./chrome.js";
import { find } from "./elements.js";
import { language, t } from "./language.js";
import { canRegister, register } from "./worker.js";

const storage = "toastd-notifications";

const say = wordsIn(language);

/**
 * With a member that is missing in TypeScript's library.
 *
 * @typedef {NotificationOptions & { actions?: { action: string, title: string }[] }} Options
 */

/** How many actions a notification can have on this device. */
const maxActions = () => /** @type {{ maxActions?: number }} */ (Notification).maxActions ?? 0;

/** Whether the person wants errors only, as set in the viewer's panel. */
function isQuiet() {
  try {
    return JSON.parse(recall("toast-viewer") ?? "{}").isQuiet === true;
  } catch {
    return false;
  }
}

/**
 * A toast as a notification of the device.
 *
 * @param {Toast} toast
 * @param {string} channel
 * @param {number} room - how many actions it can have
 * @returns {[string, Options]}
 */
export function notificationOf(toast, channel, room) {
  const title = titleOf(toast, say);
  const message = text(toast.message);
  const actions = (toast.actions ?? []).slice(0, room);
  const links = Object.fromEntries(actions.flatMap(({ id, url }) => url ? [[id, url]] : []));
  return [title || message, {
    body: title ? message : "",
    tag: tagOf(channel, toast.id),
    icon: "icons/icon-192.png",
    lang: language,
    requireInteraction: toast.duration === "indefinite" || toast.requiresInteraction === true,
    actions: actions.map((action) => ({ action: action.id, title: text(action.title) })),
    data: { channel, id: toast.id, links },
  }];
}

/** The tag of a toast's notification: two tabs show only one. @param {string} channel @param {string} id */
const tagOf = (channel, id) => `toastd ${channel} ${id}`;

export class Away {
  #form;
  #channel;
  #isPaused;
  /** @type {Set<string>} The roles with notifications; empty while they are off. */
  #roles = new Set();
  /** Releases the lock by which other tabs know that this one is visible. */
  #seen = new AbortController();

  /**
   * @param {HTMLFormElement} form
   * @param {() => string} channel - the name of the channel that is shown
   * @param {() => boolean} isPaused - whether the person has paused toasts
   */
  constructor(form, channel, isPaused) {
    this.#form = form;
    this.#channel = channel;
    this.#isPaused = isPaused;
    const kept = recall(storage);
    if (kept && this.#can && Notification.permission === "granted") { this.#roles = new Set(kept.split(" ")); }
    form.addEventListener("change", ({ target }) => this.#change(/** @type {HTMLInputElement} */ (target)));
    form.addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("visibilitychange", () => this.look());
    this.look();
    this.#show();
    this.#offer();
    if (this.#roles.size) { register(); }
  }

  get #can() { return canRegister && typeof Notification !== "undefined"; }

  /** @param {Envelope} envelope */
  take(envelope) {
    if (!this.#roles.size || !this.#can) { return; }
    const channel = this.#channel();
    if (envelope.type === "dismissed") {
      const tag = tagOf(channel, envelope.id);
      return oneByOne((registration) => close(registration, tag));
    }
    if (envelope.type !== "presented" && envelope.type !== "updated" || !this.#isWanted(envelope.toast)) { return; }
    const { type, toast } = envelope;
    return oneByOne(async (registration) => {
      const isKnown = async () => (await registration.getNotifications({ tag: tagOf(channel, toast.id) })).length > 0;
      if (type === "presented" || await isKnown()) { await this.#notify(registration, toast, channel); }
    });
  }

  /** Whether the person wants a notification of a toast now. @param {Toast} toast */
  #isWanted({ role }) {
    return document.hidden && this.#roles.has(role) && (role === "error" || !isQuiet()) && !this.#isPaused();
  }

  /** @param {ServiceWorkerRegistration} registration @param {Toast} toast @param {string} channel */
  async #notify(registration, toast, channel) {
    if (await this.#isSeenElsewhere(channel)) { return; }
    const [title, options] = notificationOf(toast, channel, maxActions());
    await registration.showNotification(title, options);
  }

  /** Whether another tab with the channel is visible: such a tab holds a lock. @param {string} channel */
  async #isSeenElsewhere(channel) {
    const { held = [] } = await navigator.locks?.query() ?? {};
    return held.some(({ name }) => name === lockOf(channel));
  }

  /** This tab has become visible or hidden, or shows another channel. */
  look() {
    this.#seen.abort();
    this.#seen = new AbortController();
    if (document.hidden || !navigator.locks) { return; }
    const { signal } = this.#seen;
    navigator.locks.request(lockOf(this.#channel()), { mode: "shared" }, () => (
      signal.aborted ? undefined : new Promise((resolve) => { signal.onabort = resolve; })
    ));
  }

  /** @param {HTMLInputElement} input */
  async #change(input) {
    let problem = "";
    if (input.name === "notify" && !input.checked) {
      this.#roles.clear();
    } else if (input.name === "notify") {
      problem = await this.#begin();
    } else if (this.#roles.size) {
      this.#roles = this.#chosen;
    }
    keep(storage, [...this.#roles].join(" "));
    this.#show(problem);
  }

  /** Ask the person for permission. @returns {Promise<string>} the message key of a failure; empty for none */
  async #begin() {
    if (await Notification.requestPermission() !== "granted") { return ""; }
    try {
      await register();
    } catch {
      // The service worker did not load, or the browser does not allow one.
      return "away.failed";
    }
    this.#roles = this.#chosen;
    return "";
  }

  get #chosen() { return new Set(this.#boxes.filter(({ checked }) => checked).map(({ value }) => value)); }

  get #boxes() { return /** @type {HTMLInputElement[]} */ ([...this.#form.querySelectorAll("[name=notifyRole]")]); }

  /** @param {string} [problem] - the message key of a failure */
  #show(problem = "") {
    const isOn = this.#roles.size > 0;
    const toggle = /** @type {HTMLInputElement} */ (find("[name=notify]", this.#form));
    toggle.checked = isOn;
    toggle.disabled = !this.#can || Notification.permission === "denied";
    if (isOn) { for (const box of this.#boxes) { box.checked = this.#roles.has(box.value); } }
    /** @type {HTMLFieldSetElement} */ (find("fieldset", this.#form)).disabled = toggle.disabled;
    const state = isOn ? "away.on" : problem;
    const note = !this.#can ? "away.cannot" : Notification.permission === "denied" ? "away.denied" : state;
    find("[data-state]", this.#form).textContent = note && t(note);
  }

  /** Offer to install the page, where the browser can. */
  #offer() {
    const button = find("[data-install]", this.#form);
    /** @type {(Event & { prompt(): Promise<unknown> }) | undefined} */
    let offer;
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      offer = /** @type {Event & { prompt(): Promise<unknown> }} */ (event);
      button.hidden = false;
    });
    button.addEventListener("click", async () => {
      await offer?.prompt();
      button.hidden = true;
    });
    // The service worker has the app's page for when the server is away.
    addEventListener("appinstalled", () => { if (canRegister) { register(); } });
    if (canRegister && matchMedia("(display-mode: standalone)").matches) { register(); }
  }
}

/**
 * Run work on notifications while no other tab does: Chromium loses one that is shown while another tab reads them.
 *
 * @param {(registration: ServiceWorkerRegistration) => Promise<void>} act
 */
async function oneByOne(act) {
  // Before the lock: a worker that is never ready must not stop the other tabs.
  const registration = await navigator.serviceWorker.ready;
  const run = () => act(registration);
  await (navigator.locks ? navigator.locks.request("toastd notifications", run) : run());
}

/** @param {ServiceWorkerRegistration} registration @param {string} tag */
async function close(registration, tag) {
  for (const notification of await registration.getNotifications({ tag })) { notification.close(); }
}

/** @param {string} channel */
const lockOf = (channel) => `toastd seen ${channel}`;
