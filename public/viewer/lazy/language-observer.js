/**
 * The language around the viewer, which may become another one, and the server's words in it.
 *
 * @import { ChannelConnection } from "../connection.js"
 * @import { Localizer } from "../localizer.js"
 */

import { learn } from "./catalog.js";

export class LanguageObserver {
  #means;
  // What was learned already is not asked for again.
  #watching = new MutationObserver(() => { this.learn(); });

  /**
   * @param {{ host: Element, localizer: Localizer, server: () => URL | undefined, connection: ChannelConnection, listen: () => void }} means - `server`: its address, if there is one;
   *   `listen`: ask for the stream anew
   */
  constructor(means) { this.#means = means; }

  /** From now on, through shadow roots. */
  watch() {
    for (let root = this.#means.host.getRootNode(); ; root = root.host.getRootNode()) {
      this.#watching.observe(root, { attributes: true, attributeFilter: ["lang"], subtree: true });
      if (!(root instanceof ShadowRoot)) { break; }
    }
    this.learn();
  }

  unwatch() { this.#watching.disconnect(); }

  /** Use the words of the language around the viewer, then the server's; without an answer ours are good. */
  async learn() {
    const { host, localizer, server, connection, listen } = this.#means;
    if (localizer.isStale) { localizer.speak(); }
    const { language } = localizer;
    // What is on the screen is said anew, in the language that it is now.
    if (connection.isOpen && connection.manner?.language !== language) { listen(); }
    const address = server();
    if (!address) { return; }
    const learned = await learn(address, language);
    const isNews = learned !== localizer.learned && Object.keys(learned).length > 0;
    if (isNews && host.isConnected && language === localizer.language) { localizer.speak(learned); }
  }
}
