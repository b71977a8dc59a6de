/**
 * The words of the page in the reader's language: that in the address (`?lang=de`), else the first of the browser's
 * languages that is available, else English.
 */

import de from "./messages/de.js";
import en from "./messages/en.js";

/** @type {Record<string, Partial<Record<string, string>>>} */
const tables = { en, de };

/**
 * Add the messages of a part of the page that is loaded later.
 *
 * @param {Record<string, Record<string, string>>} more - a table for each language
 */
export function learn(more) {
  for (const [name, table] of Object.entries(more)) { Object.assign(tables[name], table); }
}

/**
 * The first available language of a list, else English.
 *
 * @param {readonly (string | null)[]} tags - of languages, in order of preference
 */
export function bestLanguage(tags) {
  const languages = tags.map((tag) => tag?.toLowerCase().split("-")[0] ?? "");
  return languages.find((name) => Object.hasOwn(tables, name)) ?? "en";
}

/**
 * A message with its values filled in; numbers are rounded to a tenth and formatted for the language. Of two forms,
 * separated by "|", the first is the singular.
 *
 * @param {string} language
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function message(language, key, values = {}) {
  const forms = (tables[language]?.[key] ?? tables.en[key] ?? key).split("|");
  const isOne = "count" in values && new Intl.PluralRules(language).select(Number(values.count)) === "one";
  const form = forms.length > 1 && !isOne ? forms[1] : forms[0];
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? "";
    // `|| 0`: a small negative number is rounded to -0.
    return typeof value === "number" ? (Math.round(value * 10) / 10 || 0).toLocaleString(language) : value;
  });
}

/** The language of this page. */
export const language = typeof location === "undefined"
  ? "en"
  : bestLanguage([new URLSearchParams(location.search).get("lang"), ...navigator.languages]);

/**
 * A message in the language of this page.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export const t = (key, values) => message(language, key, values);

const attributes = { label: "aria-label", hint: "title", placeholder: "placeholder" };

/**
 * Fill in the elements that name a message in `data-text`, `data-label`, `data-hint` or `data-placeholder`.
 */
export function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = t(element.getAttribute("data-text") ?? "");
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    for (const element of document.querySelectorAll(`[data-${name}]`)) {
      element.setAttribute(attribute, t(element.getAttribute(`data-${name}`) ?? ""));
    }
  }
}
