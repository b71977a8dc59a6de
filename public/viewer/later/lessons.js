/**
 * The language around the viewer, which may become another one, and the server's words in it.
 *
 * @import { Tongue } from "../tongue.js"
 */

export class Lessons {
  #host;
  #tongue;
  #server;
  /** The language of the last lesson. */
  #language = "";
  #watching = new MutationObserver(() => { if (this.#tongue.isStale || this.#tongue.language !== this.#language) { this.learn(); } });

  /** @param {{ host: Element, tongue: Tongue, server: () => URL }} means - `server`: its address */
  constructor({ host, tongue, server }) {
    this.#host = host;
    this.#tongue = tongue;
    this.#server = server;
  }

  /** From now on, through shadow roots. */
  watch() {
    for (let root = this.#host.getRootNode(); ; root = root.host.getRootNode()) {
      this.#watching.observe(root, { attributes: true, attributeFilter: ["lang"], subtree: true });
      if (!(root instanceof ShadowRoot)) { break; }
    }
    this.learn();
  }

  unwatch() { this.#watching.disconnect(); }

  /** Use the words of the language around the viewer, then the server's; without an answer ours are good. */
  async learn() {
    const tongue = this.#tongue;
    if (tongue.isStale) { tongue.speak(); }
    const { language } = tongue;
    this.#language = language;
    const learned = await import("./catalog.js").then(({ learn }) => learn(this.#server(), language)).catch(() => ({}));
    const isNews = learned !== tongue.learned && Object.keys(learned).length > 0;
    if (isNews && this.#host.isConnected && language === tongue.language) { tongue.speak(learned); }
  }
}
