/**
 * The form for a hook: its controls, and the document of their values.
 *
 * @import { HookFormat, HookMembers } from "./hook-samples.js"
 *
 * @typedef {import("./hooks.js").PageParts} PageParts
 */

import { make } from "./elements.js";
import { formats, pointed, signed } from "./hook-samples.js";

/** Placeholders of empty fields. @type {Record<string, string>} */
const examples = { title: "/monitor/name", message: "/msg", role: "/heartbeat/status", link: "/url" };

/** The person has typed something other than a JSON object. */
export class NoJSON extends Error {}

export class HookForm {
  #page;

  /**
   * @param {HTMLFormElement} form - an empty one
   * @param {PageParts} page
   */
  constructor(form, page) {
    this.#page = page;
    this.form = form;
    const { t } = page;
    form.append(
      this.#group("", [
        this.#input("name", t("hooks.name"), { maxLength: 64, spellcheck: false, autocomplete: "off", placeholder: "ci" }),
        this.#select("format", t("hooks.format"), Object.entries(formats)),
      ]),
      this.#group("hooks.pointers", [
        ...pointed.map((name) => this.#input(`pointers/${name}`, t(`hooks.pointer.${name}`), { placeholder: examples[name] ?? "", spellcheck: false })),
        this.#input("roles", t("hooks.roles"), { placeholder: "0=error, 1=success", spellcheck: false }),
      ], ["json"]),
      this.#group("hooks.signing", [
        this.#input("signingSecret", t("hooks.signingSecret"), { maxLength: 256, spellcheck: false, autocomplete: "off" }),
      ], signed),
      this.#group("hooks.defaults", [
        this.#choice("role", ["success", "error", "warning", "info"], (it) => t(`role.${it}`)),
        this.#choice("placement", ["top", "center", "bottom"], (it) => t(`placement.${it}`)),
        this.#choice("style", page.styles, page.styleName),
        this.#choice("duration", ["short", "long", "indefinite"], (it) => t(`duration.${it}`)),
        this.#input("defaults", t("hooks.more"), { placeholder: '{"haptic": "none"}', spellcheck: false }),
      ]),
    );
    form.addEventListener("input", () => this.adapt());
    this.adapt();
  }

  get name() { return this.#value("name"); }

  /** Show the controls of the chosen format only. */
  adapt() {
    for (const group of this.form.querySelectorAll("fieldset")) {
      const { formats: list } = group.dataset;
      group.hidden = list !== undefined && !list.split(" ").includes(this.#value("format"));
      group.disabled = group.hidden;
    }
  }

  /**
   * The document for the server.
   *
   * @returns {HookMembers}
   * @throws {NoJSON} if the field for other defaults has no JSON object
   */
  get members() {
    const defaults = { ...this.#object(), ...this.#inside("defaults/") };
    const pointers = this.#inside("pointers/");
    const roles = Object.fromEntries(this.#value("roles").split(",").filter((pair) => pair.trim()).map((pair) => {
      const [value, ...role] = pair.split("=");
      return [value.trim(), role.join("=").trim()];
    }));
    const some = (/** @type {object} */ object) => Object.keys(object).length > 0;
    return {
      format: /** @type {HookFormat} */ (this.#value("format")),
      ...some(defaults) && { defaults },
      ...some(pointers) && { pointers },
      ...some(roles) && { roles },
      ...this.#value("signingSecret") && { signingSecret: this.#value("signingSecret") },
    };
  }

  /**
   * The control for a JSON Pointer of the server: the nearest one with a value, or the first of its group.
   *
   * @param {string} pointer
   * @returns {HTMLElement | null}
   */
  control(pointer) {
    const names = pointer.split("/").slice(1);
    for (let length = names.length; length > 0; length -= 1) {
      const control = this.#control(names.slice(0, length).join("/"));
      // The member may be set in the JSON of "defaults", while its own control is empty.
      if (control && (control.value || length === 1)) { return control; }
    }
    return this.form.querySelector(`[name^="${CSS.escape(names[0] ?? "")}/"]`);
  }

  /** @param {string} name @returns {HTMLInputElement | HTMLSelectElement | null} */
  #control(name) { return this.form.querySelector(`[name="${CSS.escape(name)}"]`); }

  /** The trimmed value; empty if the format has no such control. @param {string} name */
  #value(name) {
    const control = this.#control(name);
    return control && !control.matches(":disabled") ? control.value.trim() : "";
  }

  /** Values of filled-in controls by the rest of their names after a common beginning. @param {string} beginning */
  #inside(beginning) {
    const controls = /** @type {HTMLInputElement[]} */ ([...this.form.querySelectorAll(`[name^="${beginning}"]:enabled`)]);
    return Object.fromEntries(controls.filter((it) => it.value.trim()).map((it) => [it.name.slice(beginning.length), it.value.trim()]));
  }

  #object() {
    const text = this.#value("defaults");
    if (!text) { return {}; }
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      throw new NoJSON();
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) { throw new NoJSON(); }
    return value;
  }

  /**
   * Controls that belong together, some for certain formats only.
   *
   * @param {string} legend - the message key of their name; empty for none
   * @param {HTMLElement[]} cells
   * @param {readonly string[]} [list]
   */
  #group(legend, cells, list) {
    const group = make("fieldset", "", list ? { formats: list.join(" ") } : {});
    if (legend) { group.append(make("legend", this.#page.t(legend))); }
    const grid = make("div", "", { hookFields: "" });
    grid.append(...cells);
    group.append(grid);
    return group;
  }

  /** @param {string} name @param {string} label @param {Partial<HTMLInputElement>} [properties] */
  #input(name, label, properties = {}) {
    const input = make("input");
    Object.assign(input, { name }, properties);
    return this.#cell(label, input);
  }

  /** @param {string} name @param {string} label @param {string[][]} options - their values and words */
  #select(name, label, options) {
    const select = Object.assign(make("select"), { name });
    select.append(...options.map(([value, words]) => new Option(words, value)));
    return this.#cell(label, select);
  }

  /** A choice of a default, or none. @param {string} name @param {readonly string[]} values @param {(value: string) => string} words */
  #choice(name, values, words) {
    const { t } = this.#page;
    return this.#select(`defaults/${name}`, t(name), [["", t("hooks.open")], ...values.map((value) => [value, words(value)])]);
  }

  /** A box for the label, so that an error can stand below it. @param {string} words @param {HTMLElement} control */
  #cell(words, control) {
    const box = make("div", "", { box: "" });
    const label = make("label");
    label.append(make("span", words), control);
    box.append(label);
    return box;
  }
}
