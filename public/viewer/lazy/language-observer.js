/**
 * Follows the language around the viewer, and loads the server's words in it.
 *
 * @import { ChannelConnection } from "../connection.js"
 * @import { Localizer } from "../localizer.js"
 */

import { learn } from "./catalog.js";

export class LanguageObserver {
  #means;
  // Cheap: `learn` requests each language's words once.
  #watching = new MutationObserver(() => { this.learn(); });

  /**
   * @param {object} means
   * @param {Element} means.host
   * @param {Localizer} means.localizer
   * @param {() => URL | undefined} means.server - the server's address, if there is a server
   * @param {ChannelConnection} means.connection
   * @param {() => void} means.listen - requests the stream anew
   */
  constructor(means) { this.#means = means; }

  /** Observe `lang` in the page, through shadow roots. */
  watch() {
    for (let root = this.#means.host.getRootNode(); ; root = root.host.getRootNode()) {
      this.#watching.observe(root, { attributes: true, attributeFilter: ["lang"], subtree: true });
      if (!(root instanceof ShadowRoot)) { break; }
    }
    this.learn();
  }

  unwatch() { this.#watching.disconnect(); }

  /** Use our words in the language around the viewer, then the server's, if it answers. */
  async learn() {
    const { host, localizer, server, connection, listen } = this.#means;
    if (localizer.isStale) { localizer.speak(); }
    const { language } = localizer;
    // The new stream's snapshot has the toasts in the new language.
    if (connection.isOpen && connection.manner?.language !== language) { listen(); }
    const address = server();
    if (!address) { return; }
    const learned = await learn(address, language);
    const isNews = learned !== localizer.learned && Object.keys(learned).length > 0;
    if (isNews && host.isConnected && language === localizer.language) { localizer.speak(learned); }
  }
}
