/**
 * The element that shows a channel's toasts: what it takes until the first one is on the screen, heard and closable.
 * All that comes after is in `lazy/`, loaded when a toast is there.
 *
 * What the page says in attributes: `channel`; `src`, the server, by default the one that this file came from; `holds`
 * (local, shared, off); `theme` (light, dark, system; by default what the page has); `top-layer="off"`;
 * `assistive`; `vibrate`; `label`; `hotkey`, "F8" by default, e.g. "Alt+KeyT", empty for none; `announce`
 * (auto, polite, off); `max`, how many toasts are on the screen at a time; `share="off"`, a stream for this tab alone.
 *
 * @import { Memory } from "./lazy/history.js"
 * @import { Presenter } from "./lazy/presenter.js"
 * @import { OwnStyle } from "./lazy/parts.js"
 * @import { ViewState } from "./view.d.ts"
 * @import { Connection, Envelope, Haptic } from "./wire.d.ts"
 */

import { AwaySign } from "./announcer.js";
import { authorize, refusals } from "./credentials.js";
import { makeIcon } from "./icons.js";
import { ChannelConnection, patience, serverOf } from "./connection.js";
import { Prelude } from "./prelude.js";
import { Screen } from "./screen.js";
import { adopt, registered, registerStyle } from "./sheets.js";
import { come, emptyState } from "./state.js";
import { Localizer, isHotkey } from "./localizer.js";

/** Where a person's preferences are stored, if there are any. */
const storageKey = "toast-viewer";

function stored() {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return undefined;
  }
}

/**
 * `<toast-viewer channel="ops"></toast-viewer>`
 *
 * Slots: `connection`, what is shown while the server is away; `icon-success`, `icon-error`, `icon-warning`,
 * `icon-info`, drawn in each toast of the role that names no icon of its own.
 *
 * @fires toast-show - `{ toast, haptic }`
 * @fires toast-update - `{ toast }`
 * @fires toast-dismiss - `{ id, reason }`
 * @fires toast-action - `{ id, action }`, before it is sent; cancelable
 * @fires toast-connection - `{ state }`
 * @fires toast-unauthorized - `{ status, channel, server, retry }`: the server lacks a credential (401) or a permission
 *   (403); `retry(token)` shows another token and connects at once
 * @fires toast-event - the envelope as it came, for pages that want to know more
 */
export class ToastViewer extends HTMLElement {
  static get observedAttributes() { return ["channel", "src", "assistive", "lang"]; }

  /** Register a style of one's own for all viewers of the page. @param {string} name @param {OwnStyle} style */
  static registerStyle(name, style) { registerStyle(name, style); }

  /** Show a token to a server to which no cookie goes. @type {typeof authorize} */
  static authorize(server, token) { authorize(server, token); }

  #root = this.attachShadow({ mode: "open" });
  #localizer = new Localizer(this, () => this.#speak());
  #sign = new AwaySign((isAway) => this.#screen.announcer.say(this.#localizer.say(isAway ? "disconnected" : "reconnected")));
  #screen = new Screen(this.#root, {
    close: (id, dismissReason) => this.#close(id, "dismiss", { dismissReason }),
    act: (id, action) => {
      const { isEnded = true, isLeaving = true } = this.#screen.shown.get(id)?.card ?? {};
      if (isEnded || isLeaving || !this.#tell("toast-action", { id, action }, true)) { return; }
      this.#close(id, `actions/${encodeURIComponent(action.id)}`);
    },
    tell: (name, detail, isCancelable) => this.#tell(name, detail, isCancelable),
  }, this.#localizer);
  /** @type {ViewState} */
  #state = emptyState;
  /** When each entry came. @type {WeakMap<object, number>} */
  #told = new WeakMap();
  #connection = new ChannelConnection((envelope) => this.#receive(envelope), (state) => this.#connect(state), () => ({ state: this.#state, told: this.#told, changes: this.#prelude.envelopes }));
  #isUp = false;
  #isDue = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} Until something changes by itself. */
  #next;
  #listening = new AbortController();
  /** @type {Presenter | undefined} */
  #rest;
  /** @type {Promise<Presenter> | undefined} */
  #loading;
  #prelude = new Prelude(this.#screen);
  /** Whether the rest has been waited for long enough. */
  #isLate = false;

  constructor() {
    super();
    // What the page has set before it knew of us would hide what we have.
    for (const [name, value] of Object.entries(this)) {
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#screen.layer.append(this.#sign.part);
    this.#screen.announcer.manner = () => {
      const announce = this.getAttribute("announce");
      if (announce === "off" || !this.#connection.isHeard) { return "off"; }
      return announce === "polite" ? announce : "auto";
    };
  }

  get channel() { return this.getAttribute("channel") ?? ""; }
  set channel(name) { this.setAttribute("channel", name ?? ""); }

  /** @returns {"local" | "shared" | "off"} */
  get holds() {
    const value = this.getAttribute("holds");
    return value === "shared" || value === "off" ? value : "local";
  }
  set holds(value) { this.setAttribute("holds", value ?? ""); }

  /** The key that brings the focus to the toasts. */
  get hotkey() { return this.getAttribute("hotkey") ?? "F8"; }
  set hotkey(key) { this.setAttribute("hotkey", key ?? "F8"); }

  /** The state of the stream. */
  get connection() { return this.#connection.connection; }

  /** The toasts on the screen, oldest first. */
  get toasts() { return this.#state.presented.map(({ toast }) => toast); }

  /** What was shown, newest first: at most 200. @returns {Memory[]} */
  get history() { return this.#rest?.history.all ?? []; }

  /** Whether what is shown stays and what comes waits, in all tabs of this origin. */
  get isPaused() { return this.#rest?.isPaused ?? this.#prelude.isPaused ?? /"isPaused":true/.test(stored() ?? ""); }
  set isPaused(isPaused) {
    this.#prelude.isPaused = isPaused;
    this.#with((rest) => { rest.isPaused = isPaused; });
  }

  /** Dismiss what is on the screen, and what is there without being shown. */
  dismissAll() {
    const { shown, person } = this.#screen;
    for (const id of new Set([...shown.keys(), ...this.toasts.map((toast) => toast.id)])) {
      if (!shown.get(id)?.card.isLeaving) { person.close(id, "close"); }
    }
  }

  /** Show what has been. */
  async showHistory() { return (await this.#load()).desk.open("history"); }

  /** Show what a person can set. */
  async showPreferences() { return (await this.#load()).desk.open("preferences"); }

  connectedCallback() {
    const { layer } = this.#screen;
    if (this.#isUp) { return this.#screen.raise(); }
    // Modal helpers of the page hide what is not theirs; these tell them that we are to be heard.
    this.setAttribute("aria-live", "off");
    this.setAttribute("data-live-announcer", "");
    layer.popover = this.getAttribute("top-layer") === "off" ? null : "manual";
    this.#screen.raise();
    adopt(this.#root, "base");
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener("keydown", this.#press, { signal });
    document.addEventListener("visibilitychange", this.#look, { signal });
    addEventListener("online", this.#hurry, { signal });
    refusals.addEventListener("refused", this.#explain, { signal });
    // Perhaps somebody has set, in another tab, how toasts are to come.
    addEventListener("storage", this.#schedule, { signal });
    // These do not bubble, but they can be caught on their way down: something may have come on top of the toasts.
    for (const type of ["toggle", "fullscreenchange"]) { document.addEventListener(type, this.#schedule, { signal, capture: true }); }
    this.#isUp = true;
    this.#rest?.up();
    // How somebody wants it decides already how the stream is asked for.
    if (this.#rest || !stored()) { this.#open(); } else { this.#load(); }
  }

  disconnectedCallback() {
    if (this.#rest?.isMoving) { return; }
    this.#isUp = false;
    this.#rest?.down();
    this.#listening.abort();
    this.#shut();
  }

  /** With this, `moveBefore` keeps the stream and what is on the screen. */
  connectedMoveCallback() {}

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    // Before it is connected, an element that is being made is told of its attributes one by one.
    if (!this.#isUp || before === value) { return; }
    if (name === "lang") { this.#localizer.speak(); } else { this.#open(); }
  }

  /** Now, if it waited for the rest. */
  #begin() { if (this.#isUp && !this.#connection.isOpen) { this.#open(); } }

  #open() {
    this.#localizer.speak();
    this.#shut();
    if (!this.channel) { return; }
    const channel = new URL(`v1/channels/${encodeURIComponent(this.channel)}/`, serverOf(this));
    this.#connection.open(channel, this.#manner);
  }

  /** How the stream is asked for. */
  get #manner() {
    return {
      isAssistive: this.hasAttribute("assistive"),
      isShared: this.getAttribute("share") !== "off",
      language: this.#localizer.language,
      scale: this.#rest?.scale ?? 1,
    };
  }

  #shut() {
    this.#rest?.shut();
    this.#connection.close();
    this.#state = emptyState;
    this.#prelude.clear();
    this.#screen.clear();
    clearTimeout(this.#next);
  }

  #speak() {
    this.#screen.region.ariaLabel = this.getAttribute("label") ?? this.#localizer.label;
    this.#screen.redraw();
    this.#sign.text = this.#localizer.say("reconnecting");
    this.#rest?.desk.renew();
  }

  /** @param {Envelope} envelope */
  #receive(envelope) {
    this.#state = (this.#rest?.reduce ?? come)(this.#state, envelope);
    for (const entry of this.#state.presented) {
      if (!this.#told.has(entry)) { this.#told.set(entry, performance.now()); }
    }
    if (this.#rest) { this.#rest.take(envelope, this.#state); } else if (this.#prelude.take(envelope)) { this.#connection.listen(this.#manner); }
    this.#tell("toast-event", envelope);
    this.#schedule();
  }

  /** Events of one burst are drawn together: what comes and goes within it is never seen. */
  #schedule = () => {
    if (this.#isDue || !this.#isUp) { return; }
    this.#isDue = true;
    const draw = () => {
      this.#isDue = false;
      // Taken off the page since: there is nothing to draw, and no language around it any more.
      if (!this.#isUp) { return; }
      const next = this.#rest ? this.#rest.draw(this.#state) : this.#draw();
      clearTimeout(this.#next);
      if (next < Infinity) { this.#next = setTimeout(this.#schedule, next + 10); }
    };
    // A page that is not seen has no frames.
    if (document.hidden) { setTimeout(draw); } else { requestAnimationFrame(draw); }
  };

  /** Draw what comes as it comes, as long as nothing else is known: all else needs the rest. */
  #draw() {
    const { presented, settings } = this.#state;
    if (this.#localizer.isStale) {
      this.#open();
      return Infinity;
    }
    // More than a few are chosen from, what somebody works at is not to be covered, and what covers all is to be entered.
    const isPlain = presented.length <= Math.min(3, Number(this.getAttribute("max") ?? settings.maxVisible ?? 1))
      && [null, document.body].includes(/** @type {HTMLElement | null} */ (document.activeElement))
      && !document.querySelector(":modal, :popover-open, :fullscreen") && !document.hidden && !stored() && !this.isPaused && this.#localizer.isFluent;
    if (this.#isLate) { this.#manage(); } else if (isPlain) { this.#prelude.show(this.#state); }
    if (presented.length || this.#screen.shown.size || !isPlain) { this.#with(() => {}); }
    return Infinity;
  }

  /** Do without the rest: toasts that come and go at once are better than none. */
  #manage() {
    this.#isLate = true;
    this.#begin();
    const now = performance.now();
    const { presented } = this.#state;
    // When a toast's time is over, and the server is away, nobody says so.
    this.#prelude.sweep(this.connection !== "offline" ? presented : presented.filter((entry) => (
      now - (this.#told.get(entry) ?? 0) <= (entry.remaining ?? Infinity) * 1000
    )));
    this.#prelude.show(this.#state);
  }

  /** All that a page needs only when a toast is there. */
  #load() {
    if (this.#loading) { return this.#loading; }
    // A server that has no more connections for us does not even say no.
    setTimeout(() => { if (!this.#rest) { this.#manage(); } }, patience);
    this.#loading = import("./lazy/presenter.js").then(({ Presenter }) => {
      const rest = new Presenter({
        host: this, root: this.#root, screen: this.#screen, connection: this.#connection, localizer: this.#localizer, adopt, makeIcon, registered,
        server: () => serverOf(this),
        listen: () => this.#connection.listen(this.#manner),
        schedule: this.#schedule,
      });
      this.#rest = rest;
      this.#state = rest.begin(this.#prelude, this.#state);
      if (this.#isUp) { rest.up(); }
      this.#begin();
      this.#schedule();
      return rest;
    });
    this.#loading.catch(() => {
      // The next event is another try, and so is some time.
      this.#loading = undefined;
      this.#manage();
      clearTimeout(this.#next);
      this.#next = setTimeout(this.#schedule, patience);
    });
    return this.#loading;
  }

  /**
   * Do something at once, or when the rest is there.
   *
   * @param {(rest: Presenter) => void} act
   * @param {() => void} [otherwise] - where it does not come
   */
  #with(act, otherwise = () => {}) {
    if (this.#rest) { act(this.#rest); } else { this.#load().then(act, otherwise); }
  }

  /** @param {KeyboardEvent} event */
  #press = (event) => {
    if (!isHotkey(this.hotkey, event)) { return; }
    event.preventDefault();
    if (!this.#screen.focus()) { this.#with(({ desk }) => desk.focus()); }
  };

  /** @param {Event} event */
  #explain = (event) => {
    const { detail } = /** @type {CustomEvent<{ address: URL, status?: number }>} */ (event);
    const address = new URL(`v1/channels/${encodeURIComponent(this.channel)}/`, serverOf(this));
    if (!this.channel || !detail.address.href.startsWith(address.href)) { return; }
    // If it does not load, the server is away, which is another matter.
    import("./lazy/refusals.js").then(({ explain }) => explain(this, detail, this.#hurry), () => {});
  };

  #hurry = () => { if (!document.hidden) { this.#connection.hurry(); } };

  /** The page is seen, or no longer. */
  #look = () => {
    this.#rest?.look();
    this.#hurry();
  };

  /** @param {Connection} state */
  #connect(state) {
    this.#tell("toast-connection", { state });
    if (state === "offline") { this.#sign.show(); } else if (state !== "connecting") { this.#sign.hide(state === "open"); }
    this.#rest?.connect(state);
  }

  /** Play a toast's exit. @param {string} id */
  #hide(id) {
    const card = this.#screen.shown.get(id)?.card;
    if (this.#rest) { return this.#rest.stage.hide(id); }
    if (!card || card.isLeaving) { return; }
    const hadFocus = card.hasFocus;
    card.leave(this.#screen.exitTime);
    if (hadFocus) { this.#with(({ stage }) => stage.passFocus(card)); }
  }

  /**
   * Let a toast go at once, and send what a person did. If the server was not reached, it comes back.
   *
   * @param {string} id
   * @param {string} path
   * @param {object} [body]
   */
  async #close(id, path, body) {
    this.#hide(id);
    const isLive = this.toasts.some((toast) => toast.id === id);
    this.#rest?.dismiss(id);
    this.#schedule();
    if (!isLive || await this.#connection.send("POST", `toasts/${id}/${path}`, body) !== undefined) { return; }
    this.#with((rest) => rest.comeBack(id), () => {
      this.#prelude.drop(id);
      this.#prelude.show(this.#state);
    });
  }

  /** @param {string} name @param {object} detail @param {boolean} [isCancelable] */
  #tell(name, detail, isCancelable = false) {
    if (name === "toast-show" && (this.#rest || this.hasAttribute("vibrate"))) {
      this.#with((rest) => rest.feel(/** @type {{ haptic?: Haptic }} */ (detail).haptic));
    }
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable: isCancelable, bubbles: true, composed: true }));
  }
}
