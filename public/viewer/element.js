/**
 * The element that shows a channel's toasts.
 *
 * @import { Client } from "./client.js"
 * @import { Action, Connection, Envelope, Haptic } from "./wire.d.ts"
 * @import { OwnStyle } from "./sheets.js"
 * @import { ViewState } from "./state.js"
 */

import { Attributed, announcementOf, expanded, mannerOf, roomOf, serverOf } from "./attributes.js";
import { AwaySign } from "./away.js";
import { authorize } from "./credentials.js";
import { Desk } from "./desk.js";
import { Frames } from "./frames.js";
import { vibrate } from "./haptics.js";
import { History } from "./history.js";
import { Holds, followHand } from "./holds.js";
import { isHotkey } from "./hotkey.js";
import { Keeper } from "./keeper.js";
import { Layers } from "./layers.js";
import { Line } from "./line.js";
import { Screen } from "./screen.js";
import { adopt, registerStyle } from "./sheets.js";
import { emptyState, reduce } from "./state.js";
import { Tongue } from "./tongue.js";
import { Tailor, wishes } from "./wishes.js";

const portrait = matchMedia("(orientation: portrait)");

/**
 * `<toast-viewer channel="ops"></toast-viewer>`, with the attributes of `attributes.js`.
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
export class ToastViewer extends Attributed {
  /** Register a style of one's own for all viewers of the page. @param {string} name @param {OwnStyle} style */
  static registerStyle(name, style) { registerStyle(name, style); }

  /** Show a token to a server to which no cookie goes. @type {typeof authorize} */
  static authorize(server, token) { authorize(server, token); }

  #root = this.attachShadow({ mode: "open" });
  #sign = new AwaySign((isAway) => this.#screen.announcer.say(this.#tongue.words.say(isAway ? "disconnected" : "reconnected")));
  #screen = new Screen(this.#root, {
    dismiss: (id, reason) => this.#dismiss(id, (client) => client.dismiss(id, reason)),
    act: (id, action) => this.#act(id, action),
    drag: () => this.#holds.add("drag"),
    drop: () => this.#holds.removeSoon("drag"),
    tell: (name, detail) => this.#tell(name, detail),
  });
  #keeper = new Keeper();
  #history = new History();
  #holds = new Holds(() => this.holds === "shared", (reasons) => {
    this.#keeper.hold(this.holds === "off" ? new Set() : reasons, performance.now());
    this.#schedule();
  });
  #desk = new Desk({
    root: this.#root,
    layer: this.#screen.layer,
    shelf: this.#screen.shelf,
    history: this.#history,
    words: () => this.#tongue.words,
    expand: () => { this.#isExpanded = true; this.#schedule(); },
    pause: () => { this.isPaused = !this.isPaused; },
    clear: () => this.dismissAll(),
    read: () => { this.#history.read(); this.#schedule(); },
  });
  // A live region that still has words in it would say them again where it arrives.
  #layers = new Layers(this, () => this.#screen.announcer.empty(), () => this.#screen.raise());
  /** @type {ViewState} */
  #state = emptyState;
  #tailor = new Tailor();
  #line = new Line((envelope) => this.#receive(envelope), (state) => this.#connect(state));
  #tongue = new Tongue(this, ({ say, hint, label }) => {
    this.#screen.shelf.region.ariaLabel = this.getAttribute("label") ?? label;
    this.#screen.words = { say, hint };
    this.#sign.text = say("reconnecting");
    this.#desk.renew();
  });
  #frames = new Frames(() => this.#draw());
  #isUp = false;
  #isExpanded = false;
  #listening = new AbortController();

  constructor() {
    super();
    this.#screen.layer.append(this.#sign.part);
    followHand(this.#screen.shelf.region, this.#holds);
    this.#screen.announcer.manner = () => this.#line.isHeard ? announcementOf(this) : "off";
    this.#screen.announcer.summary = (n) => this.#tongue.words.told("summary", n);
  }

  /** The state of the stream. */
  get connection() { return this.#line.connection; }

  /** The toasts on the screen, oldest first. */
  get toasts() { return this.#state.presented.map(({ toast }) => toast); }

  /** What was shown, newest first: at most 200. */
  get history() { return this.#history.all; }

  /** Whether what is shown stays and what comes waits, in all tabs of this origin. */
  get isPaused() { return wishes.current.isPaused; }
  set isPaused(isPaused) { wishes.change({ isPaused }); }

  /** Dismiss what is on the screen, and what is there without being shown. */
  dismissAll() {
    const shown = new Set(this.#screen.ids);
    for (const id of shown) { this.#screen.close(id, "close"); }
    for (const { id } of this.toasts) {
      if (!shown.has(id)) { this.#dismiss(id, (client) => client.dismiss(id, "close")); }
    }
  }

  /** Show what has been. */
  showHistory() { return this.#desk.open("history"); }

  /** Show what a person can set. */
  showPreferences() { return this.#desk.open("preferences"); }

  connectedCallback() {
    if (this.#isUp) { return this.#screen.raise(); }
    // Modal helpers of the page hide what is not theirs; these tell them that we are to be heard.
    this.setAttribute("aria-live", "off");
    this.toggleAttribute("data-live-announcer", true);
    this.#tongue.speak();
    this.#screen.layer.popover = this.getAttribute("top-layer") === "off" ? null : "manual";
    this.#screen.raise();
    adopt(this.#root, "base");
    if (this.#screen.layer.popover) { this.#layers.watch(); }
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener("keydown", this.#press, { signal });
    document.addEventListener("visibilitychange", this.#look, { signal });
    for (const type of ["focusin", "focusout"]) { document.addEventListener(type, this.#makeWay, { signal }); }
    globalThis.addEventListener("online", this.#hurry, { signal });
    wishes.addEventListener("change", this.#wish, { signal });
    portrait.addEventListener("change", this.#turn, { signal });
    this.#isUp = true;
    if (document.activeElement !== document.body) { this.#makeWay(); }
    this.#look();
    this.#wish();
    this.#open();
  }

  disconnectedCallback() {
    if (this.#layers.isMoving || this.#layers.rescue()) { return; }
    this.#isUp = false;
    this.#layers.unwatch();
    this.#listening.abort();
    this.#shut();
  }

  /** With this, `moveBefore` keeps the stream and what is on the screen. */
  connectedMoveCallback() {}

  /** @param {string} name */
  attributeChangedCallback(name) {
    // Before it is connected, an element that is being made is told of its attributes one by one.
    if (!this.#isUp) { return; }
    if (name === "lang") { this.#tongue.speak(); this.#tongue.learn(); } else { this.#open(); }
  }

  #open() {
    this.#shut();
    if (!this.channel) { return; }
    const channel = new URL(`v1/channels/${encodeURIComponent(this.channel)}/`, serverOf(this));
    this.#line.open(channel, mannerOf(this, this.#keeper.scale));
    this.#holds.client = this.#line.client;
  }

  #shut() {
    this.#holds.letGo();
    this.#holds.share([]);
    this.#line.close();
    this.#state = emptyState;
    this.#keeper.clear();
    this.#history.clear();
    this.#screen.clear();
    this.#desk.close();
    this.#frames.stop();
  }

  /** @param {Envelope} envelope */
  #receive(envelope) {
    this.#state = reduce(this.#state, envelope);
    this.#history.take(envelope);
    this.#settle();
    this.#tell("toast-event", envelope);
    this.#schedule();
  }

  #settle() {
    const { presented, exits } = this.#state;
    const wanted = wishes.current.isQuiet ? presented.filter(({ toast }) => toast.role === "error") : presented;
    this.#keeper.update({ presented: wanted, exits }, performance.now());
  }

  #schedule() { if (this.#isUp) { this.#frames.schedule(); } }

  /** @returns {number} milliseconds until a toast here is over by itself */
  #draw() {
    const now = performance.now();
    const { settings } = this.#state;
    this.#keeper.limit = this.#isExpanded ? expanded : roomOf(this, settings.maxVisible);
    const view = this.#keeper.view(now);
    if (this.#keeper.isEmpty) {
      this.#isExpanded = false;
      // What had them is gone, and does not say so.
      this.#holds.letGo();
    }
    this.#screen.render({ ...view, settings, presented: view.presented.map((entry) => this.#tailor.dress(entry)) });
    this.#history.see(view.presented.map(({ toast }) => toast.id));
    this.#holds.share(this.#keeper.live);
    this.#desk.update({
      count: view.presented.length, more: view.more, isPaused: this.isPaused, unread: this.#history.unread - view.more,
    });
    return this.#keeper.next(now);
  }

  /** @param {KeyboardEvent} event */
  #press = (event) => {
    if (!isHotkey(this.hotkey, event)) { return; }
    event.preventDefault();
    if (!this.#screen.focus()) { this.#desk.focus(); }
  };

  // Only when the page has scrolled to it, it is known where it is.
  #makeWay = () => { requestAnimationFrame(() => this.#screen.shelf.clear()); };

  #hurry = () => { if (!document.hidden) { this.#line.hurry(); } };

  /** The page is seen, or no longer. */
  #look = () => {
    this.#holds.set("hidden", document.hidden);
    this.#gate();
    this.#hurry();
  };

  #wish = () => {
    const { scale, isPaused } = wishes.current;
    this.#holds.set("pause", isPaused);
    this.#holds.set("never", scale === "never");
    this.#tailor = new Tailor();
    const wanted = scale === "never" ? 10 : scale;
    const isOther = wanted !== this.#keeper.scale;
    this.#keeper.scale = wanted;
    // What is on the screen stays until the stream has said what is.
    if (isOther && this.#line.isOpen) { this.#line.listen(mannerOf(this, wanted)); }
    this.#settle();
    this.#gate();
    this.#schedule();
  };

  /** The screen was turned: everything looks different now, so everything has its full time again (Toaster). */
  #turn = () => {
    this.#keeper.restart(performance.now());
    this.#schedule();
  };

  /** While nobody can see new toasts, or somebody does not want to, they wait; then they come, but not as a flood. */
  #gate() {
    const isHeld = this.holds !== "off" && (document.hidden || this.isPaused);
    if (isHeld) { return this.#keeper.close(); }
    const unseen = this.#keeper.open(performance.now());
    const count = Math.max(unseen.length, this.#history.unread);
    if (unseen.length && count > 1) {
      for (const { toast, spoken } of unseen) { this.#screen.announcer.skip(toast.id, spoken); }
      this.#screen.announcer.say(this.#tongue.words.told("missed", count));
    }
    this.#schedule();
  }

  /** @param {Connection} state */
  #connect(state) {
    this.#tell("toast-connection", { state });
    if (state === "offline") {
      this.#sign.show();
      this.#keeper.isAway = true;
      this.#schedule();
    } else if (state !== "connecting") {
      this.#sign.hide(state === "open");
      this.#keeper.isAway = false;
    }
    if (state === "open") { this.#tongue.learn(); }
  }

  /**
   * @param {string} id
   * @param {Action} action
   */
  #act(id, action) {
    if (!this.#tell("toast-action", { id, action }, true)) { return; }
    this.#screen.hide(id);
    this.#dismiss(id, (client) => client.act(id, action.id));
  }

  /**
   * Send what a person did. The toast is already on its way out; if the server was not reached, it comes back.
   *
   * @param {string} id
   * @param {(client: Client) => Promise<void>} command
   */
  #dismiss(id, command) {
    const isLive = this.toasts.some((toast) => toast.id === id);
    this.#keeper.dismiss(id);
    this.#schedule();
    if (!isLive) { return; }
    this.#line.send(command, () => {
      this.#keeper.dismiss(id, false);
      this.#screen.comeBack(id);
    });
  }

  /**
   * @param {string} name
   * @param {object} detail
   * @param {boolean} [cancelable]
   */
  #tell(name, detail, cancelable = false) {
    const vibrates = wishes.current.vibrates ?? this.hasAttribute("vibrate");
    if (name === "toast-show" && vibrates && this.#line.isHeard) { vibrate(/** @type {{ haptic?: Haptic }} */ (detail).haptic); }
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }
}
