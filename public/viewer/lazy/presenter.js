/**
 * All that a viewer needs once a toast is there: countdowns, holds, gestures, preferences, history, the bar and the panel,
 * the way into dialogs. Loaded when the first toast is on the screen, or before, when what is known of the page or of
 * the person decides how it comes.
 *
 * @import { Card } from "../card.js"
 * @import { makeIcon } from "../icons.js"
 * @import { ChannelConnection } from "../connection.js"
 * @import { Prelude } from "../prelude.js"
 * @import { Screen } from "../screen.js"
 * @import { ViewState } from "../view.d.ts"
 * @import { Localizer } from "../localizer.js"
 * @import { Action, Connection, Envelope, Haptic, Placement, Toast } from "../wire.d.ts"
 *
 * @typedef {object} Means
 * @property {HTMLElement & { holds: string, hotkey: string, dismissAll(): void }} host
 * @property {ShadowRoot} root
 * @property {Screen} screen
 * @property {ChannelConnection} connection
 * @property {Localizer} localizer
 * @property {(root: ShadowRoot, name: string) => Promise<void>} adopt - gets a sheet
 * @property {typeof makeIcon} makeIcon
 * @property {ReadonlyMap<string, unknown>} registered - the page's own styles
 * @property {() => URL} server - its address
 * @property {() => void} listen - ask for the stream anew
 * @property {() => void} schedule - draw soon
 */

import { catchUp, reduce } from "./changes.js";
import { Desk } from "./desk.js";
import { makeSwipeable, offer, swipeRule, touchAction } from "./gestures.js";
import { vibrate } from "./haptics.js";
import { History } from "./history.js";
import { Holds, followHand } from "./holds.js";
import { DisplayTimers } from "./display-timers.js";
import { Layers } from "./layers.js";
import { LanguageObserver } from "./language-observer.js";
import { replay } from "./replay.js";
import { Stage } from "./stage.js";
import { Tailor, preferences } from "./preferences.js";
import { wordsIn } from "./messages.js";

/** Toasts that are on the screen at a time, unless the page or the channel wants fewer, or a person more. */
const roomy = 10;
const expanded = 100;

/**
 * How many toasts are on the screen at a time: the page's word goes before the channel's.
 *
 * @param {Element} element
 * @param {unknown} ofChannel
 */
function roomOf(element, ofChannel) {
  const wanted = element.getAttribute("max");
  const max = Number(wanted ?? ofChannel);
  return max >= 1 ? Math.min(max, wanted === null ? roomy : expanded) : roomy;
}

const portrait = matchMedia("(orientation: portrait)");

export class Presenter {
  history = new History();
  reduce = reduce;
  stage;
  desk;
  #means;
  #timers = new DisplayTimers();
  #holds;
  #layers;
  #tailor = new Tailor();
  /** @type {ViewState | undefined} */
  #state;
  #isExpanded = false;
  #listening = new AbortController();
  /** @type {WeakSet<Element>} */
  #swipeable = new WeakSet();
  #languageObserver;

  /** @param {Means} means */
  constructor(means) {
    this.#means = means;
    this.stage = new Stage(means.screen);
    this.#languageObserver = new LanguageObserver(means);
    const { host, root, screen, connection, localizer, adopt, makeIcon, registered, server, schedule } = means;
    this.#holds = new Holds(connection, () => host.holds === "shared", (reasons) => {
      this.#timers.hold(host.holds === "off" ? new Set() : reasons, performance.now());
      schedule();
    });
    this.desk = new Desk({
      root, adopt, makeIcon, registered, server,
      layer: screen.layer,
      shelf: this.stage.shelf,
      history: this.history,
      store: preferences,
      words: () => ({ say: wordsIn(localizer.language, localizer.learned), language: localizer.language }),
      expand: () => { this.#isExpanded = true; schedule(); },
      pause: () => { this.isPaused = !this.isPaused; },
      clear: () => host.dismissAll(),
      read: () => { this.history.read(); schedule(); },
    });
    // A live region that still has words in it would say them again where it arrives.
    this.#layers = new Layers(host, () => screen.announcer.empty(), () => screen.raise());
    screen.announcer.summary = (n) => this.#counted("summary", n);
    adopt(root, "stage").then(() => this.stage.shelf.refresh());
    followHand(screen.region, this.#holds);
    screen.attend = (card, toast) => this.#attend(card, toast);
    const { act } = screen.person;
    screen.person.act = (id, action) => action.dismisses === undefined ? act(id, action) : this.#press(id, action);
    this.stage.shelf.turned = () => {
      for (const { card, entry } of screen.shown.values()) { this.#attend(card, entry.toast); }
    };
    this.stage.shelf.turned();
  }

  /** How much longer than the server says this person wants to see toasts. */
  get scale() { return this.#timers.scale; }

  get isPaused() { return preferences.current.isPaused; }
  set isPaused(isPaused) { preferences.change({ isPaused }); }

  /** Whether the viewer was taken from its place only to come to another one. */
  get isMoving() { return this.#layers.isMoving || this.#layers.rescue(); }

  /**
   * Catch up with what was before.
   *
   * @param {Prelude} past
   * @param {ViewState} state - of what came and went
   * @returns {ViewState} with what changed
   */
  begin(past, state) {
    const { envelopes, touches, seen, wasHidden, isPaused = this.isPaused } = past;
    // It is ours now.
    past.envelopes = past.touches = [];
    // It opens when somebody is there, and says what was missed.
    if (wasHidden) { this.#timers.close(); }
    if (isPaused !== this.isPaused) { this.isPaused = isPaused; }
    for (const envelope of envelopes) { this.#remember(envelope); }
    state = catchUp(state, envelopes);
    this.history.see(seen.keys());
    this.#timers.scale = this.#wantedScale;
    // Those, too, whose time was over before we came: nobody has seen them.
    const all = envelopes.flatMap((event) => reduce({ ...state, presented: [] }, event).presented);
    this.#state = { ...state, presented: all.filter(({ toast }) => !seen.has(toast.id)) };
    this.#settle();
    this.#state = state;
    this.#settle(seen);
    const there = new Set(this.stage.ids);
    for (const id of seen.keys()) { if (!there.has(id)) { this.#timers.dismiss(id); } }
    this.#timers.isAway = this.#means.connection.connection === "offline";
    replay(touches);
    return state;
  }

  /** Let a card be swiped and tapped. @param {Card} card @param {Toast} toast */
  #attend({ element, surface }, { id, placement }) {
    const { screen } = this.#means;
    // Where it stands counts: it may have made way to another edge.
    const rule = () => swipeRule(screen.settings, /** @type {Placement} */ (element.parentElement?.dataset.placement ?? placement));
    // What is left to the browser has to be known before the finger comes.
    element.style.touchAction = touchAction(rule());
    offer(surface, screen.settings);
    if (this.#swipeable.has(element)) { return; }
    this.#swipeable.add(element);
    makeSwipeable(element, {
      rule,
      start: () => this.#holds.add("drag"),
      accept: () => screen.person.close(id, "swipe"),
      end: () => this.#holds.removeSoon("drag"),
      tap: () => { if (screen.settings.gestures?.tap === "dismiss") { screen.person.close(id, "tap"); } },
    });
  }

  /** Tell of an action that leaves its toast where it is. What comes of it, the server says. @param {string} id @param {Action} action */
  #press(id, action) {
    const { screen, connection } = this.#means;
    const { isEnded = true, isLeaving = true } = screen.shown.get(id)?.card ?? {};
    if (isEnded || isLeaving || !screen.person.tell("toast-action", { id, action }, true)) { return; }
    connection.send("POST", `toasts/${id}/actions/${encodeURIComponent(action.id)}`);
  }

  /** The viewer is in the page. */
  up() {
    const { screen } = this.#means;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    preferences.addEventListener("change", this.#wish, { signal });
    portrait.addEventListener("change", this.#turn, { signal });
    for (const type of ["focusin", "focusout"]) { document.addEventListener(type, this.#makeWay, { signal }); }
    if (document.activeElement !== document.body) { this.#makeWay(); }
    if (screen.layer.popover) { this.#layers.watch(); }
    this.#languageObserver.watch();
    this.look();
    this.#wish();
  }

  down() {
    this.#listening.abort();
    this.#layers.unwatch();
    this.#languageObserver.unwatch();
  }

  /** The channel is another one, or none. */
  shut() {
    if (this.#means.screen.region.matches(":focus-within")) { this.stage.shelf.giveBackFocus(); }
    this.#holds.letGo();
    this.#holds.share([]);
    this.#state = undefined;
    this.#timers.clear();
    this.history.clear();
    this.desk.close();
  }

  /**
   * @param {Envelope} envelope
   * @param {ViewState} state - with it
   */
  take(envelope, state) {
    this.#state = state;
    this.#remember(envelope);
    this.#settle();
  }

  /** @param {Envelope} envelope */
  #remember(envelope) {
    this.history.take(envelope);
    if (envelope.type === "snapshot" && !this.#means.connection.isFirst) {
      console.warn(`Several toast viewers of this page show "${envelope.channel}": only the first one speaks.`);
    }
  }

  /** @param {Map<string, number>} [seen] */
  #settle(seen) {
    if (!this.#state) { return; }
    const { presented, exits } = this.#state;
    const wanted = preferences.current.isQuiet ? presented.filter(({ toast }) => toast.role === "error") : presented;
    this.#timers.update({ presented: wanted, exits }, performance.now(), seen);
  }

  /**
   * @param {ViewState} state
   * @returns {number} milliseconds until a toast here is over by itself
   */
  draw({ settings, exits }) {
    const now = performance.now();
    this.#timers.limit = this.#isExpanded ? expanded : roomOf(this.#means.host, settings.maxVisible);
    const view = this.#timers.view(now);
    if (this.#timers.isEmpty) {
      this.#isExpanded = false;
      // What had them is gone, and does not say so.
      this.#holds.letGo();
    }
    const presented = view.presented.map((entry) => this.#tailor.dress(entry));
    // What was over before we came, the keeper does not know.
    this.stage.render({ ...view, settings, presented, exits: [...view.exits, ...exits] });
    this.history.see(view.presented.map(({ toast }) => toast.id));
    this.#holds.share(this.#timers.live);
    this.desk.update({
      count: view.presented.length, more: view.more.size, isPaused: this.isPaused, unread: this.history.unreadBeside(view.more),
    });
    return this.#timers.next(now);
  }

  /** A person has dismissed a toast. @param {string} id */
  dismiss(id) { this.#timers.dismiss(id); }

  /** The server did not hear of it. @param {string} id */
  comeBack(id) {
    this.#timers.dismiss(id, false);
    this.stage.comeBack(id);
  }

  /** @param {Haptic} [haptic] */
  feel(haptic) {
    const { host, connection } = this.#means;
    if ((preferences.current.vibrates ?? host.hasAttribute("vibrate")) && connection.isHeard) { vibrate(haptic); }
  }

  /** @param {Connection} state */
  connect(state) {
    if (state === "connecting") { return; }
    this.#timers.isAway = state === "offline";
    if (this.#timers.isAway) { this.#means.schedule(); }
    if (state === "open") { this.#languageObserver.learn(); }
  }

  /** The page is seen, or no longer. */
  look() {
    this.#holds.set("hidden", document.hidden);
    this.#gate();
  }

  // Only when the page has scrolled to it, it is known where it is.
  #makeWay = () => { requestAnimationFrame(() => this.stage.shelf.clear()); };

  /** So many toasts, and how to get to them. @param {"missed" | "summary"} word @param {number} n */
  #counted(word, n) {
    const { language, learned, hint } = this.#means.localizer;
    const words = wordsIn(language, learned)(word, { n });
    return hint ? `${words}: ${hint}` : words;
  }

  get #wantedScale() {
    const { scale } = preferences.current;
    return scale === "never" ? 10 : scale;
  }

  #wish = () => {
    const { connection, listen, schedule } = this.#means;
    const { scale, isPaused } = preferences.current;
    this.#holds.set("pause", isPaused);
    this.#holds.set("never", scale === "never");
    this.#tailor = new Tailor();
    this.#timers.scale = this.#wantedScale;
    // What is on the screen stays until the stream has said what is.
    if (connection.manner?.scale !== this.#timers.scale && connection.isOpen) { listen(); }
    this.#settle();
    this.#gate();
    schedule();
  };

  /** The screen was turned: everything looks different now, so everything has its full time again (Toaster). */
  #turn = () => {
    this.#timers.restart(performance.now());
    this.#means.schedule();
  };

  /** While nobody can see new toasts, or somebody does not want to, they wait; then they come, but not as a flood. */
  #gate() {
    const { host, screen, schedule } = this.#means;
    if (host.holds !== "off" && (document.hidden || this.isPaused)) { return this.#timers.close(); }
    const unseen = this.#timers.open(performance.now());
    const count = Math.max(unseen.length, this.history.unread);
    if (unseen.length && count > 1) {
      for (const { toast, spoken } of unseen) { this.stage.news.skip(toast.id, spoken); }
      screen.announcer.say(this.#counted("missed", count));
    }
    schedule();
  }
}
