/**
 * The settings of a channel: a control for each that the server has, and who decided what it says.
 *
 * @import { Channel, SettingsAnswer } from "./channel.js"
 *
 * @typedef {object} Control
 * @property {string} path - as `animations/exit/duration`
 * @property {"choice" | "number" | "value" | "flag" | "text" | "json"} kind - "value" is a number or a word
 * @property {readonly string[]} [choices]
 */

import { Problem } from "./channel.js";
import { quoted } from "./draft.js";
import { find, make, makeCopying } from "./elements.js";
import { mark, unmark } from "./issues.js";
import { t } from "./language.js";
import { placements, roles, styles } from "./specimen.js";

export const modes = ["fifo", "priority", "replaceAll", "replace", "stack", "reject"];

const haptics = ["success", "warning", "error", "light", "medium", "heavy", "none"];

const curves = ["linear", "easeIn", "easeOut", "easeInOut", "spring"];

const themeKeys = ["background", "textColor", "subtextColor"].flatMap((name) => [name, `${name}Dark`])
  .concat(["errorColor", "warningColor", "infoColor", "successColor"]);

/** @type {(path: string, choices: readonly string[]) => Control} */
const choice = (path, choices) => ({ path, kind: "choice", choices });
/** @type {(path: string) => Control} */
const number = (path) => ({ path, kind: "number" });
/** @type {(path: string, choices: readonly string[]) => Control} */
const value = (path, choices) => ({ path, kind: "value", choices });
/** @type {(path: string) => Control} */
const flag = (path) => ({ path, kind: "flag" });

/** @type {Record<string, Control[]>} What belongs together, under the key of its name. */
const groups = {
  "settings.queue": [
    choice("preset", []), choice("mode", modes), choice("lanes", ["shared", "placement"]),
    choice("deduplication", ["none", "identity", "equal"]), value("maxVisible", ["unlimited"]), number("pause"), number("minimumVisible"),
    choice("whenUnattended", ["hold", "present"]), number("capacity"), number("expiresAfter"),
  ],
  "settings.toasts": [
    choice("style", styles), choice("placement", placements), value("duration", ["short", "long", "indefinite"]),
    choice("haptic", ["automatic", ...haptics]), choice("title", ["automatic", "none"]),
    flag("dimsBackground"), flag("closeButton"), flag("spokenPrefix"),
  ],
  "settings.animations": ["enter", "move", "exit"].flatMap((name) => [
    number(`animations/${name}/duration`), number(`animations/${name}/delay`), choice(`animations/${name}/curve`, curves),
    number(`animations/${name}/response`), number(`animations/${name}/damping`), number(`animations/${name}/velocity`),
  ]),
  "settings.layout": [
    number("layout/spacing"), { path: "layout/inset", kind: "json" }, number("layout/maximumWidth"),
    choice("gestures/tap", ["none", "dismiss"]),
    ...placements.flatMap((name) => /** @type {Control[]} */ ([
      { path: `gestures/swipe/${name}/directions`, kind: "json" }, number(`gestures/swipe/${name}/threshold`),
    ])),
  ],
  "settings.haptics": roles.map((role) => choice(`haptics/${role}`, haptics)),
  "settings.theme": [
    ...themeKeys.map((name) => /** @type {Control} */ ({ path: `theme/${name}`, kind: "text" })),
    { path: "appearance", kind: "json" },
  ],
};

export class SettingsPanel {
  #form;
  #channel;
  /** @type {SettingsAnswer} */
  #answer = { own: {}, effective: {} };
  #shape = "";
  /** @type {string[]} */
  #presets = [];
  /** How many answers were asked for, and the last one of them that was shown. */
  #asked = 0;
  #shown = 0;
  /** What each control was given, or was left with: what else is in it is being typed. @type {WeakMap<HTMLInputElement, string>} */
  #given = new WeakMap();

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
      const control = groups["settings.queue"].find(({ path }) => path === "preset");
      const queue = form.querySelector("[data-group='settings.queue'] > div");
      if (!control || !queue || !this.#has(control)) { return; }
      // Beside what is there: somebody may be typing.
      queue.prepend(this.#make(control));
      this.#draw();
    });
  }

  /** The channel was configured, or is another one: ask what holds. */
  async load() {
    const channel = this.#channel();
    try {
      await this.#take(() => channel.settings());
    } catch {
      // The stream says by itself when the server is away.
    }
  }

  /**
   * Set something.
   *
   * @param {object} patch
   */
  set(patch) {
    return this.#work(() => this.#channel().configure(patch), patch);
  }

  /**
   * @param {() => Promise<SettingsAnswer>} request
   * @param {object} [patch]
   */
  async #work(request, patch) {
    const line = find("[data-problem]", this.#form);
    unmark(this.#form);
    line.textContent = "";
    if (patch) {
      const code = find("code", this.#form);
      code.textContent = `curl -X PATCH -H 'Content-Type: application/merge-patch+json' -d ${quoted(JSON.stringify(patch))} ${this.#channel().settingsAddress}`;
      find("[data-curl]", this.#form).hidden = false;
    }
    try {
      const answer = await this.#take(request);
      for (const { pointer, detail } of answer.warnings ?? []) {
        this.#control(pointer)?.closest("[data-cell]")?.append(make("small", detail, { issue: pointer, warning: "" }));
      }
    } catch (error) {
      if (!(error instanceof Problem)) { throw error; }
      mark(this.#form, line, error, (pointer) => this.#control(pointer));
    }
  }

  /** @param {string} pointer */
  #control(pointer) {
    const path = pointer.slice(1);
    return /** @type {HTMLElement[]} */ ([...this.#form.querySelectorAll("[data-path]")])
      .find(({ dataset }) => path === dataset.path || path.startsWith(`${dataset.path}/`));
  }

  /** @param {HTMLInputElement} input */
  #change(input) {
    const { path = "", kind } = input.dataset;
    if (!path) { return; }
    this.#given.set(input, input.value);
    const patch = path.split("/").reduceRight((/** @type {unknown} */ inner, name) => ({ [name]: inner }), saidBy(input, kind));
    this.set(/** @type {object} */ (patch));
  }

  /**
   * Show an answer, unless one was shown that was asked for after it, or for another channel.
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
    // The same controls stay, so that the focus does.
    const shape = JSON.stringify([this.#channel().name, Object.keys(effective)]);
    if (shape !== this.#shape) {
      this.#shape = shape;
      const isOpen = new Set([...list.querySelectorAll("details[open]")].map((it) => it.getAttribute("data-group")));
      list.replaceChildren(...Object.entries(groups).flatMap(([key, controls]) => {
        const known = controls.filter((control) => this.#has(control));
        if (!known.length) { return []; }
        const group = make("details", "", { group: key });
        group.open = isOpen.has(key) || key === "settings.queue";
        group.append(make("summary", t(key)), make("div"));
        group.lastElementChild?.append(...known.map((control) => this.#make(control)));
        return [group];
      }));
    }
    for (const input of list.querySelectorAll("[data-path]")) { this.#fill(/** @type {HTMLInputElement} */ (input)); }
  }

  /**
   * Whether the server knows a setting; what is in an object may be absent as long as nothing is set.
   *
   * @param {Control} control
   */
  #has({ path }) {
    if (path === "preset") { return this.#presets.length > 0; }
    return path.split("/")[0] in this.#answer.effective;
  }

  /** @param {Control} control */
  #make({ path, kind, choices = [] }) {
    const label = make("label", "", { setting: path });
    const input = make(kind === "choice" ? "select" : "input", "", { path, kind });
    if (input instanceof HTMLSelectElement) {
      input.append(...(path === "preset" ? this.#presets : choices).map((name) => new Option(name)));
    } else {
      input.type = { flag: "checkbox", number: "number" }[String(kind)] ?? "text";
      input.step = "any";
      input.spellcheck = false;
      input.placeholder = path === "expiresAfter" ? t("never") : kind === "json" ? "{}" : choices.length ? `2, ${choices.at(-1)}` : "–";
    }
    const name = make("span", nameOf(path));
    const source = make("small", "", { source: "" });
    const unset = make("button", "×", { unset: "" });
    unset.type = "button";
    unset.ariaLabel = t("settings.unset", { name: nameOf(path) });
    unset.addEventListener("click", () => {
      this.set(/** @type {object} */ (path.split("/").reduceRight((/** @type {unknown} */ inner, part) => ({ [part]: inner }), null)));
      input.focus();
    });
    label.append(name, source, input);
    const cell = make("div", "", { cell: "" });
    cell.append(label, unset);
    return cell;
  }

  /** @param {HTMLInputElement} input */
  #fill(input) {
    const { path = "", kind } = input.dataset;
    const names = path.split("/");
    const value = valueAt(this.#answer.effective, names);
    const own = valueAt(this.#answer.own, names);
    const by = own !== undefined ? "channel" : sourceOf(this.#answer.sources ?? {}, path);
    const isTyped = kind !== "flag" && input.value !== this.#given.get(input);
    if (input.matches(":focus") && (input.ariaInvalid === "true" || isTyped)) { return; }
    if (kind === "flag") {
      input.checked = value === true;
    } else {
      input.value = value === undefined || value === null ? "" : kind === "json" ? JSON.stringify(value) : String(value);
      this.#given.set(input, input.value);
    }
    const cell = input.closest("[data-cell]");
    if (!(cell instanceof HTMLElement)) { return; }
    cell.dataset.by = by;
    find("[data-source]", cell).textContent = t(`settings.${by}`);
    find("[data-unset]", cell).hidden = by !== "channel";
  }
}

/**
 * What is at a place within an object, if it is there.
 *
 * @param {object} object
 * @param {string[]} names - the way to it
 * @returns {unknown}
 */
function valueAt(object, names) {
  return names.reduce((inner, name) => /** @type {Record<string, unknown> | null | undefined} */ (inner)?.[name], /** @type {unknown} */ (object));
}

/**
 * Who decided a setting; of an object the first who is not the server.
 *
 * @param {Record<string, string>} sources
 * @param {string} path
 */
function sourceOf(sources, path) {
  const inner = Object.entries(sources).filter(([name]) => name.startsWith(`${path}/`)).map(([, by]) => by);
  return sources[path] ?? inner.find((by) => by !== "server") ?? "server";
}

/**
 * What a control says, as the server wants it.
 *
 * @param {HTMLInputElement} input
 * @param {string} [kind]
 */
function saidBy(input, kind) {
  if (kind === "flag") { return input.checked; }
  const text = input.value.trim();
  if (text === "") { return null; }
  if (kind === "json") { return parsed(text); }
  const isNumber = kind === "number" || (kind === "value" && Number.isFinite(Number(text)));
  return isNumber ? Number(text) : text;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * A setting's name as it is written; inside an object the way to it.
 *
 * @param {string} path
 */
function nameOf(path) {
  return path.replace(/^(animations|layout|gestures|haptics|theme)\//, "").replaceAll("/", " · ");
}
