/**
 * The controls of a channel's settings: what each is called, which values it has, and how it is read and filled.
 *
 * @typedef {"choice" | "number" | "value" | "flag" | "color" | "directions" | "edges" | "json"} Kind - "value" is a
 *   number or a word
 *
 * @typedef {object} Setting
 * @property {string} path - as `animations/exit/duration`
 * @property {Kind} kind
 * @property {string} name - the message key of its name; that of its hint ends with ".hint"
 * @property {string} [unit] - the message key of its unit
 * @property {readonly string[]} [choices]
 * @property {string} [words] - the beginning of its choices' message keys; absent: not translated
 *
 * @typedef {{ legend: string, settings: Setting[] }} Part - settings that belong together, under a message key
 */

import { parsed } from "./draft.js";
import { make } from "./elements.js";
import { t } from "./language.js";
import { placements, roles, styleName, styles } from "./specimen.js";

export const modes = ["fifo", "priority", "replaceAll", "replace", "stack", "reject"];

const haptics = ["success", "warning", "error", "light", "medium", "heavy", "none"];

const edges = ["top", "bottom", "leading", "trailing"];

const directions = ["up", "down", "left", "right"];

/** @type {(path: string, choices: readonly string[], words?: string, name?: string) => Setting} */
const choice = (path, choices, words, name = `set.${path}`) => ({ path, kind: "choice", name, choices, words });
/** @type {(path: string, unit?: string, name?: string) => Setting} */
const number = (path, unit, name = `set.${path}`) => ({ path, kind: "number", name, unit });
/** @type {(path: string, choices: readonly string[], unit?: string) => Setting} */
const value = (path, choices, unit) => ({ path, kind: "value", name: `set.${path}`, choices, words: `set.${path}`, unit });
/** @type {(path: string, kind: Kind, name?: string, unit?: string) => Setting} */
const other = (path, kind, name = `set.${path}`, unit = undefined) => ({ path, kind, name, unit });

/** @type {(name: string) => Part} */
const animation = (name) => ({
  legend: `set.animations/${name}`,
  settings: [
    number(`animations/${name}/duration`, "unit.seconds", "set.animation.duration"),
    number(`animations/${name}/delay`, "unit.seconds", "set.animation.delay"),
    choice(`animations/${name}/curve`, ["linear", "easeIn", "easeOut", "easeInOut", "spring"], "curve", "set.animation.curve"),
    number(`animations/${name}/response`, "unit.seconds", "set.animation.response"),
    number(`animations/${name}/damping`, undefined, "set.animation.damping"),
    number(`animations/${name}/velocity`, undefined, "set.animation.velocity"),
  ],
});

/** @type {(placement: string) => Part} */
const swipe = (placement) => ({
  legend: `set.swipe/${placement}`,
  settings: [
    other(`gestures/swipe/${placement}/directions`, "directions", "set.swipe.directions"),
    number(`gestures/swipe/${placement}/threshold`, "unit.points", "set.swipe.threshold"),
    number(`gestures/swipe/${placement}/predictedThreshold`, "unit.points", "set.swipe.predictedThreshold"),
  ],
});

/** @type {Record<string, (Setting | Part)[]>} By the message key of the group's name. */
export const groups = {
  "settings.queue": [
    choice("preset", []), choice("mode", modes, "mode"), choice("lanes", ["shared", "placement"], "set.lanes"),
    choice("deduplication", ["none", "identity", "equal"], "set.deduplication"),
    value("maxVisible", ["unlimited"]), number("pause", "unit.seconds"), number("minimumVisible", "unit.seconds"),
    choice("whenUnattended", ["hold", "present"], "set.whenUnattended"), number("capacity"), number("expiresAfter", "unit.seconds"),
  ],
  "settings.toasts": [
    choice("style", styles, "style"), choice("placement", placements, "placement"),
    choice("align", ["start", "center", "end"], "set.align"), choice("stack", ["expanded", "collapsed"], "set.stack"),
    value("duration", ["short", "long", "indefinite"], "unit.seconds"),
    choice("haptic", ["automatic", ...haptics], "vibration"), choice("title", ["automatic", "none"], "headline"),
    other("dimsBackground", "flag"), other("closeButton", "flag"), other("spokenPrefix", "flag"),
  ],
  "settings.layout": [
    number("layout/spacing", "unit.points"), value("layout/maximumWidth", ["style", "unlimited"], "unit.points"),
    other("layout/inset", "edges", undefined, "unit.points"),
    choice("gestures/tap", ["none", "dismiss"], "set.gestures/tap"),
    ...placements.map(swipe),
  ],
  "settings.animations": ["enter", "move", "exit"].map(animation),
  "settings.haptics": roles.map((role) => choice(`haptics/${role}`, haptics, "vibration", `role.${role}`)),
  "settings.theme": [
    {
      legend: "set.theme.light",
      settings: ["background", "textColor", "subtextColor"].map((name) => other(`theme/${name}`, "color", `set.theme.${name}`)),
    },
    {
      legend: "set.theme.dark",
      settings: ["background", "textColor", "subtextColor"].map((name) => other(`theme/${name}Dark`, "color", `set.theme.${name}`)),
    },
    {
      legend: "set.theme.roles",
      settings: roles.map((role) => other(`theme/${role}Color`, "color", `role.${role}`)),
    },
    other("appearance", "json"),
  ],
};

/** @param {Setting} setting @param {string} word */
function choiceName({ path, words }, word) {
  if (path === "style") { return styleName(word); }
  return words ? t(`${words}.${word}`) : word;
}

/** @param {Setting} setting @param {readonly string[]} choices */
export const options = (setting, choices) => choices.map((word) => new Option(choiceName(setting, word), word));

/**
 * The elements of a setting's control: first the control itself, with `data-path`, then a helper, if there is one.
 *
 * @param {Setting} setting
 * @param {string} label - its accessible name
 * @returns {HTMLElement[]}
 */
export function makeControl(setting, label) {
  const { path, kind, choices = [] } = setting;
  const data = { path, kind };
  if (kind === "choice") {
    const select = make("select", "", data);
    select.append(...options(setting, choices));
    return [select];
  }
  if (kind === "directions" || kind === "edges") {
    const group = make("div", "", data);
    group.role = "group";
    group.ariaLabel = label;
    const names = kind === "edges" ? edges : directions;
    group.append(...names.map((name) => {
      const item = make("label");
      const input = make("input", "", { part: name });
      input.type = kind === "edges" ? "number" : "checkbox";
      input.step = "any";
      item.append(...kind === "edges" ? [make("span", t(`edge.${name}`)), input] : [input, make("span", t(`direction.${name}`))]);
      return item;
    }));
    return [group];
  }
  const input = make("input", "", data);
  input.type = { flag: "checkbox", number: "number", value: "number" }[String(kind)] ?? "text";
  input.step = "any";
  input.spellcheck = false;
  input.placeholder = { json: "{}", color: "#RRGGBB" }[String(kind)] ?? (path === "expiresAfter" ? t("never") : "–");
  if (kind === "color") {
    const swatch = make("input", "", { swatch: "" });
    swatch.type = "color";
    swatch.ariaLabel = t("set.pick", { name: label });
    return [input, swatch];
  }
  if (kind === "value") {
    const words = make("select", "", { words: "" });
    words.ariaLabel = label;
    words.append(new Option(t("set.number"), ""), ...options(setting, choices));
    return [input, words];
  }
  return [input];
}

/** @param {HTMLElement} control @returns {HTMLInputElement[]} */
const inner = (control) => [...control.querySelectorAll("input")];

/**
 * Show a value in a control.
 *
 * @param {HTMLElement} control
 * @param {unknown} value
 */
export function fill(control, value) {
  const { kind } = control.dataset;
  if (kind === "directions") {
    for (const input of inner(control)) { input.checked = Array.isArray(value) && value.includes(input.dataset.part); }
    return;
  }
  if (kind === "edges") {
    for (const input of inner(control)) {
      const edge = value && typeof value === "object" ? /** @type {Record<string, number>} */ (value)[input.dataset.part ?? ""] : value;
      input.value = edge === undefined || edge === null ? "" : String(edge);
    }
    return;
  }
  const input = /** @type {HTMLInputElement} */ (control);
  if (kind === "flag") {
    input.checked = value === true;
    return;
  }
  const helper = control.parentElement?.querySelector("[data-swatch], [data-words]");
  if (kind === "value" && helper instanceof HTMLSelectElement) {
    const isWord = typeof value === "string";
    helper.value = isWord ? value : "";
    input.hidden = isWord;
    input.value = isWord || value === undefined || value === null ? "" : String(value);
    return;
  }
  input.value = value === undefined || value === null ? "" : kind === "json" ? JSON.stringify(value) : String(value);
  if (helper instanceof HTMLInputElement) { helper.value = /^#[0-9a-f]{6}/i.exec(input.value)?.[0] ?? "#808080"; }
}

/**
 * The value of a control in the form of the API; null to unset it.
 *
 * @param {HTMLElement} control
 */
export function valueIn(control) {
  const { kind } = control.dataset;
  if (kind === "directions") { return inner(control).filter(({ checked }) => checked).map(({ dataset }) => dataset.part); }
  if (kind === "edges") {
    const values = inner(control).filter((input) => input.value.trim()).map((input) => [input.dataset.part, Number(input.value)]);
    if (!values.length) { return null; }
    const isSame = values.length === edges.length && values.every(([, it]) => it === values[0][1]);
    return isSame ? values[0][1] : Object.fromEntries(values);
  }
  const input = /** @type {HTMLInputElement} */ (control);
  if (kind === "flag") { return input.checked; }
  const text = input.value.trim();
  if (text === "") { return null; }
  if (kind === "json") { return parsed(text); }
  return kind === "number" || kind === "value" ? Number(text) : text;
}

/** The text in a control, to find out whether a person is typing. @param {HTMLElement} control */
export function content(control) {
  if (control.dataset.kind === "flag" || control.dataset.kind === "directions") { return ""; }
  const inputs = control.matches("input, select") ? [/** @type {HTMLInputElement} */ (control)] : inner(control);
  return inputs.map(({ value }) => value).join("\n");
}
