/**
 * The words of a viewer: ours in the language around it, then the server's, so that what is seen is what it says. And
 * the hotkey.
 *
 * @import { wordsIn as WordsIn, Learned } from "./lazy/messages.js"
 * @import { Say } from "./text.js"
 */

import { english, first, speaker } from "./text.js";

/** The languages of `lazy/messages.js` beside English. */
const others = /^de\b/;

/** @type {typeof WordsIn | undefined} Words in all languages, once they are loaded. */
let wordsIn;

/** A hotkey as a person reads it: "Alt+KeyT" is Alt+T. @param {string} hotkey */
export function spelled(hotkey) {
  return hotkey.replace(/\b(Key|Digit)(?=[A-Z0-9]$)/, "").replace("Control", "Ctrl");
}

/**
 * Whether a key is a hotkey such as "F8" or "Alt+KeyT", with these modifiers and no others.
 *
 * @param {string} hotkey - empty for none
 * @param {KeyboardEvent} event
 */
export function isHotkey(hotkey, event) {
  // Autofill fires a `keydown` without a code.
  if (!event.code || event.repeat || event.isComposing || event.defaultPrevented) { return false; }
  const held = ["Alt", "Control", "Meta", "Shift"].filter((it) => event.getModifierState(it));
  return hotkey.split("+").sort().join() === [event.code, ...held].sort().join();
}

/** The language around an element, through shadow roots, else the browser's. @param {Element} element */
function languageOf(element) {
  const tags = [element.getAttribute("language")];
  for (let it = /** @type {Element | undefined} */ (element); it; it = /** @type {ShadowRoot} */ (it.getRootNode()).host) {
    tags.push(it.closest("[lang]")?.getAttribute("lang") ?? "");
  }
  for (const tag of [...tags, navigator.language]) {
    try {
      return Intl.getCanonicalLocales((tag ?? "").replaceAll("_", "-"))[0];
    } catch {
      // No language tag: the server and `Intl` would refuse it.
    }
  }
  return "en";
}

export class Localizer {
  language = "";
  /** The name of the region. */
  label = "";
  /** Announced after a toast's actions or a number of toasts: the key that leads there. */
  hint = "";
  /** @type {Say} */
  say = english;
  /** The server's words. @type {Learned} */
  learned = {};
  /** Fulfilled when the words of the language are loaded: a first toast waits for it. */
  ready = Promise.resolve();
  #viewer;
  #changed;

  /** @param {Element & { hotkey: string }} viewer @param {() => void} changed */
  constructor(viewer, changed) {
    this.#viewer = viewer;
    this.#changed = changed;
  }

  /** Use the words of the language around the element. @param {Learned} [learned] - the server's */
  speak(learned = {}) {
    this.language = languageOf(this.#viewer);
    this.learned = learned;
    this.say = wordsIn?.(this.language, learned) ?? speaker({ ...first, ...learned });
    const key = spelled(this.#viewer.hotkey);
    this.label = this.say("region") + (key && ` (${key})`);
    this.hint = key && `${this.say("hotkey", { key })}.`;
    this.#changed();
    if (wordsIn || !others.test(this.language)) { return; }
    // If they do not load, English stays.
    this.ready = import("./lazy/messages.js").then((words) => {
      ({ wordsIn } = words);
      this.speak(this.learned);
    }, () => {});
  }

  /** A number of toasts in words, and how to get to them. @param {"missed" | "summary"} word @param {number} n */
  counted(word, n) {
    const words = this.say(word, { n });
    return this.hint ? `${words}: ${this.hint}` : words;
  }

  /** Whether the page's language has changed. */
  get isStale() { return this.language !== languageOf(this.#viewer); }

  /** Whether we have words in the language, so that the server's are not needed first. */
  get isFluent() { return /^(en|de)\b/.test(this.language); }
}
