/**
 * The form for a toast, with a preview and the command line that posts it.
 *
 * @import { Settings } from "../viewer/wire.d.ts"
 * @import { Channel } from "./channel.js"
 * @import { Fields } from "./draft.js"
 */

import { Problem } from "./channel.js";
import { curl, draft, fieldOf } from "./draft.js";
import { find, make, makeCopying } from "./elements.js";
import { mark, unmark, warn } from "./issues.js";
import { t } from "./language.js";
import { Specimen, styleName, styles } from "./specimen.js";

/** The fields that the page's address may set: `/?style=pale&role=error`. */
const prefilled = ["style", "role", "placement"];

export class Composer {
  #form;
  #specimen;
  #channel;
  #code;
  #problem;
  /** @type {Settings} */
  #settings = {};

  /**
   * @param {HTMLFormElement} form
   * @param {() => Channel} channel - the channel to post to
   */
  constructor(form, channel) {
    this.#form = form;
    this.#channel = channel;
    this.#specimen = new Specimen(find("[data-preview]", form));
    this.#code = find("[data-curl] code", form);
    this.#problem = find("[data-problem]", form);
    this.#furnish();
    form.addEventListener("input", () => this.show());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#post();
    });
    // The browser cannot show an error in closed details.
    form.addEventListener("invalid", ({ target }) => {
      const details = /** @type {HTMLElement} */ (target).closest("details");
      if (details) { details.open = true; }
    }, { capture: true });
    makeCopying(find("[data-copy]", form), this.#code, t);
    this.show();
  }

  /** @returns {Fields} */
  get #fields() {
    return /** @type {Fields} */ (Object.fromEntries(new FormData(this.#form)));
  }

  /** Update the preview and the command line. */
  show() {
    const kinds = this.#fields;
    for (const part of this.#form.querySelectorAll("[data-for]")) {
      const [name, value] = (part.getAttribute("data-for") ?? "").split("=");
      const isHidden = kinds[name] !== value;
      /** @type {HTMLElement} */ (part).hidden = isHidden;
      // An enabled control that is hidden and invalid would keep the browser from sending the form.
      for (const control of part.matches("input") ? [part] : part.querySelectorAll("input, textarea")) {
        /** @type {HTMLInputElement | HTMLTextAreaElement} */ (control).disabled = isHidden;
      }
    }
    const toast = draft(this.#fields);
    const { toastsAddress, needsKey } = this.#channel();
    this.#code.textContent = curl(toastsAddress, toast, needsKey);
    this.#specimen.show(toast, this.#settings);
  }

  /**
   * The channel's settings, for the preview.
   *
   * @param {Settings} settings
   */
  set settings(settings) {
    this.#settings = settings;
    this.show();
  }

  /** Make the controls that are repeated, and set those that the address names. */
  #furnish() {
    const tiles = find("[data-tiles] > div", this.#form);
    for (const name of styles) {
      const label = make("label");
      const input = make("input");
      Object.assign(input, { type: "radio", name: "style", value: name, defaultChecked: name === styles[0] });
      label.append(input, make("i"), styleName(name));
      tiles.append(label);
    }
    const rows = find("[data-actions]", this.#form);
    ["undo", "retry", "later"].forEach((example, index) => {
      const number = index + 1;
      const row = make("div", "", { row: "" });
      const title = make("input");
      Object.assign(title, { name: `action${index}`, maxLength: 100, placeholder: t(`example.${example}`), ariaLabel: t("action.title", { number }) });
      const role = make("select");
      Object.assign(role, { name: `actionRole${index}`, ariaLabel: t("action.role", { number }) });
      role.append(new Option(t("action.normal"), ""), new Option(t("action.destructive"), "destructive"), new Option(t("action.cancel"), "cancel"));
      const url = make("input");
      Object.assign(url, { name: `actionURL${index}`, placeholder: "https://…", ariaLabel: t("action.url", { number }) });
      row.append(title, role, url);
      rows.append(row);
    });
    // Put each label into a box, so that an error can stand below it.
    for (const label of this.#form.querySelectorAll("label:has(> :is(input, select, textarea):not([type=radio], [type=checkbox]))")) {
      const box = make("div", "", { box: "" });
      const shown = label.getAttribute("data-for");
      if (shown) {
        box.dataset.for = shown;
        label.removeAttribute("data-for");
      }
      label.replaceWith(box);
      box.append(label);
    }
    const parameters = new URLSearchParams(location.search);
    for (const name of prefilled) {
      const value = parameters.get(name) ?? "";
      const input = this.#form.querySelector(`[name=${name}][value="${CSS.escape(value)}"]`);
      if (input instanceof HTMLInputElement) { input.checked = true; }
    }
  }

  /** Remove the errors and warnings of the last toast. */
  clear() {
    unmark(this.#form);
    this.#problem.textContent = "";
  }

  async #post() {
    this.clear();
    const channel = this.#channel();
    const fields = this.#fields;
    const controlOf = (/** @type {string} */ pointer) => this.#control(fieldOf(pointer, fields));
    try {
      const { warnings = [] } = await channel.post(draft(fields));
      if (channel !== this.#channel()) { return; }
      this.clear();
      warn(this.#form, this.#problem, warnings, controlOf);
    } catch (error) {
      if (!(error instanceof Problem)) { throw error; }
      if (channel === this.#channel()) { mark(this.#form, this.#problem, error, controlOf); }
    }
  }

  /**
   * @param {string} [name]
   * @returns {HTMLElement | null}
   */
  #control(name) {
    const found = name ? this.#form.elements.namedItem(name) : null;
    const control = found instanceof RadioNodeList ? [...found].find((it) => /** @type {HTMLInputElement} */ (it).checked) ?? found[0] : found;
    return control instanceof HTMLElement ? control : null;
  }
}
