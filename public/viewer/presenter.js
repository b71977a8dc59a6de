/**
 * What is on the screen, when and for how long: between what the server says, which the reducer has made a state of, and
 * the elements that show it. It knows what this person has set, holds what is looked at, and remembers what has been.
 *
 * What a page needs only when there is a toast to touch is loaded with the first one, as `lazy/interaction.js`. Toasts do
 * not wait for it: without it, too, they are shown, announced, held, reached by keys and closed.
 *
 * @import { ChannelConnection } from "./connection.js"
 * @import { Interaction } from "./lazy/interaction.js"
 * @import { LocalChannel } from "./lazy/local-channel.js"
 * @import { Localizer } from "./localizer.js"
 * @import { Screen } from "./screen.js"
 * @import { ViewState } from "./view.d.ts"
 * @import { Connection, Envelope, Haptic, PersonsReason, Settings } from "./wire.d.ts"
 *
 * @typedef {object} Means
 * @property {HTMLElement & { holds: string, hotkey: string, dismissAll(): void }} host
 * @property {ShadowRoot} root
 * @property {Screen} screen
 * @property {ChannelConnection} connection
 * @property {Localizer} localizer
 * @property {() => URL | undefined} server - its address, if there is one
 * @property {() => void} listen - ask for the stream anew
 * @property {(envelope: Envelope) => void} receive - takes an event of the page's own toasts
 * @property {(name: string, detail: object, isCancelable?: boolean) => boolean} tell - dispatches an event
 */

import { Answers, retry } from "./answers.js";
import { DisplayTimers } from "./display-timers.js";
import { History } from "./history.js";
import { Holds, followHand } from "./holds.js";
import { makeIcon } from "./icons.js";
import { ToastLifecycle } from "./toast-lifecycle.js";
import { isCovered } from "./layout.js";
import { maxExpanded, maxVisible } from "./max-visible.js";
import { adaptToPreferences, preferences } from "./preferences.js";
import { adopt, registered } from "./sheets.js";
import { emptyState, reduce } from "./state.js";
import { after } from "./text.js";

/** Milliseconds that a toast waits for what gets it into a dialog. */
const patience = 1000;

export class Presenter {
  history = new History();
  /** When each entry came: a tab that comes later is told what is left of its time. @type {WeakMap<object, number>} */
  told = new WeakMap();
  /** What the events have led to, by channel. @type {Map<string, ViewState>} */
  states = new Map();
  #means;
  #lifecycle;
  #timers = new DisplayTimers();
  #holds;
  #adapt = adaptToPreferences();
  #isUp = false;
  #isDue = false;
  #isExpanded = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} Until something changes by itself. */
  #next;
  #listening = new AbortController();
  #answers;
  /** What the page does not want shown. @type {Set<string>} */
  #refused = new Set();
  /** What the page itself shows. @type {Promise<LocalChannel> | undefined} */
  #loadingLocal;
  /** @type {LocalChannel | undefined} */
  #local;
  /** @type {Interaction | undefined} */
  #interaction;
  /** @type {Promise<Interaction> | undefined} */
  #interacting;
  /** From when on it is asked for again by itself. */
  #retryAt = 0;
  /** Whether toasts are shown also where they cannot get into a dialog. */
  #isPlain = false;

  /** @param {Means} means */
  constructor(means) {
    this.#means = means;
    const { host, screen } = means;
    screen.person = {
      close: (id, reason) => this.close(id, reason),
      act: (id, action) => this.#answers.act(id, action),
      refuse: (id) => this.#refuse(id),
      tell: means.tell,
    };
    screen.isHeard = (channel) => means.connection.isHeard(channel);
    screen.announcer.summary = (n) => this.#counted("summary", n);
    this.#lifecycle = new ToastLifecycle(screen);
    this.#answers = new Answers({
      screen, states: this.states, lifecycle: this.#lifecycle, timers: this.#timers,
      connection: means.connection, tell: means.tell, schedule: this.schedule,
      local: () => this.#local,
    });
    this.#holds = new Holds((reasons) => {
      const held = host.holds === "off" ? new Set() : reasons;
      this.#timers.hold(held, performance.now());
      this.#local?.hold(held.size > 0);
      this.schedule();
    });
    followHand(screen.region, this.#holds);
  }

  /** How much longer than the server says this person wants to see toasts. */
  get scale() {
    const { scale } = preferences.current;
    return scale === "never" ? 10 : scale;
  }

  get isPaused() { return preferences.current.isPaused; }
  set isPaused(isPaused) { preferences.change({ isPaused }); }

  /** Whether the viewer was taken from its place only to come to another one. */
  get isMoving() { return this.#interaction?.isMoving ?? false; }

  /** The toasts that the server shows, oldest first. */
  get toasts() { return [...this.states.values()].flatMap(({ presented }) => presented.map(({ toast }) => toast)); }

  /** The viewer is in the page. */
  up() {
    this.#isUp = true;
    this.#listening = new AbortController();
    preferences.addEventListener("change", this.#prefer, { signal: this.#listening.signal });
    this.#interaction?.up();
    this.#prefer();
    this.look();
  }

  down() {
    this.#isUp = false;
    this.#listening.abort();
    this.#interaction?.down();
  }

  /** The channel is another one, or none. */
  shut() {
    const { screen } = this.#means;
    if (screen.region.matches(":focus-within")) { screen.focusOrigin.giveBack(); }
    this.#holds.letGo();
    this.#interaction?.shut();
    this.#local?.close();
    this.#timers.admits = () => true;
    this.#local = this.#loadingLocal = undefined;
    this.states.clear();
    this.#answers.clear();
    this.#refused.clear();
    this.#timers.clear();
    this.history.clear();
    screen.clear();
    clearTimeout(this.#next);
  }

  /** @param {Envelope} envelope */
  take(envelope) {
    if (envelope.type === "shutdown") { return; }
    const { channel } = envelope;
    const state = reduce(this.states.get(channel) ?? emptyState, envelope);
    this.states.set(channel, state);
    for (const entry of state.presented) {
      if (!this.told.has(entry)) { this.told.set(entry, performance.now()); }
    }
    this.history.take(envelope);
    if (envelope.type === "snapshot" && !this.#means.connection.isFirst(channel)) {
      console.warn(`Several toast viewers of this page show "${channel}": only the first one speaks.`);
    }
    this.#update();
    this.schedule();
  }

  /** @param {Connection} state */
  connect(state) {
    if (state === "connecting") { return; }
    this.#timers.isAway = state === "offline";
    if (this.#timers.isAway) { this.schedule(); }
    if (state !== "open") { return; }
    this.#answers.resend();
    // Ours are good enough for a first toast, where we have any.
    if (this.#interaction) { this.#interaction.languages.learn(); } else if (!this.#means.localizer.isFluent) { this.interact().catch(() => {}); }
  }

  /** The page is seen, or no longer. */
  look() {
    this.#holds.set("hidden", document.hidden);
    this.#gate();
  }

  /** Events of one burst are drawn together: what comes and goes within it is never seen. */
  schedule = () => {
    if (this.#isDue || !this.#isUp) { return; }
    this.#isDue = true;
    const draw = () => {
      this.#isDue = false;
      // Taken off the page since: there is nothing to draw, and no language around it any more.
      if (this.#isUp) { this.#draw(); }
    };
    // A page that is not seen has no frames.
    if (document.hidden) { setTimeout(draw); } else { requestAnimationFrame(draw); }
  };

  /** The words are others. */
  renew() { this.#interaction?.toolbar.renew(); }

  /** Bring the focus to the newest toast, or to what else there is. */
  focus() {
    if (!this.#means.screen.focus()) { this.interact().then(({ toolbar }) => toolbar.focus(), () => {}); }
  }

  /** A person dismisses a toast: it goes at once. @param {string} id @param {PersonsReason} dismissReason */
  close(id, dismissReason) {
    // A swipe has moved it.
    if (!this.#means.screen.tellDismissal(id, dismissReason, true)) { return this.#lifecycle.comeBack(id); }
    this.#answers.send(id, "dismiss", { dismissReason });
  }

  /** The page dismisses a toast, its own or one of a channel. @param {string} id */
  dismiss(id) {
    if (!this.#local?.has(id) && this.#means.screen.shown.has(id)) { return this.close(id, "close"); }
    this.local.then((it) => it.dismiss(id, "api"));
  }

  /** The page does not want a toast shown. @param {string} id */
  #refuse(id) {
    this.#means.screen.shown.delete(id);
    this.#refused.add(id);
    this.#update();
    this.schedule();
  }

  /** Tell the server what a person did with a toast. @type {Answers["post"]} */
  post(method, id, path, body) { return this.#answers.post(method, id, path, body); }

  /**
   * Get what shows toasts of the page's own, by the rules of the engine.
   *
   * @returns {Promise<LocalChannel>}
   */
  get local() {
    this.#loadingLocal ??= import("./lazy/local-channel.js").then(({ LocalChannel }) => {
      const local = new LocalChannel(this.#means.receive, this.schedule);
      this.#local = local;
      this.#timers.admits = ({ toast }) => local.admits(toast);
      local.beside(this.states, this.#timers.entries);
      return local;
    });
    this.#loadingLocal.catch(() => { this.#loadingLocal = undefined; });
    return this.#loadingLocal;
  }

  /** What the channels show, less what this person does not want to see. */
  #update() {
    const all = [...this.states.values()];
    const { isQuiet } = preferences.current;
    this.#timers.update({
      presented: all.flatMap((it) => it.presented).filter(({ toast }) => !this.#refused.has(toast.id) && (!isQuiet || toast.role === "error")),
      exits: all.flatMap(({ exits }) => exits),
    }, performance.now());
    this.#local?.beside(this.states, this.#timers.entries);
  }

  /** The settings of the layer: those of the first channel, else those of the page's own toasts. @returns {Settings} */
  get #settings() {
    for (const [channel, { settings }] of this.states) { if (channel) { return settings; } }
    return this.states.get("")?.settings ?? {};
  }

  /** Show all that there are, or as many as usual. @param {boolean} isExpanded */
  #expand(isExpanded) {
    this.#isExpanded = isExpanded;
    if (!isExpanded) {
      this.#timers.limit = maxVisible(this.#means.host, this.states.values());
      this.#timers.fold();
    }
    this.schedule();
  }

  #draw() {
    const { connection, host, listen, localizer, screen } = this.#means;
    // The language around a viewer that has shown nothing is not watched. The server's texts come anew in it.
    if (localizer.isStale && !this.#interaction) {
      localizer.speak();
      if (connection.isOpen) { return listen(); }
    }
    const now = performance.now();
    const states = [...this.states.values()];
    this.#timers.limit = this.#isExpanded ? maxExpanded : maxVisible(host, states);
    if (!this.#interaction && !this.#isPlain && screen.layer.popover && !this.#timers.isEmpty && isCovered()) {
      Promise.race([this.interact(), after(patience)]).catch(() => {}).then(() => {
        this.#isPlain = true;
        this.schedule();
      });
      return;
    }
    const view = this.#timers.view(now);
    this.#local?.beside(this.states, this.#timers.entries);
    if (this.#timers.isEmpty) {
      this.#isExpanded = false;
      // What had them is gone, and does not say so.
      this.#holds.letGo();
    }
    const presented = view.presented.map((entry) => this.#adapt(entry));
    const exits = [...view.exits, ...states.flatMap((it) => it.exits)];
    // What there is no room for is heard all the same.
    if (this.#timers.isOpen) { for (const entry of view.waiting) { screen.announce(entry); } }
    this.#lifecycle.render({ ...view, settings: this.#settings, presented, exits });
    this.history.see(view.presented.map(({ toast }) => toast.id));
    const summary = {
      count: view.presented.length, more: view.more.size, isExpanded: this.#isExpanded, isPaused: this.isPaused,
      unread: this.history.unreadBeside(view.more),
    };
    this.#interaction?.update(summary, this.#timers.live, presented.filter(({ toast }) => !view.over.has(toast.id)));
    const isWanted = summary.count || summary.more || summary.isPaused || summary.unread;
    if (!this.#interaction && isWanted && now >= this.#retryAt) { this.interact().catch(() => {}); }
    clearTimeout(this.#next);
    const next = this.#timers.next(now);
    if (next < Infinity) { this.#next = setTimeout(this.schedule, next + 10); }
  }

  /** Get what a page needs only when there is a toast; what does not come is asked for again, after a while by itself. */
  interact() {
    this.#interacting ??= import("./lazy/interaction.js").then(({ Interaction }) => {
      const interaction = new Interaction(this.#means, {
        lifecycle: this.#lifecycle, history: this.history, holds: this.#holds, preferences, adopt, makeIcon, registered,
        close: (id, reason) => this.close(id, reason),
        post: (method, id, path, body) => this.post(method, id, path, body),
        expand: (isExpanded) => this.#expand(isExpanded),
        restart: () => { this.#timers.restart(performance.now()); this.schedule(); },
        schedule: this.schedule,
      });
      this.#interaction = interaction;
      if (this.#isUp) { interaction.up(); }
      this.schedule();
      return interaction;
    });
    this.#interacting.catch(() => {
      this.#interacting = undefined;
      this.#retryAt = performance.now() + retry;
      setTimeout(this.schedule, retry);
    });
    return this.#interacting;
  }

  /** @param {Haptic | undefined} haptic @param {string} channel */
  feel(haptic, channel) {
    const { host, connection } = this.#means;
    if (haptic && (preferences.current.vibrates ?? host.hasAttribute("vibrate")) && connection.isHeard(channel)) {
      this.interact().then((it) => it.feel(haptic), () => {});
    }
  }

  /** So many toasts, and how to get to them. @param {"missed" | "summary"} word @param {number} n */
  #counted(word, n) {
    const { say, hint } = this.#means.localizer;
    const words = say(word, { n });
    return hint ? `${words}: ${hint}` : words;
  }

  #prefer = () => {
    const { connection, listen } = this.#means;
    const { scale, isPaused } = preferences.current;
    this.#holds.set("pause", isPaused);
    this.#holds.set("never", scale === "never");
    this.#adapt = adaptToPreferences();
    this.#timers.scale = this.scale;
    // What is on the screen stays until the stream has said what is.
    if (connection.isOpen && connection.manner?.scale !== this.scale) { listen(); }
    this.#update();
    this.#gate();
    this.schedule();
  };

  /** While nobody can see new toasts, or somebody does not want to, they wait; then they come, but not as a flood. */
  #gate() {
    const { host, screen } = this.#means;
    if (host.holds !== "off" && (document.hidden || this.isPaused)) { return this.#timers.close(); }
    const unseen = this.#timers.open(performance.now());
    const count = Math.max(unseen.length, this.history.unread);
    if (unseen.length && count > 1) {
      for (const { toast, spoken } of unseen) { this.#lifecycle.updates.skip(toast.id, spoken); }
      screen.announcer.say(this.#counted("missed", count), false, () => this.#means.connection.isSpeaking);
    }
    this.schedule();
  }
}
