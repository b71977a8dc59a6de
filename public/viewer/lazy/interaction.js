/**
 * What a person can do with toasts besides closing and focusing them: swipes, the toolbar and its panel, shared holds.
 * Also keeps toasts in reach of dialogs, off the page's focus, and in the page's language. Loaded with the first toast,
 * which does not wait for it.
 *
 * @import { Card } from "../card.js"
 * @import { DisplayTimers } from "../display-timers.js"
 * @import { ToastLifecycle } from "./toast-lifecycle.js"
 * @import { Localizer } from "../localizer.js"
 * @import { Means, Presented as Entry } from "../view.d.ts"
 * @import { makeIcon } from "../icons.js"
 * @import { wayOut } from "../layout.js"
 * @import { PreferenceStore } from "../preferences.js"
 * @import { Summary } from "./controls.js"
 * @import { Answers } from "./answers.js"
 * @import { Haptic, PersonsReason, Placement, Settings, Toast } from "../wire.d.ts"
 *
 * @typedef {object} Dependencies - given, because they exist once and a bundle of this part would copy them
 * @property {ToastLifecycle} lifecycle
 * @property {PreferenceStore} preferences
 * @property {(root: ShadowRoot, name: string) => Promise<void>} adopt - gets a sheet
 * @property {typeof makeIcon} makeIcon
 * @property {ReadonlyMap<string, unknown>} registered - the page's own styles
 * @property {typeof wayOut} wayOut
 * @property {Answers["post"]} post
 * @property {DisplayTimers} timers
 * @property {() => number} maxVisible - the limit while the list is not expanded
 */

import { Toolbar } from "./toolbar.js";
import { makeSwipeable, offer, sideOf, swipeRule, touchAction } from "./gestures.js";
import { vibrate } from "./haptics.js";
import { followKeys } from "./keyboard.js";
import { sparePopovers } from "./popovers.js";
import { LanguageObserver } from "./language-observer.js";
import { Layers } from "./layers.js";
import { wordsIn } from "./messages.js";
import { SharedHolds } from "./shared-holds.js";
import { join, leave } from "./neighbours.js";
import { fold, liveOf, restart } from "./timer-controls.js";
import { ToastLayout } from "./toast-layout.js";

const portrait = matchMedia("(orientation: portrait)");

/** Mark our own words with their language. @param {Localizer} localizer @param {ParentNode} place @param {string} selector */
function mark({ say }, place, selector) {
  for (const it of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll(selector))) { it.lang = say("lang"); }
}

export class Interaction {
  toolbar;
  languages;
  /** Whether a person has asked to see all toasts. */
  isExpanded = false;
  #means;
  #dependencies;
  #layers;
  #layout;
  #sharedHolds;
  #listening = new AbortController();
  /** Whether the viewer was removed with a popover around it; then it returns to its place. */
  #leavesPopover = () => false;
  /** The channels that an earlier viewer of this page shows, too. @type {Set<string>} */
  #doubled = new Set();
  /** The elements that have listeners for swipes. @type {WeakSet<Element>} */
  #swipeable = new WeakSet();

  /** @param {Means} means @param {Dependencies} dependencies */
  constructor(means, dependencies) {
    this.#means = means;
    this.#dependencies = dependencies;
    const { host, root, screen, localizer, server } = means;
    const { lifecycle, preferences, adopt, makeIcon, registered, wayOut } = dependencies;
    const { history, schedule } = screen.presenter;
    const layout = new ToastLayout(screen.region, screen.lists, lifecycle, wayOut);
    this.#layout = screen.layout = layout;
    this.#sharedHolds = new SharedHolds(dependencies.post);
    const { polite, assertive } = screen.announcer;
    // A live region that still has words in it would say them again where it arrives.
    this.#layers = new Layers(host, () => { for (const it of [polite, assertive]) { it.replaceChildren(); } }, () => screen.raise());
    this.languages = new LanguageObserver(means);
    this.toolbar = new Toolbar({
      root, adopt, makeIcon, registered, server, layout, history, focusOrigin: screen.focusOrigin,
      expand: (isExpanded) => this.#expand(isExpanded),
      layer: screen.layer,
      store: preferences,
      words: () => ({
        say: wordsIn(localizer.language, localizer.learned), language: localizer.language,
        // The language of words that are only the viewer's own: the server has none for them.
        lang: wordsIn(localizer.language)("lang"),
      }),
      pause: () => preferences.change({ isPaused: !preferences.current.isPaused }),
      clear: () => host.dismissAll(),
      read: () => { history.see(history.all.map(({ id }) => id)); schedule(); },
    });
    layout.refresh();
    adopt(root, "stage").then(() => layout.restyle());
    this.#name();
    followKeys(screen, lifecycle);
    layout.turned = () => this.#attendAll();
    screen.attend = (card, toast) => this.#attend(card, toast);
    this.#attendAll();
  }

  /** Whether the viewer is removed only to be inserted elsewhere. */
  get isMoving() { return this.#layers.isMoving || this.#layers.rescue() || this.#leavesPopover(); }

  /** The viewer was connected. */
  up() {
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const { host, screen } = this.#means;
    this.#leavesPopover = sparePopovers(host, screen.region, signal);
    for (const type of ["focusin", "focusout"]) { document.addEventListener(type, this.#makeWay, { signal }); }
    document.addEventListener("focusout", this.#lose, { signal });
    portrait.addEventListener("change", this.#turn, { signal });
    if (document.activeElement !== document.body) { this.#makeWay(); }
    this.#layers.watch();
    this.languages.watch();
    join(screen.region, () => this.#layout.refresh());
  }

  down() {
    leave(this.#means.screen.region);
    this.#listening.abort();
    this.#layers.unwatch();
    this.languages.unwatch();
  }

  /** The viewer's words have changed. */
  renew() {
    this.#name();
    this.toolbar.renew();
  }

  #name() { mark(this.#means.localizer, this.#means.root, "[part=region], [part=connection]"); }

  /** The channels have changed, or there are none. The focus goes back to where it was, unless it is in a toast. */
  shut() {
    const { focusOrigin, region, shown } = this.#means.screen;
    this.#sharedHolds.share([]);
    this.toolbar.close();
    if (region.matches(":focus-within") && ![...shown.values()].some(({ card }) => card.hasFocus)) { focusOrigin.giveBack(); }
  }

  /**
   * @param {Omit<Summary, "isNews" | "isExpanded">} summary
   * @param {readonly Entry[]} presented - without those that are over
   */
  update(summary, presented) {
    const { screen } = this.#means;
    const live = liveOf(this.#dependencies.timers);
    this.#layout.move = screen.motion?.move;
    this.#layout.isCollapsible = (this.#means.host.getAttribute("stack") || screen.settings.stack) === "collapsed";
    this.#warn();
    this.#layers.check();
    this.#layers.follow();
    if (!summary.count && !summary.more) { this.isExpanded = false; }
    this.toolbar.update({ ...summary, isExpanded: this.isExpanded });
    this.#dim(presented.findLast(({ toast }) => toast.dimsBackground)?.toast, screen.settings);
    this.#sharedHolds.share(this.#means.host.holds === "shared" && this.#dependencies.lifecycle.touches.isTouched ? live : [], live);
  }

  #warn() {
    const { connection } = this.#means;
    for (const [channel] of connection.channels) {
      if (connection.isFirst(channel) || this.#doubled.has(channel)) { continue; }
      this.#doubled.add(channel);
      console.warn(`Several toast viewers of this page show "${channel}": only the first one speaks.`);
    }
  }

  /** @param {Haptic} haptic @param {string} channel */
  feel(haptic, channel) {
    const { connection, host } = this.#means;
    const isWanted = this.#dependencies.preferences.current.vibrates ?? host.hasAttribute("vibrate");
    if (isWanted && connection.isHeard(channel)) { vibrate(haptic); }
  }

  /** @param {boolean} isExpanded */
  #expand(isExpanded) {
    const { maxVisible, timers } = this.#dependencies;
    this.isExpanded = isExpanded;
    if (!isExpanded) {
      timers.limit = maxVisible();
      fold(timers);
    }
    this.#means.screen.presenter.schedule();
  }

  #turn = () => {
    restart(this.#dependencies.timers, performance.now());
    this.#means.screen.presenter.schedule();
  };

  /**
   * Dim the page, in the colour that the newest toast or the channel has for it.
   *
   * @param {Toast | undefined} toast - the newest one that dims the page, if there is one
   * @param {Settings} settings
   */
  #dim(toast, settings) {
    const { layer } = this.#means.screen;
    layer.toggleAttribute("data-dimmed", toast !== undefined);
    // The colour stays while the dimming fades out.
    if (!toast) { return; }
    if (!settings.appearance?.dimming && !toast.appearance?.dimming) { return layer.style.setProperty("--set-dim", ""); }
    // It is loaded already: the toast was drawn with it.
    import("./theme-properties.js").then(({ appearanceOf, dimmed }) => layer.style.setProperty("--set-dim", dimmed(appearanceOf(settings, toast))), () => {});
  }

  // In the next frame, when the page has scrolled to the focus.
  #makeWay = () => { requestAnimationFrame(() => this.#layout.clear()); };

  #lose = (/** @type {Event} */ event) => {
    const { root, screen: { focusOrigin, shown } } = this.#means;
    const lost = event.composedPath();
    focusOrigin.lost = lost;
    // An element that is drawn anew has the focus again by then. If the focus left the toasts, its origin is outdated.
    setTimeout(() => { if (!root.activeElement) { focusOrigin.origin = undefined; } });
    if (!document.querySelector(":modal")) { return; }
    // A dialog that opens gives the focus back when it is closed, so the toast that lost it has to be focusable.
    for (const { card: { surface } } of shown.values()) { if (surface === lost[0]) { surface.tabIndex = -1; } }
  };

  #attendAll() {
    for (const { card, entry } of this.#means.screen.shown.values()) { this.#attend(card, entry.toast); }
  }

  /** Let a card be swiped and tapped, and mark the languages of its words. @param {Card} card @param {Toast} toast */
  #attend({ element, surface }, { id, placement }) {
    const { localizer, screen } = this.#means;
    const { touches } = this.#dependencies.lifecycle;
    // The publisher's words: the server was asked for them in this language.
    element.lang = localizer.language;
    mark(localizer, surface, "[part=prefix], [part=progress], [part=close], [data-automatic]");
    const close = (/** @type {PersonsReason} */ reason) => screen.presenter.close(id, reason);
    // The present edge counts, not the toast's placement: the list may have made way. It may also scroll.
    const rule = () => {
      const list = element.parentElement;
      const edge = /** @type {Placement} */ (list?.dataset.placement ?? placement);
      return swipeRule(screen.settings, edge, sideOf(element), list?.hasAttribute("data-crowded"));
    };
    // Browsers read `touch-action` when a touch begins.
    element.style.touchAction = touchAction(rule());
    offer(surface, screen.settings);
    if (this.#swipeable.has(element)) { return; }
    this.#swipeable.add(element);
    makeSwipeable(element, {
      rule,
      start: () => touches.add("drag"),
      accept: () => close("swipe"),
      end: () => touches.removeSoon("drag"),
      tap: () => { if (screen.settings.gestures?.tap === "dismiss") { close("tap"); } },
    });
  }
}
