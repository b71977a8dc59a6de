/**
 * The settings of a channel: a control for each that the server knows, and where its value comes from.
 *
 * @import { Channel, SettingsAnswer } from "./channel.js"
 * @import { Part, Setting } from "./setting-controls.js"
 */

import { Problem } from "./channel.js";
import { authorization, quoted } from "./draft.js";
import { find, make, makeCopying } from "./elements.js";
import { mark, unmark, warn } from "./issues.js";
import { t } from "./language.js";
import { applied, difference } from "./merge-patch.js";
import { content, fill, groups, makeControl, options, valueIn } from "./setting-controls.js";

let count = 0;

export class SettingsPanel {
  #form;
  #channel;
  /** @type {SettingsAnswer} */
  #answer = { own: {}, effective: {} };
  /**
   * The changes that are not answered yet, oldest first: the next one begins with what they leave. Each has a function
   * that tells whether no later one has taken its place.
   *
   * @type {Map<unknown, () => boolean>}
   */
  #sent = new Map();
  #shape = "";
  /** @type {string[]} */
  #presets = [];
  /** The number of the last request, and of the last one whose answer was shown. */
  #asked = 0;
  #shown = 0;
  /**
   * What each control contained when last filled or sent; if it differs now, a person is typing.
   *
   * @type {WeakMap<HTMLElement, string>}
   */
  #given = new WeakMap();
  /** The number of the last change of each part of the form. @type {WeakMap<Element, number>} */
  #turns = new WeakMap();
  #turn = 0;

  /**
   * @param {HTMLFormElement} form
   * @param {() => Channel} channel
   */
  constructor(form, channel) {
    this.#form = form;
    this.#channel = channel;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", ({ target }) => this.#change(/** @type {HTMLInputElement} */ (target)));
    find("[data-reset]", form).addEventListener("click", () => this.#work(async () => {
      await this.#channel().unconfigure();
      return this.#channel().settings();
    }));
    makeCopying(find("[data-copy]", form), find("code", form), t);
    channel().presets().then((presets) => {
      this.#presets = presets.map(({ name }) => name);
      const setting = groups["settings.queue"].find((it) => "path" in it && it.path === "preset");
      const queue = form.querySelector("[data-group='settings.queue'] > div");
      if (!setting || !queue) { return; }
      // Added to the existing controls, because a person may be typing in one.
      queue.prepend(...this.#makePart(setting));
      this.#draw();
    });
  }

  /** Show nothing until the settings of the channel are known. */
  clear() {
    this.#answer = { own: {}, effective: {} };
    this.#sent.clear();
    this.#shape = "";
    unmark(this.#form);
    this.#line.textContent = "";
    find("[data-groups]", this.#form).replaceChildren();
    find("[data-curl]", this.#form).hidden = true;
  }

  /** Fetch the settings: the channel was configured, or is another one. */
  async load() {
    const channel = this.#channel();
    try {
      await this.#take(() => channel.settings());
    } catch {
      // The header shows when the server is away.
    }
  }

  /** Change a setting of the channel. @param {string} path @param {unknown} value - null to unset it */
  set(path, value) {
    const patch = /** @type {object} */ (path.split("/").reduceRight((/** @type {unknown} */ inner, name) => ({ [name]: inner }), value));
    const cell = this.#control(`/${path}`)?.closest("[data-cell]");
    return this.#work(() => this.#channel().configure(patch), patch, cell ?? this.#form);
  }

  /**
   * Send a request, and show what comes of it. What was refused elsewhere in the form is still refused.
   *
   * @param {() => Promise<SettingsAnswer>} request
   * @param {object} [patch]
   * @param {Element} part - of the form: what the request is about
   */
  async #work(request, patch, part = this.#form) {
    const line = this.#line;
    line.textContent = "";
    unmark(part);
    const turn = ++this.#turn;
    this.#turns.set(part, turn);
    const channel = this.#channel();
    // Whether no later change of the same part, or of the whole form, has taken the place of this one.
    const isLast = () => channel === this.#channel()
      && turn === Math.max(this.#turns.get(part) ?? 0, this.#turns.get(this.#form) ?? 0);
    const controlOf = (/** @type {string} */ pointer) => this.#control(pointer);
    if (patch) {
      this.#sent.set(patch, isLast);
      const code = find("code", this.#form);
      const { needsKey, settingsAddress } = channel;
      code.textContent = `curl -X PATCH ${authorization(needsKey)}-H 'Content-Type: application/merge-patch+json' -d ${quoted(JSON.stringify(patch))} ${settingsAddress}`;
      find("[data-curl]", this.#form).hidden = false;
    }
    try {
      const { warnings = [] } = await this.#take(request);
      if (channel === this.#channel()) { warn(this.#form, line, warnings, controlOf); }
    } catch (error) {
      if (!(error instanceof Problem)) { throw error; }
      if (isLast()) { mark(part, line, error, controlOf); }
    } finally {
      this.#sent.delete(patch);
      // A refused value has come, or has gone with its mark.
      if (isLast()) { for (const control of this.#controls.filter((it) => part.contains(it))) { this.#fill(control); } }
    }
  }

  /** For errors without a control. */
  get #line() { return find("[data-problem]", this.#form); }

  /** @param {string} pointer */
  #control(pointer) {
    const path = pointer.slice(1);
    return this.#controls.find(({ dataset }) => path === dataset.path || path.startsWith(`${dataset.path}/`));
  }

  get #controls() { return /** @type {HTMLElement[]} */ ([...this.#form.querySelectorAll("[data-path]")]); }

  /** @param {HTMLInputElement} input - the control, a part of it, or its helper */
  #change(input) {
    const control = /** @type {HTMLElement | null | undefined} */ (input.closest("[data-cell]")?.querySelector("[data-path]"));
    if (!control) { return; }
    if ("words" in input.dataset) { return this.#choose(/** @type {HTMLInputElement} */ (control), input.value); }
    if ("swatch" in input.dataset) {
      // A swatch has no opacity: keep that of the field.
      const field = /** @type {HTMLInputElement} */ (control);
      field.value = input.value.toUpperCase() + field.value.replace(/^#?[0-9a-f]{6}/i, "");
    }
    // The value of an unreadable number is empty, which would unset the setting.
    const unread = [input, ...control.querySelectorAll("input")].find(({ validity }) => validity.badInput);
    if (unread) {
      unread.reportValidity();
      return;
    }
    this.#given.set(control, content(control));
    const path = control.dataset.path ?? "";
    const own = [...this.#sent.keys()].reduce(applied, this.#answer.own);
    this.set(path, difference(valueAt(/** @type {object} */ (own), path.split("/")), valueIn(control)));
  }

  /**
   * Choose a word instead of a number, or a number again.
   *
   * @param {HTMLInputElement} input
   * @param {string} word - empty for a number
   */
  #choose(input, word) {
    input.hidden = word !== "";
    if (word) { return this.set(input.dataset.path ?? "", word); }
    // Counts as typed in, or the next answer would hide it before the first digit.
    this.#given.set(input, "?");
    input.focus();
  }

  /**
   * Show an answer, unless a later request is answered already, or another channel is shown.
   *
   * @param {() => Promise<SettingsAnswer>} request
   */
  async #take(request) {
    const turn = ++this.#asked;
    const channel = this.#channel();
    const answer = await request();
    if (turn > this.#shown && channel === this.#channel()) {
      this.#shown = turn;
      this.#answer = answer;
      this.#draw();
    }
    return answer;
  }

  #draw() {
    const { effective } = this.#answer;
    const list = find("[data-groups]", this.#form);
    // Controls are made anew only for other settings, so that the focus stays.
    const shape = JSON.stringify([this.#channel().name, Object.keys(effective)]);
    if (shape !== this.#shape) {
      this.#shape = shape;
      const isOpen = new Set([...list.querySelectorAll("details[open]")].map((it) => it.getAttribute("data-group")));
      list.replaceChildren(...Object.entries(groups).flatMap(([key, all]) => {
        const parts = all.flatMap((it) => this.#makePart(it));
        if (!parts.length) { return []; }
        const group = make("details", "", { group: key });
        group.open = isOpen.has(key) || key === "settings.queue";
        group.append(make("summary", t(key)), make("div"));
        group.lastElementChild?.append(...parts);
        return [group];
      }));
    }
    for (const control of this.#controls) { this.#fill(control); }
  }

  /** @param {Setting | Part} part @returns {HTMLElement[]} */
  #makePart(part) {
    if (!("settings" in part)) { return this.#has(part) ? [this.#make(part)] : []; }
    const known = part.settings.filter((setting) => this.#has(setting));
    if (!known.length) { return []; }
    const legend = t(part.legend);
    const fieldset = make("fieldset", "", { part: "" });
    fieldset.append(make("legend", legend), ...known.map((setting) => this.#make(setting, legend)));
    return [fieldset];
  }

  /**
   * Whether the server knows a setting. Members of an object setting may be absent while they are unset.
   *
   * @param {Setting} setting
   */
  #has({ path }) {
    if (path === "preset") { return this.#presets.length > 0; }
    return path.split("/")[0] in this.#answer.effective;
  }

  /** @param {Setting} setting @param {string} [legend] - the name of the part that it belongs to */
  #make(setting, legend) {
    const { path, kind, name: key, unit } = setting;
    const name = t(key);
    const whole = legend ? `${legend} · ${name}` : name;
    const cell = make("div", "", { cell: kind });
    const [control, ...helpers] = makeControl(setting, whole);
    if (path === "preset") { control.append(...options(setting, this.#presets)); }
    control.id = `setting-${++count}`;
    const isGroup = control.matches("div");
    const label = make(isGroup ? "span" : "label", name, { name: "" });
    if (label instanceof HTMLLabelElement) { label.htmlFor = control.id; }
    const row = make("div", "", { control: "" });
    const units = unit ? [make("span", t(unit), { unit: "" })] : [];
    row.append(control, ...units, ...helpers);
    const about = [...units];
    const hint = t(`${key}.hint`);
    if (hint !== `${key}.hint`) { about.push(make("small", hint, { note: "" })); }
    for (const each of about) { each.id = `setting-${++count}`; }
    if (about.length) { control.setAttribute("aria-describedby", about.map(({ id }) => id).join(" ")); }
    const unset = make("button", "×", { unset: "" });
    unset.type = "button";
    unset.ariaLabel = t("settings.unset", { name: whole });
    unset.title = t("settings.unset", { name: whole });
    unset.addEventListener("click", () => {
      this.set(path, null);
      (isGroup ? control.querySelector("input") : control)?.focus();
    });
    cell.append(label, make("small", "", { source: "" }), row, unset, ...about.filter(({ dataset }) => "note" in dataset));
    return cell;
  }

  /** @param {HTMLElement} control */
  #fill(control) {
    const { path = "" } = control.dataset;
    const names = path.split("/");
    // The answer to another request does not undo what is on its way.
    const latest = [...this.#sent].filter(([, isLast]) => isLast()).map(([patch]) => patch);
    const { effective } = this.#answer;
    // What is being unset keeps its old value until the answer has the new one.
    const value = valueAt(/** @type {object} */ (latest.reduce(applied, effective)), names) ?? valueAt(effective, names);
    const own = valueAt(this.#answer.own, names);
    const by = own !== undefined ? "channel" : sourceOf(this.#answer.sources ?? {}, path);
    const isTyped = content(control) !== (this.#given.get(control) ?? content(control));
    // What a person types, or the server refused, stays.
    if (control.ariaInvalid !== "true" && !(isTyped && control.matches(":focus, :focus-within"))) {
      fill(control, value);
      this.#given.set(control, content(control));
    }
    const cell = control.closest("[data-cell]");
    if (!(cell instanceof HTMLElement)) { return; }
    cell.dataset.by = by;
    find("[data-source]", cell).textContent = t(`settings.${by}`);
    find("[data-unset]", cell).hidden = by !== "channel" && control.ariaInvalid !== "true";
  }
}

/**
 * The value at a path within an object; undefined if there is none.
 *
 * @param {object} object
 * @param {string[]} names - the path
 * @returns {unknown}
 */
function valueAt(object, names) {
  return names.reduce((inner, name) => /** @type {Record<string, unknown> | null | undefined} */ (inner)?.[name], /** @type {unknown} */ (object));
}

/**
 * Where the value of a setting comes from; for an object, the first source of a member other than the server.
 *
 * @param {Record<string, string>} sources
 * @param {string} path
 */
function sourceOf(sources, path) {
  const inner = Object.entries(sources).filter(([name]) => name.startsWith(`${path}/`)).map(([, by]) => by);
  return sources[path] ?? inner.find((by) => by !== "server") ?? "server";
}
