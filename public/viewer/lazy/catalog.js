/**
 * The words of the server's catalog, which go before ours: loaded once the stream is open, and not missed without it.
 *
 * @import { Learned, Word } from "./messages.js"
 */

import { ours } from "./messages.js";

/** The keys of a server's catalog that have a word of ours. @type {Record<string, Word>} */
const keys = {
  close: "close", now: "now", progress: "progress", notifications: "region", disconnected: "disconnected", reconnected: "reconnected",
  ...Object.fromEntries(["success", "error", "warning", "info"].map((role) => [`role.${role}.title`, `${role}Role`])),
};

/**
 * What a server's catalog says otherwise than we do.
 *
 * @param {string} language
 * @param {Record<string, unknown>} catalog
 * @returns {Learned}
 */
export function differing(language, catalog) {
  /** @type {Learned} */
  const words = ours(language) ?? ours("en") ?? {};
  /** @type {Learned} */
  const learned = {};
  for (const [key, word] of Object.entries(keys)) {
    const text = Object.hasOwn(catalog, key) ? catalog[key] : undefined;
    // They are formats there, where a percent sign is written twice.
    if (typeof text === "string" && text && text !== words[word]) { learned[word] = text.replaceAll("%%", "%"); }
  }
  // Whoever calls it otherwise wants to read that on the toasts, too.
  return learned.close ? { ...learned, dismiss: `${learned.close}: {name}` } : learned;
}

/** What was asked for, by address: once a page. @type {Map<string, Promise<Learned>>} */
const requests = new Map();

/**
 * The server's words for a language, asked for once a page. A server that does not answer has none.
 *
 * @param {URL} server
 * @param {string} language - of one that is here, regions speak alike
 * @returns {Promise<Learned>}
 */
export function learn(server, language) {
  const name = ours(language) ? language.toLowerCase().split("-")[0] : language;
  const address = new URL(`v1/catalogs/${name}`, server).href;
  const request = requests.get(address) ?? fetch(address)
    .then((response) => response.ok ? response.json() : {})
    .then((catalog) => differing(name, Object(catalog)))
    .then((learned) => Object.keys(learned).length ? { ...learned, lang: name } : learned)
    // When the stream is there again, it may answer.
    .catch(() => {
      requests.delete(address);
      return {};
    });
  requests.set(address, request);
  return request;
}
