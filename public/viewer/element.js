/**
 * The element that shows a channel's toasts: connection → reducer → presenter → screen. What is loaded lazily is in
 * `lazy/`; docs/embed.md has the attributes.
 *
 * @import { LocalOptions, Memory } from "../toast-viewer.d.ts"
 * @import { Refusal } from "./lazy/refusals.js"
 * @import { Connection, Envelope, Haptic, Toast } from "./wire.d.ts"
 */

import { AwaySign } from "./away-sign.js";
import { ChannelConnection, serverOf } from "./connection.js";
import { authorize, refusals, tokenOf } from "./credentials.js";
import { Localizer, isHotkey } from "./localizer.js";
import { preferences } from "./preferences.js";
import { Presenter } from "./presenter.js";
import { Screen } from "./screen.js";
import { adopt, registerStyle } from "./sheets.js";
import { optionsOf } from "./text.js";

/** How many toasts the page has shown. */
let count = 0;

/** What a change of an attribute needs: another stream, other words, or another look. */
const reopening = ["channel", "src", "local", "assistive", "share"];
const speaking = ["lang", "language", "hotkey", "label"];
const drawing = ["max", "align", "stack", "controls", "settings", "top-layer", "holds"];

/** The attributes that are words, with what they are where the page does not say it. */
const words = {
  channel: "", src: "", theme: "", max: "", label: "", align: "", stack: "", language: "", hotkey: "F8",
  announce: "auto", share: "auto", controls: "auto", settings: "auto",
};

/** An element with these as properties, see below. */
const Base = /** @type {new () => HTMLElement & typeof words} */ (/** @type {unknown} */ (HTMLElement));

/**
 * `<toast-viewer channel="ops"></toast-viewer>`
 *
 * Slots: `connection`, what is shown while the server is away; `icon-success`, `icon-error`, `icon-warning`,
 * `icon-info`, drawn in each toast of the role that names no icon of its own.
 *
 * @fires toast-show - `{ toast, haptic }`, before it is shown; cancelable
 * @fires toast-update - `{ toast }`
 * @fires toast-dismiss - `{ id, toast, reason }`, before it goes; cancelable when a person dismisses it
 * @fires toast-action - `{ id, toast, action }`, before it is sent; cancelable
 * @fires toast-connection - `{ state }`
 * @fires toast-unauthorized - `{ status, channel, server, retry }`: the server lacks a credential (401) or a permission
 *   (403); `retry(token)` shows another token and connects at once
 * @fires toast-event - the envelope as it came, for pages that want to know more
 */
export class ToastViewer extends Base {
  static get observedAttributes() { return [...reopening, ...speaking, ...drawing]; }

  /** Register a style of one's own for all viewers of the page. @type {typeof registerStyle} */
  static registerStyle(name, style) { registerStyle(name, style); }

  /** Show a token to a server to which no cookie goes. @type {typeof authorize} */
  static authorize(server, token) { authorize(server, token); }

  #root = this.attachShadow({ mode: "open" });
  #localizer = new Localizer(this, () => this.#speak());
  #screen = new Screen(this.#root, this.#localizer);
  #sign = new AwaySign((isAway) => this.#screen.announcer.say(
    this.#localizer.say(isAway ? "disconnected" : "reconnected"), false, () => this.#connection.isSpeaking,
  ));
  /** @type {ChannelConnection} */
  #connection = new ChannelConnection(
    (envelope) => this.#receive(envelope),
    (state) => this.#connect(state),
    () => this.#presenter.states,
  );
  /** @type {Presenter} */
  #presenter = new Presenter({
    host: this, root: this.#root, screen: this.#screen, connection: this.#connection, localizer: this.#localizer,
    server: () => this.local ? undefined : serverOf(this),
    listen: () => this.#connection.listen(this.#manner),
    receive: (envelope) => this.#receive(envelope),
    tell: (name, detail, isCancelable) => this.#tell(name, detail, isCancelable),
  });
  #isUp = false;
  #listening = new AbortController();

  constructor() {
    super();
    // What the page has set before it knew of us would hide what we have.
    for (const [name, value] of Object.entries(this)) {
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#screen.layer.append(this.#sign.part);
    this.#screen.announcer.manner = () => this.announce;
  }

  /** @returns {"local" | "shared" | "off"} */
  get holds() {
    const value = this.getAttribute("holds");
    return value === "shared" || value === "off" ? value : "local";
  }
  set holds(value) { if (value) { this.setAttribute("holds", value); } else { this.removeAttribute("holds"); } }

  /** Whether there is no server: only what the page itself shows. */
  get local() { return this.hasAttribute("local"); }
  set local(isLocal) { this.toggleAttribute("local", isLocal); }

  /** The state of the stream. */
  get connection() { return this.#connection.connection; }

  /** The toasts that are presented, oldest first: also those that have no room on this screen. */
  get toasts() { return this.#presenter.toasts; }

  /** What was shown, newest first: at most 200. @returns {Memory[]} */
  get history() { return this.#presenter.history.all; }

  /** Whether what is shown stays and what comes waits, in all tabs of this origin. */
  get isPaused() { return preferences.current.isPaused; }
  set isPaused(isPaused) { preferences.change({ isPaused }); }

  /**
   * Show a toast on this page only; the rules are those of a channel.
   *
   * @param {string | Error | LocalOptions} message
   * @param {LocalOptions} [options]
   * @returns {string} its id; where it repeats another one, the id of that
   */
  show(message, options) {
    const toast = optionsOf(message, options);
    const id = toast.id ?? `local-${++count}`;
    const { local } = this.#presenter;
    const shownAs = local.part?.idOf(id, toast) ?? id;
    local.get().then((it) => it.show(id, toast, shownAs));
    return shownAs;
  }

  /**
   * Change a toast of `show`.
   *
   * @param {string} id
   * @param {string | Error | LocalOptions} message
   * @param {LocalOptions} [options]
   * @returns {Promise<boolean>} whether it is still there
   */
  update(id, message, options) { return this.#presenter.local.get().then((it) => it.update(id, optionsOf(message, options))); }

  /** Dismiss a toast, from wherever it is; without an id, all. @param {string} [id] */
  dismiss(id) {
    if (id === undefined) { this.dismissAll(); }
    this.#presenter.dismiss(id);
  }

  /** Dismiss what is on the screen, and what is there without being shown. */
  dismissAll() {
    const { shown } = this.#screen;
    for (const id of new Set([...shown.keys(), ...this.toasts.map((toast) => toast.id)])) {
      if (!shown.get(id)?.card.isLeaving) { this.#presenter.close(id, "close"); }
    }
  }

  /** Show the list of earlier toasts. */
  async showHistory() { return (await this.#presenter.interact()).toolbar.open("history"); }

  /** Show what a person can set. */
  async showPreferences() { return (await this.#presenter.interact()).toolbar.open("preferences"); }

  connectedCallback() {
    if (this.#isUp) { return this.#screen.raise(); }
    // Modal helpers of the page hide what has neither of these.
    this.setAttribute("aria-live", "off");
    this.setAttribute("data-live-announcer", "");
    // Before its sheet has come, a browser frames what pops up.
    adopt(this.#root, "base").then(() => this.#stand());
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener("keydown", this.#press, { signal });
    document.addEventListener("visibilitychange", this.#look, { signal });
    addEventListener("online", this.#hurry, { signal });
    refusals.addEventListener("refused", this.#explain, { signal });
    // These do not bubble, but they can be caught on their way down: something may have come on top of the toasts.
    for (const type of ["toggle", "fullscreenchange"]) {
      document.addEventListener(type, this.#presenter.schedule, { signal, capture: true });
    }
    this.#isUp = true;
    this.#presenter.up();
    this.#open();
  }

  disconnectedCallback() {
    if (this.#presenter.isMoving) { return; }
    this.#isUp = false;
    this.#presenter.down();
    this.#listening.abort();
    this.#shut();
  }

  /** With this, `moveBefore` keeps the stream and what is on the screen. */
  connectedMoveCallback() {}

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    // Before it is connected, an element that is being made is told of its attributes one by one.
    if (!this.#isUp || before === value) { return; }
    if (reopening.includes(name)) { return this.#open(); }
    if (name === "top-layer") { this.#stand(); }
    if (name === "holds") { return this.#presenter.look(); }
    if (speaking.includes(name)) { this.#localizer.speak(); } else { this.#screen.redraw(); }
    this.#presenter.schedule();
  }

  /** Above everything that is in the top layer by now, unless the page wants it otherwise. */
  #stand() {
    this.#screen.layer.popover = this.getAttribute("top-layer") === "off" ? null : "manual";
    this.#screen.raise();
  }

  #open() {
    this.#shut();
    this.#localizer.speak();
    const channels = new Set(this.local ? [] : this.channel.split(/\s+/).filter(Boolean));
    if (channels.size) { this.#connection.open(serverOf(this), [...channels], this.#manner); }
  }

  /** How the stream is asked for. */
  get #manner() {
    return {
      isAssistive: this.hasAttribute("assistive"),
      isShared: this.getAttribute("share") !== "off",
      language: this.#localizer.language,
      scale: preferences.scale,
    };
  }

  #shut() {
    this.#presenter.shut();
    this.#connection.close();
  }

  #speak() {
    this.#screen.layer.lang = this.#localizer.language;
    this.#screen.region.ariaLabel = this.getAttribute("label") || this.#localizer.label;
    this.#screen.redraw();
    this.#sign.text = this.#localizer.say("reconnecting");
    this.#presenter.renew();
  }

  /** @param {Envelope} envelope */
  #receive(envelope) {
    this.#presenter.take(envelope);
    this.#tell("toast-event", envelope);
  }

  /** @param {KeyboardEvent} event */
  #press = (event) => {
    if (!isHotkey(this.hotkey, event)) { return; }
    event.preventDefault();
    this.#presenter.focus();
  };

  /** @param {Event} event */
  #explain = (event) => {
    const { detail } = /** @type {CustomEvent<Refusal>} */ (event);
    // If it does not load, the server is away, which is another matter.
    import("./lazy/requests.js").then(({ explain }) => {
      explain(this, this.#connection.channels, detail, this.#hurry, { authorize, tokenOf });
    }, () => {});
  };

  #hurry = () => { if (!document.hidden) { this.#connection.hurry(); } };

  /** The page is seen, or no longer. */
  #look = () => {
    this.#presenter.look();
    this.#hurry();
  };

  /** @param {Connection} state */
  #connect(state) {
    this.#tell("toast-connection", { state });
    this.#sign.follow(state);
    this.#presenter.connect(state);
  }

  /** @param {string} name @param {object} detail @param {boolean} [isCancelable] */
  #tell(name, detail, isCancelable = false) {
    const isWanted = this.dispatchEvent(new CustomEvent(name, { detail, cancelable: isCancelable, bubbles: true, composed: true }));
    if (name === "toast-show" && isWanted) {
      const { haptic, toast } = /** @type {{ haptic?: Haptic, toast: Toast }} */ (detail);
      this.#presenter.feel(haptic, toast.channel);
    }
    return isWanted;
  }
}

for (const [name, usual] of Object.entries(words)) {
  Object.defineProperty(ToastViewer.prototype, name, {
    configurable: true,
    enumerable: true,
    /** @this {ToastViewer} */
    get() { return this.getAttribute(name) ?? usual; },
    /** @this {ToastViewer} @param {unknown} value */
    set(value) { if (value === null || value === undefined) { this.removeAttribute(name); } else { this.setAttribute(name, String(value)); } },
  });
}
