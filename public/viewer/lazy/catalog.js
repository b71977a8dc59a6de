/**
 * The words of the server's catalog, which replace ours. Loaded when the stream is open; optional.
 *
 * @import { Learned, Word } from "./messages.js"
 */

import { ours } from "./messages.js";

/** Our words by the catalog's keys. @type {Record<string, Word>} */
const keys = {
  close: "close", now: "now", progress: "progress", notifications: "region", disconnected: "disconnected", reconnected: "reconnected",
  ...Object.fromEntries(["success", "error", "warning", "info"].map((role) => [`role.${role}.title`, `${role}Role`])),
};

/**
 * The words that differ in a server's catalog from ours.
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
    // The catalog has format strings, where "%%" stands for a percent sign.
    if (typeof text === "string" && text && text !== words[word]) { learned[word] = text.replaceAll("%%", "%"); }
  }
  // A changed word for "close" is also used for the toasts' close buttons.
  return learned.close ? { ...learned, dismiss: `${learned.close}: {name}` } : learned;
}

/** The requests of this page, by address. @type {Map<string, Promise<Learned>>} */
const requests = new Map();

/**
 * The server's words for a language, requested once in a page; empty if the server does not answer.
 *
 * @param {URL} server
 * @param {string} language - the region is ignored for a language that we have
 * @returns {Promise<Learned>}
 */
export function learn(server, language) {
  const name = ours(language) ? language.toLowerCase().split("-")[0] : language;
  const address = new URL(`v1/catalogs/${name}`, server).href;
  const request = requests.get(address) ?? fetch(address)
    .then((response) => response.ok ? response.json() : {})
    .then((catalog) => differing(name, Object(catalog)))
    .then((learned) => Object.keys(learned).length ? { ...learned, lang: name } : learned)
    // The next call, as when the stream is back, asks again.
    .catch(() => {
      requests.delete(address);
      return {};
    });
  requests.set(address, request);
  return request;
}
