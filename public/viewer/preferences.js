/**
 * What a person has set for the toasts of all pages of an origin.
 *
 * @import { Placement, Toast } from "./wire.d.ts"
 * @import { Presented } from "./view.d.ts"
 *
 * @typedef {object} Preferences
 * @property {number | "never"} scale - a factor for durations, 1 to 10; "never": toasts stay until they are dismissed
 * @property {boolean} isPaused
 * @property {boolean} isQuiet - only errors are shown
 * @property {boolean} [vibrates] - absent: what the page says
 * @property {Placement} [placement] - absent: as sent
 * @property {string} [style] - absent: as sent
 */

const storageKey = "toast-viewer";

/** @type {Preferences} */
const none = { scale: 1, isPaused: false, isQuiet: false };

/** @param {unknown} value */
const isBoolean = (value) => typeof value === "boolean";

/** @param {RegExp} words */
const isOneOf = (words) => (/** @type {unknown} */ value) => typeof value === "string" && words.test(value);

/** Whether a stored value is valid. @type {Record<keyof Preferences, (value: unknown) => boolean>} */
const checks = {
  scale: (value) => typeof value === "number" && value >= 1 && value <= 10 || value === "never",
  isPaused: isBoolean,
  isQuiet: isBoolean,
  vibrates: isBoolean,
  placement: isOneOf(/^(top|center|bottom)$/),
  style: isOneOf(/^[a-z0-9-]{1,32}$/),
};

/**
 * The valid preferences of a stored text; the others are as if they had not been set.
 *
 * @param {string | null} text
 * @returns {Preferences}
 */
export function parsePreferences(text) {
  /** @type {Record<string, unknown>} */
  let stored = {};
  try {
    stored = Object(JSON.parse(text ?? "{}"));
  } catch {
    // Another script has written here.
  }
  const valid = Object.entries(checks).filter(([name, isValid]) => isValid(stored[name]));
  return { ...none, ...Object.fromEntries(valid.map(([name]) => [name, stored[name]])) };
}

/** The preferences of this origin, the same in all its tabs. @fires change */
export class PreferenceStore extends EventTarget {
  #preferences = none;

  constructor() {
    super();
    this.#read();
    globalThis.addEventListener?.("storage", ({ key }) => {
      if (key !== null && key !== storageKey) { return; }
      this.#read();
      this.dispatchEvent(new Event("change"));
    });
  }

  get current() { return this.#preferences; }

  /** The factor for durations, here and for the server: 10 for "never". */
  get scale() { return this.#preferences.scale === "never" ? 10 : this.#preferences.scale; }

  /** @param {Partial<Preferences>} changes */
  change(changes) {
    this.#preferences = parsePreferences(JSON.stringify({ ...this.#preferences, ...changes }));
    try {
      localStorage.setItem(storageKey, JSON.stringify(this.#preferences));
    } catch {
      // No storage, or none left: the change lasts as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }

  #read() {
    try {
      this.#preferences = parsePreferences(localStorage.getItem(storageKey));
    } catch {
      // No storage here.
    }
  }
}

export const preferences = new PreferenceStore();

/** Whether a toast is not to disturb the person. @param {Toast} toast */
export const isSilenced = ({ role }) => preferences.current.isQuiet && role !== "error";

/** Adapted entries, by the originals. @type {WeakMap<Presented, Presented>} */
const adapted = new WeakMap();

/** An entry with the preferred placement and style: the same object until one changes. @param {Presented} entry */
export function adapt(entry) {
  const { placement, style } = { ...entry.toast, ...preferences.current };
  const known = adapted.get(entry) ?? entry;
  if (known.toast.placement === placement && known.toast.style === style) { return known; }
  const one = { ...entry, toast: { ...entry.toast, placement, style } };
  adapted.set(entry, one);
  return one;
}
