/**
 * The buttons of the toolbar: more or fewer toasts, pause, dismiss all, history, preferences. They are icons with
 * hidden names, because the toolbar must not be larger than the toasts.
 *
 * @import { Word } from "./messages.js"
 *
 * @typedef {object} Summary
 * @property {number} count - toasts on the screen
 * @property {number} more - toasts that there is no room for, or that wait
 * @property {boolean} isExpanded - whether a person has asked to see all toasts
 * @property {boolean} isPaused
 * @property {number} unread
 * @property {boolean} isNews - whether something unread has just come, so that the button shows without hover
 */

import { makeSVG } from "../text.js";

const names = /** @type {const} */ (["more", "less", "pause", "clear", "history", "preferences"]);

/** @typedef {typeof names[number]} ControlName */

/** Path data of strokes on a grid of 16 by 16. @type {Record<ControlName | "resume", string>} */
const strokes = {
  more: "M3 4l5 4 5-4M3 8.5l5 4 5-4",
  less: "M3 7.5l5-4 5 4M3 12l5-4 5 4",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  resume: "M5 3.5v9l7-4.5z",
  clear: "M5 4h9M3.5 8h9M2 12h9",
  history: "M2.5 2.5v3.5h3.5M2.9 5.9a5.6 5.6 0 1 1-.5 2.7M8 5v3.3l2.3 1.4",
  preferences: "M2 5h6.5m4.5 0h1M2 11h1m4.5 0h6.5M8.5 5a2.2 2.2 0 1 0 4.5 0a2.2 2.2 0 1 0-4.5 0M3 11a2.2 2.2 0 1 0 4.5 0a2.2 2.2 0 1 0-4.5 0",
};

function icon() {
  const svg = makeSVG("svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.ariaHidden = "true";
  svg.append(makeSVG("path"));
  return svg;
}

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
      button.setAttribute("part", `control ${name}`);
      const label = document.createElement("span");
      label.className = "unseen";
      button.append(icon(), label);
      button.addEventListener("click", () => press(name));
      return [name, button];
    }));
    for (const name of /** @type {const} */ (["history", "preferences"])) { this.#buttons[name].ariaHasPopup = "dialog"; }
  }

  /** @param {Summary} summary */
  update({ count, more, isExpanded, isPaused, unread, isNews }) {
    const say = this.#say;
    this.#label("more", say(isPaused ? "waiting" : "more", { n: more }), more);
    this.#label("less", say("less"));
    this.#label("pause", say(isPaused ? "resume" : "pause"), 0, isPaused ? "resume" : "pause");
    this.#label("clear", say("clear"));
    this.#label("history", unread ? say("unread", { n: unread }) : say("history"), unread);
    this.#label("preferences", say("preferences"));
    this.#show("more", more > 0);
    this.#show("less", isExpanded);
    this.#show("clear", count + more > 1);
    this.#buttons.more.disabled = isPaused;
    // Visible without hover: they tell of something that is not on the screen.
    this.#buttons.more.toggleAttribute("data-lasting", more > 0);
    this.#buttons.pause.toggleAttribute("data-lasting", isPaused);
    this.#buttons.history.toggleAttribute("data-lasting", isNews);
  }

  /** The buttons that are there, in their order. */
  get shown() { return names.map((name) => this.#buttons[name]).filter((button) => !button.hidden); }

  focus() {
    this.#buttons.history.focus();
  }

  /**
   * @param {ControlName} name
   * @param {string} text
   * @param {number} [count] - shown beside the icon, unless it is 0
   * @param {ControlName | "resume"} [drawn]
   */
  #label(name, text, count = 0, drawn = name) {
    const button = this.#buttons[name];
    const [svg, label] = button.children;
    if (label.textContent !== text) { label.textContent = button.title = text; }
    button.dataset.count = count ? String(count) : "";
    svg.firstElementChild?.setAttribute("d", strokes[drawn]);
  }

  /** A button that is hidden passes its focus on. @param {ControlName} name @param {boolean} isShown */
  #show(name, isShown) {
    const button = this.#buttons[name];
    if (!isShown && button.matches(":focus")) { this.focus(); }
    button.hidden = !isShown;
  }
}
