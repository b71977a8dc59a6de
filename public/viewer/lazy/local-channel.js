/**
 * The page's own toasts: an engine, its clock, and the functions that their actions call.
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

/** The holder's name while this viewer has a hold reason. */
const holder = "viewer";

/** The settings, unless the page or the server's first channel says otherwise. @type {Settings} */
const usual = {
  mode: "stack", maxVisible: 3, style: "glass", placement: "top", duration: 6, closeButton: true,
  haptics: { success: "success", error: "error", warning: "warning", info: "light" },
};

/** Milliseconds since 1970, monotonic. */
const now = () => Math.round(performance.timeOrigin + performance.now());

/** The valid values; a toast with another one gets the default. @type {Record<string, RegExp>} */
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
  /** The settings of the server's first channel, if there is one. @type {Settings | undefined} */
  #served;
  /** The settings as JSON, to notice a change. */
  #sources = "";
  #isHeld = false;
  /** Whether toasts of a server have the screen. */
  #isBlocked = false;
  /** When the screen is free for toasts of the server, after a local one, in ms. */
  #freeAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Functions of actions, by toast and action. @type {Map<string, Map<string, (() => void) | undefined>>} */
  #presses = new Map();
  /**
   * Ids of toasts by the ids of their duplicates: a page may use the id that it gave to a duplicate.
   *
   * @type {Map<string, string>}
   */
  #repeated = new Map();

  /** @param {Presenter} presenter @param {Means} means @param {PreferenceStore} preferences */
  constructor(presenter, means, preferences) {
    this.#presenter = presenter;
    this.#means = means;
    this.#preferences = preferences;
    this.#engine = new LocalEngine(usual);
  }

  /** @param {Settings} settings */
  #configure(settings) {
    this.#settings = settings;
    this.#do(() => this.#engine.configure(settings, now()));
  }

  /**
   * Follow the server's channels. The settings of the first one hold here, too, overridden by the page's `max` and a
   * person's scale. In modes that show one toast after the other, local toasts wait for those of the server.
   *
   * @param {ReadonlyMap<string, ViewState>} states - by channel
   * @param {readonly Presented[]} entries - the toasts that are shown or wait
   */
  beside(states, entries) {
    const [, first] = [...states].find(([channel]) => channel) ?? [];
    // While a channel has not sent its settings, those of the one before hold.
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

  /** Whether a toast may come now, beside the local ones. @param {Toast} toast */
  admits(toast) {
    return toast.channel === "" || this.#settings.mode === "stack" || !this.#engine.presented.length && now() >= this.#freeAt;
  }

  /** @param {string} id */
  has(id) { return this.#find(id) !== undefined; }

  /** The id of the toast that it would repeat, else its own. @param {string} id @param {LocalOptions} options */
  idOf(id, options) { return this.#engine.idOf(this.#toastOf(id, options)); }

  /**
   * @param {string} id
   * @param {LocalOptions} options
   * @param {string} [told] - the id that `show` has returned to the page; its toast may have gone meanwhile
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

  /** @param {string} id @param {LocalOptions} options @returns {boolean} whether the toast is still there */
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

  /** Set its actions' functions. @param {string} id @param {Partial<LocalToast>} toast @param {LocalOptions} options */
  #answer(id, { actions }, options) {
    this.#presses.set(id, new Map(actions?.map((action, index) => [action.id, options.actions?.[index].onPress])));
  }

  /**
   * Carry out a request that would go to the server for a channel's toast.
   *
   * @param {string} id
   * @param {string} path
   * @param {{ dismissReason?: Reason }} [body]
   */
  perform(id, path, body) {
    if (body?.dismissReason) {
      this.dismiss(id, body.dismissReason);
      return;
    }
    const action = decodeURIComponent(path.replace("actions/", ""));
    const press = this.#presses.get(id)?.get(action);
    this.#do(() => this.#engine.act(id, action, now()));
    press?.();
  }

  /** Stop all countdowns, or let them go on. @param {boolean} isHeld */
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

  /** A toast's members as the server would understand them. @param {LocalOptions} options */
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
    // An action without an id gets its index as its id, with "_" appended while another action has that id.
    /** @type {(id: string) => string} */
    const free = (id) => actions?.some((action) => action.id === id) ? free(`${id}_`) : id;
    // A member that is present but undefined removes the toast's.
    if ("actions" in options) {
      toast.actions = actions?.map(({ onPress, ...action }, index) => ({ ...action, id: action.id ?? free(`${index}`) }));
    }
    if ("progress" in options) { toast.progress = progressOf(progress); }
    return toast;
  }

  /** The resolved haptic of a toast; undefined for none. @param {LocalToast} toast */
  #hapticOf({ haptic, role }) {
    const settings = /** @type {{ haptic?: Haptic, haptics?: Partial<Record<Role, Haptic>> }} */ (this.#settings);
    const asked = haptic ?? settings.haptic ?? "automatic";
    const felt = asked === "automatic" ? settings.haptics?.[role] : asked;
    return felt === "none" ? undefined : felt;
  }

  /**
   * Run a change, dispatch its events, and set the timer for the next deadline.
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
      // A refusal changes nothing; any other error is a bug.
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
