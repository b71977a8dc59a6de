/**
 * The panel with the history and the preferences. Loaded when it is first opened.
 *
 * @import { makeIcon } from "../icons.js"
 * @import { Memory } from "../../toast-viewer.d.ts"
 * @import { PreferenceStore, Preferences } from "../preferences.js"
 * @import { Say, Word } from "./messages.js"
 */

import { make, text, titleOf } from "../text.js";

const scales = /** @type {const} */ ([1, 1.5, 2, 3, 5, 10, "never"]);
const styles = ["glass", "vibrant", "pale", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material"];

/** @param {string} style */
function named(style) {
  return style === "toastui" ? "ToastUI" : style[0].toUpperCase() + style.slice(1);
}

/** @param {string} style */
const option = (style) => /** @type {const} */ ([style, named(style)]);

/** @param {readonly [string, string]} option */
const choice = ([key, name]) => new Option(name, key);

/** The names of the server's styles; none if it does not answer. @param {URL | undefined} server */
async function ownStyles(server) {
  try {
    if (!server) { return []; }
    const response = await fetch(new URL("v1/styles", server));
    const answer = /** @type {{ styles: { name: string }[] }} */ (await response.json());
    return answer.styles.map(({ name }) => name);
  } catch {
    return [];
  }
}

export class Panel {
  element = make("section", "panel");
  #heading = make("h2", "panel-title");
  #body = make("div", "panel-body");
  #say;
  #language;
  #store;
  #closed;
  #own;
  #registered;
  /** @type {"" | "history" | "preferences"} */
  page = "";
  /** The shown history as JSON: a person may be reading, so it is drawn anew only when it has changed. */
  #drawn = "";

  #switch = make("button", "panel-switch");

  /**
   * @param {Say} say
   * @param {string} language
   * @param {PreferenceStore} store
   * @param {object} means
   * @param {typeof makeIcon} means.draw
   * @param {URL | undefined} means.server - its address
   * @param {ReadonlyMap<string, unknown>} means.registered - the page's own styles
   * @param {() => void} means.closed
   * @param {() => void} means.history - opens the history
   */
  constructor(say, language, store, { draw, server, registered, closed, history }) {
    this.#own = ownStyles(server);
    this.#registered = registered;
    this.#say = say;
    this.#language = language;
    this.#store = store;
    this.#closed = closed;
    this.element.role = "dialog";
    this.element.hidden = true;
    this.#heading.id = "panel-title";
    this.element.setAttribute("aria-labelledby", this.#heading.id);
    this.#heading.tabIndex = -1;
    const close = make("button", "panel-close");
    close.ariaLabel = say("close");
    close.append(draw("x-lg", "x-lg"));
    close.addEventListener("click", () => this.close());
    const head = make("div", "panel-head");
    this.#switch.addEventListener("click", () => { if (this.page === "history") { this.showPreferences(); } else { history(); } });
    head.append(this.#heading, this.#switch, close);
    this.element.append(head, this.#body);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") { return; }
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  /** @param {readonly Memory[]} memories - newest first @param {boolean} [takesFocus] */
  showHistory(memories, takesFocus) {
    this.#open("history", takesFocus);
    this.update(memories);
  }

  /** Show the history and preferences, which another tab may change. @param {readonly Memory[]} memories */
  update(memories) {
    for (const it of /** @type {NodeListOf<HTMLInputElement>} */ (this.#body.querySelectorAll("[name]"))) {
      const value = String(Reflect.get(this.#store.current, it.name) ?? "");
      // Only if it differs: assigning a value resets the choice in an open list.
      if (it.value !== value) { it.value = value; }
      it.checked = value === "true";
    }
    if (this.page !== "history") { return; }
    const drawn = JSON.stringify(memories.map(({ toast, at }) => [toast, at]));
    if (drawn === this.#drawn) { return; }
    this.#drawn = drawn;
    const place = this.#body.scrollTop;
    const list = make("ol", "history");
    list.role = "list";
    list.append(...memories.map((memory) => this.#memory(memory)));
    this.#body.replaceChildren(memories.length ? list : make("p", "empty", this.#say("nothing")));
    this.#body.scrollTop = place;
  }

  /** @param {boolean} [takesFocus] */
  showPreferences(takesFocus) {
    this.#open("preferences", takesFocus);
    const say = this.#say;
    const { style } = this.#store.current;
    const fields = make("div", "preferences");
    const times = scales.map((value) => {
      const word = value === 1 ? say("asSent") : value === "never" ? say("never") : say("times", { n: new Intl.NumberFormat(this.#language).format(value) });
      return /** @type {const} */ ([String(value), word]);
    });
    // The preferred style is offered, too, even if neither page nor server has it.
    const known = new Set([...styles, ...this.#registered.keys(), ...style ? [style] : []]);
    const look = this.#choice("style", "style", [["", say("asSent")], ...[...known].map(option)]);
    this.#own.then((names) => look.querySelector("select")?.append(
      ...names.filter((name) => !known.has(name)).map((name) => choice(option(name))),
    ));
    const places = /** @type {const} */ (["top", "center", "bottom"]).map((name) => /** @type {const} */ ([name, say(name)]));
    fields.append(
      this.#choice("time", "scale", times),
      this.#toggle("pauseAll", "isPaused", "pauseHelp"),
      this.#toggle("quiet", "isQuiet", "quietHelp"),
      this.#choice("position", "placement", [["", say("asSent")], ...places]),
      look,
    );
    if ("vibrate" in navigator) {
      fields.append(this.#toggle("vibration", "vibrates"));
    }
    this.#body.replaceChildren(fields);
    this.update([]);
  }

  close() {
    if (!this.page) { return; }
    this.page = "";
    this.element.hidden = true;
    this.#body.replaceChildren();
    this.#closed();
  }

  /** @param {"history" | "preferences"} page @param {boolean} [takesFocus] */
  #open(page, takesFocus = true) {
    this.page = page;
    this.#drawn = "";
    this.#heading.textContent = this.#say(page);
    this.#switch.textContent = this.#say(page === "history" ? "preferences" : "history");
    this.element.hidden = false;
    this.#body.scrollTop = 0;
    if (takesFocus) { this.#heading.focus(); }
  }

  /** @param {Memory} memory */
  #memory({ toast, at, isNew }) {
    const item = make("li", isNew ? "memory new" : "memory");
    item.dataset.role = toast.role;
    item.lang = this.#language;
    const role = this.#say(/** @type {Word} */ (`${toast.role}Role`));
    const title = titleOf(toast, this.#say);
    const time = make("time", "memory-time", new Intl.DateTimeFormat(this.#language, { timeStyle: "medium" }).format(at));
    time.dateTime = new Date(at).toISOString();
    const head = make("p", "memory-title", title || role);
    head.dir = "auto";
    if (title && title !== role) {
      const prefix = make("span", "", `${role}: `);
      prefix.className = "unseen";
      prefix.dir = "auto";
      prefix.lang = this.#say("lang");
      head.prepend(prefix);
    }
    if (toast.title === undefined || !title) { head.lang = this.#say("lang"); }
    const message = make("p", "memory-message", text(toast.message));
    message.dir = "auto";
    item.append(head, time, message);
    return item;
  }

  /** @param {Word} word @param {keyof Preferences} name @param {readonly (readonly [string, string])[]} options */
  #choice(word, name, options) {
    const label = make("label", "preference");
    const select = make("select", "");
    select.name = name;
    select.append(...options.map(choice));
    select.addEventListener("change", () => {
      const { value } = select;
      this.#store.change({ [name]: name === "scale" && Number(value) || value || undefined });
    });
    label.append(make("span", "", this.#say(word)), select);
    return label;
  }

  /** @param {Word} word @param {keyof Preferences} name @param {Word} [help] */
  #toggle(word, name, help) {
    const label = make("label", "preference");
    const words = make("span", "");
    words.append(make("span", "", this.#say(word)));
    const input = make("input", "");
    input.type = "checkbox";
    input.role = "switch";
    input.name = name;
    input.addEventListener("change", () => this.#store.change({ [name]: input.checked }));
    if (help) {
      const note = words.appendChild(make("small", "", this.#say(help)));
      note.id = `help-${word}`;
      input.setAttribute("aria-describedby", note.id);
      input.ariaLabel = this.#say(word);
    }
    label.append(words, input);
    return label;
  }
}
