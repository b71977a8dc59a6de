/**
 * Decides from the states of the channels which toasts this viewer shows, when and for how long. Applies the person's
 * preferences, holds toasts, and keeps the history.
 *
 * The first toast does not wait for the lazy parts: `lazy/answers.js` sends a person's answers,
 * `lazy/toast-lifecycle.js` changes, holds and removes cards, `lazy/interaction.js` does all else.
 * If these do not load, toasts are still shown and announced; closed, they are gone at once.
 *
 * @import { Answers } from "./lazy/answers.js"
 * @import { Means } from "./view.d.ts"
 * @import { Action, Connection, Envelope, Haptic, PersonsReason, Reason } from "./wire.d.ts"
 */

import { refuse, tokenOf } from "./credentials.js";
import { DisplayTimers } from "./display-timers.js";
import { History } from "./history.js";
import { Holds } from "./holds.js";
import { makeIcon } from "./icons.js";
import { isCovered, wayOut } from "./layout.js";
import { LazyPart } from "./lazy-part.js";
import { maxExpanded, maxVisible } from "./max-visible.js";
import { adapt, isSilenced, preferences } from "./preferences.js";
import { adopt, registered } from "./sheets.js";
import { ChannelStates, identityOf } from "./state.js";
import { after, loaded, oncePerFrame, retry } from "./text.js";

/** Milliseconds that a toast waits for the code that moves it into a dialog. */
const patience = 1000;

export class Presenter {
  history = new History();
  states = new ChannelStates();
  /** Dispatches an event. */
  tell;
  #means;
  #timers = new DisplayTimers();
  #holds;
  #isUp = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} Draws when a countdown ends. */
  #next;
  /** Sends a person's answers. */
  #answers = new LazyPart(() => this.#makeAnswers());
  /** Changes and removes cards on screen. */
  #lifecycle = new LazyPart(() => this.#makeLifecycle());
  /** Toasts that the page or a person does not want shown. @type {Set<string>} */
  #refused = new Set();
  /** The page's own toasts. */
  local = new LazyPart(() => this.#makeLocal());
  #interaction = new LazyPart(() => this.#makeInteraction());
  /** When drawing may load it again, as `performance.now()`. */
  #retryAt = 0;
  /** Whether a lazy part is late: toasts are shown although a dialog may cover them, and leave without an exit. */
  #isPlain = false;

  /** @param {Means} means */
  constructor(means) {
    this.#means = means;
    this.tell = means.tell;
    const { host, screen } = means;
    screen.presenter = this;
    this.#timers.admits = ({ toast }) => this.local.part?.admits(toast) ?? true;
    screen.announcer.summary = (n) => means.localizer.counted("summary", n);
    this.#holds = new Holds((reasons) => {
      const held = host.holds === "off" ? new Set() : reasons;
      this.#timers.hold(held, performance.now());
      this.local.part?.hold(held.size > 0);
      this.schedule();
    });
  }

  /** Whether the viewer is removed only to be inserted elsewhere. */
  get isMoving() { return this.#interaction.part?.isMoving; }

  /** The toasts that are presented, oldest first. */
  get toasts() { return this.states.presented.map(({ toast }) => toast); }

  /** The viewer was connected. */
  up() {
    this.#isUp = true;
    preferences.addEventListener("change", this.#prefer);
    this.#interaction.part?.up();
    this.#prefer();
    this.look();
  }

  down() {
    this.#isUp = false;
    preferences.removeEventListener("change", this.#prefer);
    this.#interaction.part?.down();
    this.local.part?.close();
    this.local.drop();
  }

  /** Forget the channels' toasts; local ones stay while the viewer is in the page. */
  shut() {
    const stays = (/** @type {{ channel: string }} */ { channel }) => !channel && this.#isUp;
    this.#interaction.part?.shut();
    for (const channel of this.states.keys()) { if (!stays({ channel })) { this.states.delete(channel); } }
    this.#answers.part?.clear();
    this.#refused.clear();
    this.#timers.clear(stays);
    this.history.clear(stays);
    this.#means.screen.clear(stays);
    this.#lifecycle.part?.letGo();
    this.schedule();
  }

  /** @param {Envelope} envelope */
  take(envelope) {
    if (envelope.type === "shutdown") { return; }
    this.states.take(envelope);
    this.history.take(envelope);
    if (envelope.type === "dismissed") { this.#refused.delete(envelope.id); }
    this.#update();
  }

  /** @param {Connection} state */
  connect(state) {
    if (state === "connecting") { return; }
    this.#timers.isAway = state === "offline";
    if (this.#timers.isAway) { this.schedule(); }
    if (state !== "open") { return; }
    this.#answers.part?.resend();
    // Our own words do for a first toast, if they are in the language.
    if (this.#interaction.part) {
      this.#interaction.part.languages.learn();
    } else if (!this.#means.localizer.isFluent) {
      this.interact();
    }
  }

  /** The page became visible or hidden, or `holds` has changed. */
  look() {
    this.#holds.set("hidden", document.hidden);
    this.#holds.tell();
    this.#gate();
  }

  /** Events of one burst are drawn together: what comes and goes within it is never seen. */
  schedule = oncePerFrame(() => {
    // Off the page there is nothing to draw, and no language around it.
    if (this.#isUp) { this.#draw(); }
  });

  /** The viewer's words have changed. */
  renew() { this.#interaction.part?.renew(); }

  /** Focus the newest toast, else another viewer's toast, else the toolbar. */
  focus() {
    if (!this.#means.screen.focus()) { this.interact().then(({ toolbar }) => toolbar.focus(), () => {}); }
  }

  /** Whether this page speaks for a channel. @param {string} channel */
  isHeard(channel) { return this.#means.connection.isHeard(channel); }

  /** A person presses an action. @param {string} id @param {Action} action */
  act(id, action) { this.#answer((it) => it.act(id, action)); }

  /** A person dismisses a toast: it goes at once. @param {string} id @param {PersonsReason} dismissReason */
  close(id, dismissReason) {
    // Undo the move of a swipe.
    if (!this.#means.screen.tellDismissal(id, dismissReason, true)) { return this.#lifecycle.part?.comeBack(id); }
    this.#answer((it) => it.send(id, "dismiss", { dismissReason }), () => this.refuse(id, dismissReason));
  }

  /** The page dismisses a toast, its own or one of a channel; without an id, all of its own. @param {string} [id] */
  dismiss(id) {
    // A toast that is over may be kept here.
    const isShared = id && (this.toasts.some((it) => it.id === id) || this.#timers.kept.has(id));
    if (isShared && !this.local.part?.has(id)) { return this.close(id, "close"); }
    this.local.get().then((it) => it.dismiss(id, "api"));
  }

  /**
   * Hide a toast: the page prevented it, or a person's dismissal cannot be sent yet.
   *
   * @param {string} id
   * @param {Reason} [reason]
   */
  refuse(id, reason = "api") {
    this.#means.screen.drop(id, "api");
    this.#timers.dismiss(id);
    if (!this.local.part?.dismiss(id, reason)) { this.#refused.add(id); }
    this.#update();
  }

  /**
   * Work with the answers: at once if they are loaded, because the page may be about to close.
   *
   * @template Result
   * @param {(answers: Answers) => Result} work
   * @param {() => void} [fail] - called if the first attempt to load them fails
   * @returns {Result | Promise<Result>}
   */
  #answer(work, fail = () => {}) {
    const { part } = this.#answers;
    if (part) { return work(part); }
    this.#answers.get().catch(fail);
    return loaded(() => this.#answers.get()).then(work);
  }

  async #makeAnswers() {
    const { Answers: Made } = await import("./lazy/answers.js");
    return new Made({
      ...this.#means, refuse, tokenOf, lifecycle: this.#lifecycle, states: this.states, timers: this.#timers,
      schedule: this.schedule, local: () => this.local.part, drop: (id) => this.refuse(id),
    });
  }

  async #makeLifecycle() {
    const { ToastLifecycle: Made } = await import("./lazy/toast-lifecycle.js");
    this.schedule();
    return new Made(this.#means.screen, this.#holds);
  }

  async #makeLocal() {
    const { LocalChannel } = await loaded(() => import("./lazy/local-channel.js"));
    const local = new LocalChannel(this, this.#means, preferences);
    local.hold(this.#timers.isHeld);
    local.beside(this.states, this.#timers.entries);
    return local;
  }

  /** What the channels show, less what this person does not want to see. */
  #update() {
    this.#timers.update({
      presented: this.states.presented.filter(({ toast }) => !this.#refused.has(toast.id) && !isSilenced(toast)),
      exits: this.states.exits,
    }, performance.now());
    this.local.part?.beside(this.states, this.#timers.entries);
    this.schedule();
  }

  #draw() {
    const { connection, host, listen, localizer, screen } = this.#means;
    // Nothing observes the language before `Interaction` is loaded. The new stream has texts in it.
    if (localizer.isStale && !this.#interaction.part) {
      localizer.speak();
      if (connection.isOpen) { return listen(); }
    }
    const now = performance.now();
    this.#timers.limit = this.#interaction.part?.isExpanded ? maxExpanded : maxVisible(host, this.states.values());
    if (!this.#interaction.part && !this.#isPlain && host.getAttribute("top-layer") !== "off" && this.#timers.kept.size && isCovered()) {
      return this.#wait();
    }
    const view = this.#timers.view(now);
    this.local.part?.beside(this.states, this.#timers.entries);
    // Removed elements lose hover and focus without an event.
    if (!this.#timers.kept.size) { this.#lifecycle.part?.touches.letGo(); }
    const presented = view.presented.map(adapt);
    // Toasts without room are announced, too.
    if (this.#timers.isOpen) { for (const entry of view.waiting) { screen.announce(entry); } }
    screen.configure(this.states.settings);
    const ids = presented.map(({ toast }) => toast.id);
    if (this.#lifecycle.part) {
      this.#lifecycle.part.render({ ...view, presented, exits: [...view.exits, ...this.states.exits] });
    } else {
      // Before it is loaded, cards neither change nor leave.
      const gone = [...screen.shown.keys()].filter((id) => !ids.includes(id));
      if (gone.length && !this.#isPlain) { return this.#wait(); }
      for (const id of gone) { screen.drop(id, "api"); }
      for (const entry of presented) { if (!screen.shown.has(entry.toast.id)) { screen.show(entry); } }
    }
    this.history.see(ids);
    const summary = {
      count: presented.length, more: view.more.size, isPaused: preferences.current.isPaused, unread: this.history.unread(view.more),
    };
    this.#interaction.part?.update(summary, presented.filter(({ toast }) => !view.over.has(toast.id)));
    if (!this.#interaction.part && now >= this.#retryAt && Object.values(summary).some(Boolean)) { this.interact(); }
    clearTimeout(this.#next);
    const next = this.#timers.next(now);
    // A browser's timer lasts 24 days at most.
    if (next < 1e9) { this.#next = setTimeout(this.schedule, next + 10); }
  }

  /** Draw when the lazy parts are loaded, or late. */
  #wait() {
    Promise.race([this.interact(), after(patience)]).catch(() => {}).then(() => {
      this.#isPlain = true;
      this.schedule();
    });
  }

  /** Load what a toast needs after it is shown; after a failure draw again, which retries. */
  interact() {
    this.#answers.get();
    const interaction = this.#interaction.get();
    interaction.catch(() => {
      this.#retryAt = performance.now() + retry;
      setTimeout(this.schedule, retry);
    });
    return interaction;
  }

  async #makeInteraction() {
    const [lifecycle, { Interaction }] = await Promise.all([this.#lifecycle.get(), import("./lazy/interaction.js")]);
    const interaction = new Interaction(this.#means, {
      lifecycle, preferences, adopt, makeIcon, registered, wayOut,
      post: async (...request) => this.#answer((it) => it.post(...request)),
      timers: this.#timers,
      maxVisible: () => maxVisible(this.#means.host, this.states.values()),
    });
    // `up` may move the viewer into a dialog, and `isMoving` is read meanwhile.
    this.#interaction.part = interaction;
    if (this.#isUp) { interaction.up(); }
    this.schedule();
    return interaction;
  }

  /** @param {Haptic | undefined} haptic @param {string} channel */
  feel(haptic, channel) { if (haptic) { this.interact().then((it) => it.feel(haptic, channel), () => {}); } }

  #prefer = () => {
    const { connection, listen } = this.#means;
    const { current, scale } = preferences;
    this.#holds.set("pause", current.isPaused);
    this.#holds.set("never", current.scale === "never");
    this.#timers.scale = scale;
    // The toasts stay until the new stream's snapshot.
    if (connection.isOpen && connection.manner?.scale !== scale) { listen(); }
    this.#update();
    this.#gate();
  };

  /** While the page is hidden or toasts are paused, new ones wait; several that waited are announced as a number. */
  #gate() {
    const { connection, host, localizer, screen } = this.#means;
    if (host.holds !== "off" && (document.hidden || preferences.current.isPaused)) {
      if (this.#timers.isOpen) { this.history.came = 0; }
      return this.#timers.close();
    }
    const unseen = this.#timers.open(performance.now());
    const count = Math.max(unseen.length, this.history.came);
    if (unseen.length && count > 1) {
      for (const { toast, spoken } of unseen) { screen.announcer.skip(identityOf(toast), spoken); }
      screen.announcer.say(localizer.counted("missed", count), false, () => connection.isSpeaking);
    }
    this.schedule();
  }
}
