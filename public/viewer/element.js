/**
 * The element that shows a channel's toasts.
 *
 * @import { Action, Connection, Envelope, Haptic } from "./wire.d.ts"
 * @import { OwnStyle } from "./sheets.js"
 * @import { ViewState } from "./state.js"
 */

import { Client, Refusal } from "./client.js";
import { vibrate } from "./haptics.js";
import { Holds } from "./holds.js";
import { Layers } from "./layers.js";
import { Screen } from "./screen.js";
import { adopt, registerStyle } from "./sheets.js";
import { emptyState, reduce } from "./state.js";
import { Stream } from "./stream.js";

/** Milliseconds that the server may be away before it is said. */
const patience = 10_000;

/**
 * `<toast-viewer channel="ops"></toast-viewer>`
 *
 * Attributes: `channel`; `src`, the server, by default the one that this file came from; `holds`
 * (local, shared, off); `theme` (light, dark, system; by default what the page has); `top-layer="off"`;
 * `assistive`; `vibrate`; `label`.
 *
 * Slots: `connection`, what is shown while the server is away; `icon-success`, `icon-error`, `icon-warning`,
 * `icon-info`, drawn in each toast of the role that names no icon of its own.
 *
 * @fires toast-show - `{ toast, haptic }`
 * @fires toast-update - `{ toast }`
 * @fires toast-dismiss - `{ id, reason }`
 * @fires toast-action - `{ id, action }`, before it is sent; cancelable
 * @fires toast-connection - `{ state }`
 * @fires toast-event - the envelope as it came, for pages that want to know more
 */
export class ToastViewer extends HTMLElement {
  static observedAttributes = ["channel", "src", "assistive"];

  /**
   * Register a style of one's own for all viewers of the page.
   *
   * @param {string} name
   * @param {OwnStyle} style
   */
  static registerStyle(name, style) { registerStyle(name, style); }

  #root = this.attachShadow({ mode: "open" });
  #connectionPart = document.createElement("p");
  #screen = new Screen(this.#root, {
    dismiss: (id, reason) => this.#send(id, (client) => client.dismiss(id, reason)),
    act: (id, action) => this.#act(id, action),
    hold: (id, reason) => { if (this.holds !== "off") { this.#holds?.add(id, reason); } },
    release: (id, reason) => this.#holds?.remove(id, reason),
    isHeld: (id) => this.#holds?.has(id) ?? false,
    tell: (name, detail) => this.#tell(name, detail),
  });
  // A live region that still has words in it would say them again where it arrives.
  #layers = new Layers(this, () => this.#screen.announcer.empty(), () => this.#screen.raise());
  /** @type {ViewState} */
  #state = emptyState;
  /** @type {Connection} */
  #connection = "closed";
  /** @type {Stream | undefined} */
  #stream;
  /** @type {Client | undefined} */
  #client;
  /** @type {Holds | undefined} */
  #holds;
  /** @type {ReturnType<typeof setTimeout>[]} Timers that run while the server is away. */
  #away = [];
  #isAwaySaid = false;
  #isUp = false;
  #isScheduled = false;
  #hurry = () => { if (!document.hidden) { this.#stream?.hurry(); } };
  #hotkey = (/** @type {KeyboardEvent} */ event) => {
    const { altKey, ctrlKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
    const isOther = altKey || ctrlKey || metaKey || shiftKey || repeat || defaultPrevented;
    if (event.code !== "F8" || isOther || !this.toasts.length) { return; }
    event.preventDefault();
    this.#screen.focus();
  };

  constructor() {
    super();
    this.#connectionPart.setAttribute("part", "connection");
    const slot = this.#connectionPart.appendChild(document.createElement("slot"));
    slot.name = "connection";
    slot.textContent = "Reconnecting…";
    this.#connectionPart.hidden = true;
    this.#screen.layer.append(this.#connectionPart);
  }

  get channel() { return this.getAttribute("channel") ?? ""; }
  set channel(name) { this.setAttribute("channel", name); }

  /** @returns {"local" | "shared" | "off"} */
  get holds() {
    const value = this.getAttribute("holds");
    return value === "shared" || value === "off" ? value : "local";
  }
  set holds(value) { this.setAttribute("holds", value); }

  /** The state of the stream. */
  get connection() { return this.#connection; }

  /** The toasts on the screen, oldest first. */
  get toasts() { return this.#state.presented.map(({ toast }) => toast); }

  connectedCallback() {
    // Modal helpers of the page hide what is not theirs; these tell them that we are to be heard.
    this.setAttribute("aria-live", "off");
    this.toggleAttribute("data-live-announcer", true);
    this.#screen.label = this.getAttribute("label") ?? "Notifications (F8)";
    this.#screen.layer.popover = this.getAttribute("top-layer") === "off" ? null : "manual";
    this.#screen.raise();
    adopt(this.#root, "base");
    if (this.#screen.layer.popover) { this.#layers.watch(); }
    document.addEventListener("keydown", this.#hotkey);
    document.addEventListener("visibilitychange", this.#hurry);
    globalThis.addEventListener("online", this.#hurry);
    this.#isUp = true;
    this.#open();
  }

  disconnectedCallback() {
    this.#isUp = false;
    this.#layers.unwatch();
    document.removeEventListener("keydown", this.#hotkey);
    document.removeEventListener("visibilitychange", this.#hurry);
    globalThis.removeEventListener("online", this.#hurry);
    this.#shut();
  }

  /** With this, `moveBefore` keeps the stream and what is on the screen. */
  connectedMoveCallback() {}

  attributeChangedCallback() {
    // Before it is connected, an element that is being made is told of its attributes one by one.
    if (this.#isUp) { this.#open(); }
  }

  #open() {
    this.#shut();
    if (!this.channel) { return; }
    const server = new URL(this.getAttribute("src") ?? new URL("..", import.meta.url), document.baseURI);
    const channel = new URL(`v1/channels/${encodeURIComponent(this.channel)}/`, server);
    const address = new URL("stream", channel);
    if (this.hasAttribute("assistive")) { address.searchParams.set("assistive", "1"); }
    this.#client = new Client(channel);
    this.#holds = new Holds(this.#client, () => this.holds === "shared", () => this.#schedule());
    this.#stream = new Stream(address, (envelope) => this.#receive(envelope), (state) => this.#connect(state));
    this.#stream.open();
  }

  #shut() {
    this.#stream?.close();
    this.#stream = undefined;
    this.#state = emptyState;
    this.#screen.clear();
    this.#holds?.clear();
  }

  /** @param {Envelope} envelope */
  #receive(envelope) {
    this.#state = reduce(this.#state, envelope);
    this.#tell("toast-event", envelope);
    this.#schedule();
  }

  /** Events of one burst are drawn together: what comes and goes within it is never seen. */
  #schedule() {
    if (this.#isScheduled) { return; }
    this.#isScheduled = true;
    const draw = () => {
      this.#isScheduled = false;
      this.#screen.render(this.#state);
    };
    if (document.hidden) { setTimeout(draw); } else { requestAnimationFrame(draw); }
  }

  /** @param {Connection} state */
  #connect(state) {
    this.#connection = state;
    this.#tell("toast-connection", { state });
    if (state === "offline") {
      this.#connectionPart.hidden = false;
      if (this.#away.length) { return; }
      const words = setTimeout(() => this.#sayAway(true), patience);
      this.#away = [words, setInterval(() => this.#screen.expire(), 1000)];
    } else if (state !== "connecting") {
      this.#connectionPart.hidden = true;
      for (const timer of this.#away) { clearTimeout(timer); }
      this.#away = [];
      if (state === "open") { this.#sayAway(false); }
    }
  }

  /** @param {boolean} isAway */
  #sayAway(isAway) {
    if (isAway !== this.#isAwaySaid) {
      this.#screen.announcer.say(isAway ? "Notifications disconnected" : "Notifications reconnected");
    }
    this.#isAwaySaid = isAway;
  }

  /**
   * @param {string} id
   * @param {Action} action
   */
  #act(id, action) {
    if (!this.#tell("toast-action", { id, action }, true)) { return; }
    this.#screen.hide(id);
    this.#send(id, (client) => client.act(id, action.id));
  }

  /**
   * Send what a person did. The toast is already on its way out; if the server was not reached, it
   * comes back, and if the server refused, somebody else was first.
   *
   * @param {string} id
   * @param {(client: Client) => Promise<void>} command
   */
  #send(id, command) {
    if (!this.#client) { return; }
    command(this.#client).catch((error) => {
      if (error instanceof Refusal && (error.status === 0 || error.status >= 500)) { this.#screen.comeBack(id); }
    });
  }

  /**
   * @param {string} name
   * @param {object} detail
   * @param {boolean} [cancelable]
   */
  #tell(name, detail, cancelable = false) {
    if (name === "toast-show" && this.hasAttribute("vibrate")) { vibrate(/** @type {{ haptic?: Haptic }} */ (detail).haptic); }
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }
}
