/**
 * One toast as elements. Text goes in as text, URLs are checked, nothing here is live or takes the focus.
 *
 * @import { Action, PersonsReason, Toast } from "./wire.d.ts"
 */

import { makeIcon, roleIcon } from "./icons.js";
import { knownStyle } from "./sheets.js";
import { roleTitles, safeURL, text, titleOf } from "./text.js";

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} part
 * @param {string} [content]
 */
function make(name, part, content = "") {
  const element = document.createElement(name);
  element.setAttribute("part", part);
  element.textContent = content;
  return element;
}

export class Card {
  /** The list item; its child is the toast that is seen. */
  element = make("li", "toast");
  surface = document.createElement("div");
  /** @type {Toast | undefined} */
  toast;
  isLeaving = false;
  isEnded = false;
  #act;
  #close;
  #drawn = "";
  /** @type {Promise<unknown> | undefined} */
  #exit;

  /**
   * @param {(action: Action) => void} act
   * @param {(reason: PersonsReason) => void} close
   */
  constructor(act, close) {
    this.#act = act;
    this.#close = close;
    this.surface.role = "group";
    this.element.append(this.surface);
  }

  get hasFocus() {
    return this.element.matches(":focus-within");
  }

  /** @param {Toast} toast */
  update(toast) {
    this.toast = toast;
    const style = knownStyle(toast.style);
    this.element.setAttribute("part", `toast ${toast.role} ${style}`);
    this.surface.dataset.style = style;
    this.surface.dataset.role = toast.role;
    const { progress, ...rest } = toast;
    const drawn = JSON.stringify({ ...rest, revision: 0, progress: progress && "value" in progress });
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#draw(toast, style);
    }
    this.#measure(progress);
  }

  /**
   * Build the content anew, but keep the focus on what has the same part and place.
   *
   * @param {Toast} toast
   * @param {string} style
   */
  #draw(toast, style) {
    const focusable = () => [.../** @type {NodeListOf<HTMLElement>} */ (this.surface.querySelectorAll("button, a"))];
    const focused = focusable().findIndex((it) => it.matches(":focus"));

    const title = titleOf(toast);
    const message = text(toast.message);
    const body = make("div", "body");
    const prefix = make("span", "prefix", `${roleTitles[toast.role]}: `);
    prefix.className = "unseen";
    const isPrefixed = title !== roleTitles[toast.role];
    if (title) {
      const line = body.appendChild(make("p", "title", title));
      line.dir = "auto";
      line.toggleAttribute("data-automatic", toast.title === undefined);
      if (isPrefixed) { line.prepend(prefix); }
    }
    if (message) {
      const line = body.appendChild(make("p", "message", message));
      line.dir = "auto";
      if (!title) { line.prepend(prefix); }
    }
    const image = safeURL(toast.image?.url);
    if (image) { body.append(this.#image(image, toast.image?.alt ?? "", "image")); }

    const parts = [
      this.#icon(toast, style),
      body,
      toast.progress && this.#progress(),
      this.#actions(toast.actions),
      this.#closer(title || message),
    ];
    this.surface.replaceChildren(...parts.filter((it) => it !== undefined));
    // The name of the group is read when the focus enters it, so it is whole: role, title and message.
    this.surface.ariaLabel = [isPrefixed && roleTitles[toast.role], title, message].filter(Boolean).join(": ");
    if (focused >= 0) { focusable()[focused]?.focus(); }
  }

  /**
   * @param {Toast} toast
   * @param {string} style
   */
  #icon({ icon, role }, style) {
    if (icon === "none") { return undefined; }
    const part = make("span", "icon");
    part.ariaHidden = "true";
    const url = icon?.includes("/") ? safeURL(icon) : undefined;
    const glyph = roleIcon(style, role);
    part.append(url ? this.#image(url, "", "picture") : makeIcon(icon ?? glyph, glyph));
    return part;
  }

  /**
   * @param {string} url
   * @param {string} alt
   * @param {string} part
   */
  #image(url, alt, part) {
    const image = make("img", part);
    image.referrerPolicy = "no-referrer";
    image.alt = alt;
    image.src = url;
    return image;
  }

  #progress() {
    const part = make("div", "progress");
    part.role = "progressbar";
    part.ariaLabel = "Progress";
    part.ariaValueMin = "0";
    const svg = document.createElementNS(svgNamespace, "svg");
    svg.setAttribute("viewBox", "0 0 40 40");
    svg.setAttribute("aria-hidden", "true");
    for (let index = 0; index < 2; index++) {
      const circle = svg.appendChild(document.createElementNS(svgNamespace, "circle"));
      for (const [name, value] of Object.entries({ cx: 20, cy: 20, r: 18.5, pathLength: 1 })) {
        circle.setAttribute(name, String(value));
      }
    }
    part.append(svg, document.createElement("span"));
    return part;
  }

  /** @param {Toast["progress"]} progress */
  #measure(progress) {
    const part = this.surface.querySelector("[part=progress]");
    if (!progress || !(part instanceof HTMLElement)) { return; }
    const isMeasured = "value" in progress;
    part.toggleAttribute("data-indeterminate", !isMeasured);
    part.ariaValueMax = isMeasured ? String(progress.total) : null;
    part.ariaValueNow = isMeasured ? String(progress.value) : null;
    part.style.setProperty("--value", isMeasured ? String(progress.value / progress.total) : "");
  }

  /** @param {Action[]} [actions] */
  #actions(actions) {
    if (!actions?.length) { return undefined; }
    const part = make("div", "actions");
    for (const action of actions) {
      const url = safeURL(action.url);
      const button = make(url ? "a" : "button", action.role ? `action ${action.role}` : "action");
      const label = button.appendChild(document.createElement("span"));
      label.textContent = text(action.title);
            if (button instanceof HTMLAnchorElement) {
        Object.assign(button, { href: url, target: "_blank", rel: "noopener noreferrer" });
      }
      button.addEventListener("click", () => this.#act(action));
      part.append(button);
    }
    return part;
  }

  /** @param {string} name */
  #closer(name) {
    const button = make("button", "close");
    button.ariaLabel = `Dismiss: ${name}`;
    button.append(makeIcon("x-lg", "x-lg"));
    button.addEventListener("click", () => this.#close("close"));
    return button;
  }

  /** A message that is cut by the height it may have can be scrolled by finger and key. */
  fit() {
    const message = this.surface.querySelector("[part=message]");
    if (message && message.scrollHeight > message.clientHeight + 1) { message.setAttribute("tabindex", "0"); }
  }

  /** Take the focus. Only then can the toast have it: a click on one leaves the focus where it is. */
  focus() {
    this.surface.tabIndex = -1;
    this.surface.focus();
    this.surface.addEventListener("blur", () => this.surface.removeAttribute("tabindex"), { once: true });
  }

  /** The toast is over for the server but still looked at here: it can be read, not answered. */
  end() {
    this.isEnded = true;
    this.element.dataset.state = "ended";
    for (const button of this.surface.querySelectorAll("[part=actions] button")) {
      button.toggleAttribute("disabled", true);
    }
  }

  /**
   * Play the exit. It ends by a timer, not by the end of a transition: where transitions are off,
   * that would never come.
   *
   * @param {number} seconds
   */
  leave(seconds) {
    this.isLeaving = true;
    this.element.style.setProperty("--exit", `${seconds}s`);
    this.element.dataset.state = "leaving";
    this.element.inert = true;
    this.#exit = new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }

  /** The exit was too early: the server did not hear of it. */
  comeBack() {
    this.isLeaving = false;
    this.element.dataset.state = "back";
    this.element.inert = false;
    this.element.style.translate = "";
    this.element.style.opacity = "";
  }

  /** When the exit has been played; at once, if there is none. */
  get exit() {
    return this.#exit ?? Promise.resolve();
  }
}
