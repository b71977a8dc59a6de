/**
 * What a person can do about all toasts at once: see more of them, pause, dismiss all, look back, set how they come.
 *
 * @import { Word } from "./messages.js"
 *
 * @typedef {object} Summary
 * @property {number} count - toasts on the screen
 * @property {number} more - toasts that there is no room for, or that wait
 * @property {boolean} isPaused
 * @property {number} unread
 */

const names = /** @type {const} */ (["more", "pause", "clear", "history", "preferences"]);

/** @typedef {typeof names[number]} ControlName */

export class Controls {
  element = document.createElement("div");
  #buttons;
  #say;

  /**
   * @param {(word: Word, values?: Record<string, string | number>) => string} say
   * @param {(name: ControlName) => void} press
   */
  constructor(say, press) {
    this.#say = say;
    this.element.setAttribute("part", "toolbar");
    this.element.role = "group";
    this.element.ariaLabel = say("controls");
    this.#buttons = Object.fromEntries(names.map((name) => {
      const button = this.element.appendChild(document.createElement("button"));
      button.type = "button";
      button.setAttribute("part", `control ${name}`);
      button.addEventListener("click", () => press(name));
      return [name, button];
    }));
    this.#label("clear", say("clear"));
    this.#label("preferences", say("preferences"));
    for (const name of /** @type {const} */ (["history", "preferences"])) { this.#buttons[name].ariaHasPopup = "dialog"; }
    this.update({ count: 0, more: 0, isPaused: false, unread: 0 });
  }

  /** @param {Summary} summary */
  update({ count, more, isPaused, unread }) {
    const say = this.#say;
    this.#label("more", say(isPaused ? "waiting" : "more", { n: more }));
    this.#label("pause", say(isPaused ? "resume" : "pause"));
    this.#label("history", unread ? say("unread", { n: unread }) : say("history"));
    this.#show("more", more > 0);
    this.#show("clear", count + more > 1);
    this.#buttons.more.disabled = isPaused;
    // A single toast that was looked for needs no bar below it.
    this.element.toggleAttribute("data-needed", count + more > 1 || isPaused || unread > 0);
  }

  focus() {
    this.#buttons.history.focus();
  }

  /** @param {ControlName} name @param {string} text */
  #label(name, text) {
    if (this.#buttons[name].textContent !== text) { this.#buttons[name].textContent = text; }
  }

  /** A button that goes while it has the focus hands it on. @param {ControlName} name @param {boolean} isShown */
  #show(name, isShown) {
    const button = this.#buttons[name];
    if (!isShown && button.matches(":focus")) { this.focus(); }
    button.hidden = !isShown;
  }
}
