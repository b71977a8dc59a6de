/**
 * Toasts that the page itself shows: an engine, a clock, and what is called when a person answers.
 *
 * @import { LocalOptions } from "../../toast-viewer.d.ts"
 * @import { PreferenceStore } from "../preferences.js"
 * @import { Presenter } from "../presenter.js"
 * @import { Means, Presented, ViewState } from "../view.d.ts"
 * @import { Envelope, Haptic, Progress, Reason, Role, Settings, Toast } from "../wire.d.ts"
 * @import { LocalEvent, LocalToast } from "./engine-rules.js"
 */

import { durationOf } from "./durations.js";
import { EngineError, LocalEngine } from "./local-engine.js";

export { follow } from "./follow.js";

/** Who holds what a person looks at. */
const holder = "viewer";

/** What a page's own toasts look and behave like, unless it or the channel beside them says otherwise. @type {Settings} */
const usual = {
  mode: "stack", maxVisible: 3, style: "glass", placement: "top", duration: 6, closeButton: true,
  haptics: { success: "success", error: "error", warning: "warning", info: "light" },
};

/** Milliseconds, as exact as the page's clock and never going back. */
const now = () => Math.round(performance.timeOrigin + performance.now());

/** What toasts may not have; they get the usual then. @type {Record<string, RegExp>} */
const known = { role: /^(info|success|warning|error)$/, placement: /^(top|center|bottom)$/, style: /./ };

/** Progress as the server has it: never beyond its total. @param {LocalOptions["progress"]} progress @returns {Progress | undefined} */
function progressOf(progress) {
  if (typeof progress !== "number" && !(progress && "value" in progress)) { return progress; }
  const { value, total = 1, ...rest } = typeof progress === "number" ? { value: progress } : progress;
  return { ...rest, value: Math.min(Math.max(value, 0), total), total };
}

export class LocalChannel {
  #engine;
  #presenter;
  #means;
  #preferences;
  #isClosed = false;
  #settings = usual;
  /** What the server's first channel sets. @type {Settings | undefined} */
  #served;
  /** What the settings were made of. */
  #sources = "";
  #isHeld = false;
  /** Whether toasts of a server have the screen. */
  #isBlocked = false;
  /** When the screen is free for the server's, after a toast from here. */
  #freeAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What is called for an action, by toast and action. @type {Map<string, Map<string, (() => void) | undefined>>} */
  #presses = new Map();
  /** The toasts that were repeated, by the ids of their repetitions: a page may not know yet that it repeats one. @type {Map<string, string>} */
  #repeated = new Map();

  /** @param {Presenter} presenter @param {Means} means @param {PreferenceStore} preferences */
  constructor(presenter, means, preferences) {
    this.#presenter = presenter;
    this.#means = means;
    this.#preferences = preferences;
    this.#engine = new LocalEngine(usual);
    this.#configure(usual);
  }

  /** @param {Settings} settings */
  #configure(settings) {
    this.#settings = settings;
    this.#do(() => this.#engine.configure(settings, now()));
  }

  /**
   * Toasts of the server have settings that hold here, too, and have the screen for themselves, where one comes after the
   * other. The page's `max` goes before these settings, and a person may want to see toasts for longer.
   *
   * @param {ReadonlyMap<string, ViewState>} states - by channel
   * @param {readonly Presented[]} entries - what is shown, or waits to be
   */
  beside(states, entries) {
    const [, first] = [...states].find(([channel]) => channel) ?? [];
    // Until another channel has said what its settings are, those of the one before hold.
    if (first || !this.#means.connection.isOpen) { this.#served = first?.settings; }
    const max = Number(this.#means.host.getAttribute("max"));
    const ofPage = max >= 1 ? { maxVisible: max } : {};
    const settings = { ...usual, ...this.#served, ...ofPage, scale: this.#preferences.scale };
    const sources = JSON.stringify(settings);
    if (sources !== this.#sources) {
      this.#sources = sources;
      this.#configure(settings);
    }
    const isBlocked = entries.some(({ toast }) => toast.channel !== "" && this.admits(toast));
    if (isBlocked === this.#isBlocked) { return; }
    this.#isBlocked = isBlocked;
    this.#do(() => this.#engine.block(isBlocked ? Infinity : now() + this.#engine.gap, now()));
  }

  /** Whether a toast may come now, with what is shown from here. @param {Toast} toast */
  admits(toast) {
    return toast.channel === "" || this.#settings.mode === "stack" || !this.#engine.presented.length && now() >= this.#freeAt;
  }

  /** @param {string} id */
  has(id) { return this.#find(id) !== undefined; }

  /** The id that a toast would have: that of the toast that it repeats, else its own. @param {string} id @param {LocalOptions} options */
  idOf(id, options) { return this.#engine.idOf(this.#toastOf(id, options)); }

  /**
   * @param {string} id
   * @param {LocalOptions} options
   * @param {string} [told] - the id that the page got, of a toast that may have gone since
   */
  show(id, options, told = id) {
    const toast = this.#toastOf(id, options);
    this.#do(() => this.#engine.enqueue([toast], now()));
    const shownAs = this.#engine.idOf(toast);
    if (shownAs === id) { this.#repeated.delete(id); } else { this.#repeated.set(id, shownAs); }
    if (!this.has(told)) { this.#repeated.set(told, shownAs); }
    const shown = this.#find(id);
    // The toast that it repeats may have kept its own buttons.
    if (shown && JSON.stringify(shown.actions) === JSON.stringify(toast.actions)) { this.#answer(shownAs, toast, options); }
  }

  /** @param {string} id @param {LocalOptions} options @returns {boolean} whether it is still there */
  update(id, options) {
    const shown = this.#find(id);
    if (!shown) { return false; }
    const patch = this.#understood(options);
    if ("actions" in options) { this.#answer(shown.id, patch, options); }
    this.#do(() => this.#engine.update(shown.id, patch, now()));
    return true;
  }

  /** @param {string | undefined} id - without it, all @param {Reason} reason @returns {boolean} whether it was there */
  dismiss(id, reason) {
    const shown = id === undefined ? undefined : this.#find(id);
    this.#do(() => id === undefined ? this.#engine.clear(now()) : this.#engine.dismiss(shown?.id ?? id, reason, now()));
    return shown !== undefined;
  }

  /** @param {string} id @returns {LocalToast | undefined} */
  #find(id) {
    const shownAs = this.#repeated.get(id) ?? id;
    return [...this.#engine.presented, ...this.#engine.queued].find((it) => it.id === shownAs);
  }

  /** From now on a toast's buttons call these functions. @param {string} id @param {Partial<LocalToast>} toast @param {LocalOptions} options */
  #answer(id, { actions }, options) {
    this.#presses.set(id, new Map(actions?.map((action, index) => [action.id, options.actions?.[index].onPress])));
  }

  /** Do what would have been sent to a server. @param {string} id @param {string} path @param {{ dismissReason?: Reason }} [body] */
  perform(id, path, body) {
    if (body?.dismissReason) {
      this.dismiss(id, body.dismissReason);
      return true;
    }
    const action = decodeURIComponent(path.replace("actions/", ""));
    const press = this.#presses.get(id)?.get(action);
    this.#do(() => this.#engine.act(id, action, now()));
    press?.();
    return true;
  }

  /** No time runs, or it does again. @param {boolean} isHeld */
  hold(isHeld) {
    if (isHeld === this.#isHeld) { return; }
    this.#isHeld = isHeld;
    for (const { id } of this.#engine.presented) { this.#holdOne(id); }
  }

  close() {
    clearTimeout(this.#timer);
    this.#isClosed = true;
  }

  /** @param {string} id */
  #holdOne(id) {
    this.#do(() => this.#isHeld ? this.#engine.hold(id, holder, now()) : this.#engine.release(id, holder, now()));
  }

  /** @param {string} id @param {LocalOptions} options */
  #toastOf(id, options) {
    const { style = "glass", placement = "top", duration = 6 } = this.#settings;
    const toast = /** @type {LocalToast} */ ({
      channel: "", revision: 1, state: "queued", role: "info", style, placement, duration, createdAt: "",
      ...this.#understood(options), id,
    });
    if (options.title === undefined && this.#settings.title === "none") { toast.title = null; }
    return toast;
  }

  /** A toast's members as the server would have them. @param {LocalOptions} options */
  #understood(options) {
    const { actions, duration, progress, title, ...members } = options;
    /** @type {Partial<LocalToast>} */
    const toast = members;
    // A page may send back a toast that an event gave it.
    for (const name of ["id", "channel", "revision", "state", "createdAt", "presentedAt"]) { Reflect.deleteProperty(toast, name); }
    for (const [name, values] of Object.entries(known)) {
      if (name in toast && !values.test(Reflect.get(toast, name) ?? "")) { Reflect.deleteProperty(toast, name); }
    }
    // A duration that is there but undefined or invalid, as in an update, becomes the channel's.
    if ("duration" in options) { toast.duration = durationOf(duration) ?? this.#settings.duration ?? 6; }
    if ("title" in options) { toast.title = typeof title === "object" && title && "automatic" in title ? undefined : title; }
    // An action without an id has its place as one; more, where another action has that id.
    /** @type {(id: string) => string} */
    const free = (id) => actions?.some((action) => action.id === id) ? free(`${id}_`) : id;
    // A member that is there without a value is taken away.
    if ("actions" in options) {
      toast.actions = actions?.map(({ onPress, ...action }, index) => ({ ...action, id: action.id ?? free(`${index}`) }));
    }
    if ("progress" in options) { toast.progress = progressOf(progress); }
    return toast;
  }

  /** What a hand is to feel when a toast comes; nothing, where there is none. @param {LocalToast} toast */
  #hapticOf({ haptic, role }) {
    const settings = /** @type {{ haptic?: Haptic, haptics?: Partial<Record<Role, Haptic>> }} */ (this.#settings);
    const asked = haptic ?? settings.haptic ?? "automatic";
    const felt = asked === "automatic" ? settings.haptics?.[role] : asked;
    return felt === "none" ? undefined : felt;
  }

  /**
   * Tell what happens, and be there for what happens next.
   *
   * @param {() => LocalEvent[]} change
   */
  #do(change) {
    if (this.#isClosed) { return; }
    clearTimeout(this.#timer);
    const events = [];
    try {
      events.push(...this.#engine.tick(now()));
      events.push(...change());
    } catch (error) {
      // What the rules refuse does not happen; all else is a fault of the page's.
      if (!(error instanceof EngineError)) { throw error; }
    }
    const next = this.#engine.nextDeadline;
    // A browser's timer is not longer than 24 days.
    if (next < Infinity) { this.#timer = setTimeout(() => this.#do(() => []), Math.min(1e9, next - now())); }
    for (const { at, ...event } of events) {
      if (event.type === "dismissed") {
        this.#presses.delete(event.id);
        for (const [id, shownAs] of this.#repeated) { if (shownAs === event.id) { this.#repeated.delete(id); } }
        this.#freeAt = at + this.#engine.gap;
        setTimeout(this.#presenter.schedule, this.#freeAt - now());
      }
      const haptic = event.type === "presented" ? this.#hapticOf(event.toast) : undefined;
      this.#means.receive(/** @type {Envelope} */ ({ channel: "", cursor: "", at: new Date(at).toISOString(), haptic, ...event }));
    }
    if (!this.#isHeld) { return; }
    for (const event of events) { if (event.type === "presented") { this.#holdOne(event.toast.id); } }
  }
}
