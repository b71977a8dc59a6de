/**
 * The element that shows a channel's toasts: connection → reducer → presenter → screen. Lazy parts are in `lazy/`;
 * docs/embed.md has the attributes.
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

/** Attributes by what their change causes: a new stream, new words, or a new drawing. */
const reopening = ["channel", "src", "local", "assistive", "share"];
const speaking = ["lang", "language", "hotkey", "label"];
const drawing = ["max", "align", "stack", "controls", "settings", "top-layer", "holds"];

/** The attributes with string values, and their defaults. */
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
 * @fires toast-event - the envelope of each event, as received
 */
export class ToastViewer extends Base {
  static get observedAttributes() { return [...reopening, ...speaking, ...drawing]; }

  /** Register a style for all viewers of the page. @type {typeof registerStyle} */
  static registerStyle(name, style) { registerStyle(name, style); }

  /** Set the token for a server that gets no cookie. @type {typeof authorize} */
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
    // Properties set before the element was defined would shadow its accessors.
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

  /** Whether there is no server, only the page's own toasts. */
  get local() { return this.hasAttribute("local"); }
  set local(isLocal) { this.toggleAttribute("local", isLocal); }

  /** The state of the stream. */
  get connection() { return this.#connection.connection; }

  /** The toasts that are presented, oldest first, also those without room on this screen. */
  get toasts() { return this.#presenter.toasts; }

  /** The toasts that came, newest first, at most 200. @returns {Memory[]} */
  get history() { return this.#presenter.history.all; }

  /** Whether shown toasts stay and new ones wait, in all tabs of this origin. */
  get isPaused() { return preferences.current.isPaused; }
  set isPaused(isPaused) { preferences.change({ isPaused }); }

  /**
   * Show a toast on this page only; the rules are those of a channel.
   *
   * @param {string | Error | LocalOptions} message
   * @param {LocalOptions} [options]
   * @returns {string} its id, or that of the toast that it repeats
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
   * @returns {Promise<boolean>} whether the toast is still there
   */
  update(id, message, options) { return this.#presenter.local.get().then((it) => it.update(id, optionsOf(message, options))); }

  /** Dismiss a toast, local or of a channel; without an id, all. @param {string} [id] */
  dismiss(id) {
    if (id === undefined) { this.dismissAll(); }
    this.#presenter.dismiss(id);
  }

  /** Dismiss all presented toasts, also those without room on this screen. */
  dismissAll() {
    const { shown } = this.#screen;
    for (const id of new Set([...shown.keys(), ...this.toasts.map((toast) => toast.id)])) {
      if (!shown.get(id)?.card.isLeaving) { this.#presenter.close(id, "close"); }
    }
  }

  /** Show the list of earlier toasts. */
  async showHistory() { return (await this.#presenter.interact()).toolbar.open("history"); }

  /** Show the panel for a person's preferences. */
  async showPreferences() { return (await this.#presenter.interact()).toolbar.open("preferences"); }

  connectedCallback() {
    if (this.#isUp) { return this.#screen.raise(); }
    // Libraries for modal dialogs hide elements without these.
    this.setAttribute("aria-live", "off");
    this.setAttribute("data-live-announcer", "");
    // A popover without the sheet has the browser's border.
    adopt(this.#root, "base").then(() => this.#stand());
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener("keydown", this.#press, { signal });
    document.addEventListener("visibilitychange", this.#look, { signal });
    addEventListener("online", this.#hurry, { signal });
    refusals.addEventListener("refused", this.#explain, { signal });
    // Captured, because these do not bubble: something may have come on top of the toasts.
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

  /** Its presence lets `moveBefore` keep the stream and the toasts. */
  connectedMoveCallback() {}

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    // An element that is created gets its attributes one by one before it is connected.
    if (!this.#isUp || before === value) { return; }
    if (reopening.includes(name)) { return this.#open(); }
    if (name === "top-layer") { this.#stand(); }
    if (name === "holds") { return this.#presenter.look(); }
    if (speaking.includes(name)) { this.#localizer.speak(); } else { this.#screen.redraw(); }
    this.#presenter.schedule();
  }

  /** Put the layer on top of the top layer, unless the page does not want that. */
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

  /** How the stream is requested. */
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
    // If this does not load, the server is away, which the connection reports.
    import("./lazy/requests.js").then(({ explain }) => {
      explain(this, this.#connection.channels, detail, this.#hurry, { authorize, tokenOf });
    }, () => {});
  };

  #hurry = () => { if (!document.hidden) { this.#connection.hurry(); } };

  /** The page has become visible or hidden. */
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
