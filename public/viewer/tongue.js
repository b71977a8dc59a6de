/**
 * The words of a viewer: ours in the language around it, then the server's, so that what is seen is what it says.
 *
 * @import { Attributed } from "./attributes.js"
 * @import { Learned } from "./words.js"
 */

import { serverOf } from "./attributes.js";
import { spelled } from "./hotkey.js";
import { wordsFor } from "./words.js";

export class Tongue {
  words;
  #viewer;
  #changed;
  /** @type {Learned | undefined} */
  #learned;

  /**
   * @param {Attributed} viewer
   * @param {(words: ReturnType<typeof wordsFor>) => void} changed
   */
  constructor(viewer, changed) {
    this.#viewer = viewer;
    this.#changed = changed;
    this.words = wordsFor(viewer, "");
  }

  /** Use the words of the language around the element. @param {Learned} [learned] - the server's */
  speak(learned) {
    this.words = wordsFor(this.#viewer, spelled(this.#viewer.hotkey), learned);
    this.#learned = learned;
    this.#changed(this.words);
  }

  /** Ask the server for its words; without an answer ours are good. */
  async learn() {
    const { language } = this.words;
    const learned = await import("./catalog.js").then(({ learn }) => learn(serverOf(this.#viewer), language)).catch(() => ({}));
    const isNews = learned !== this.#learned && Object.keys(learned).length > 0;
    if (isNews && this.#viewer.isConnected && language === this.words.language) { this.speak(learned); }
  }
}
