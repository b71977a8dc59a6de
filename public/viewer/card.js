/**
 * One toast as elements. Text goes in as text, URLs are checked, nothing here is live or takes the focus.
 *
 * @import { Action, PersonsReason, Role, Settings, Toast } from "./wire.d.ts"
 * @import { Configuration } from "./sheets.js"
 * @import { Say } from "./words.js"
 *
 * @typedef {object} Context - what a toast looks like beside what it says
 * @property {Settings} [settings] - the channel's
 * @property {(role: Role) => Node | undefined} [sign] - the page's own icon of a role
 * @property {Say} [say] - the words that are not the publisher's; English, if nobody says which
 */

import { appearanceProperties, dress, merged } from "./dress.js";
import { makeIcon, roleIcon } from "./icons.js";
import { checked, configurationOf } from "./own.js";
import { knownStyle, renderOf } from "./sheets.js";
import { roleTitle, safeURL, text, titleOf } from "./text.js";
import { english } from "./words.js";

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
  #say = english;
  /** @type {Context["sign"]} */
  #sign;
  /** @type {{ update?: (configuration: Configuration) => void } | undefined} What a style of the page's own drew. */
  #own;
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
    // Not `:focus-within`: Firefox forgets it of what was moved into a dialog.
    const { activeElement = null } = /** @type {Partial<ShadowRoot>} */ (this.element.getRootNode());
    return this.element.contains(activeElement);
  }

  /**
   * @param {Toast} toast
   * @param {Context} [context]
   */
  update(toast, { settings = {}, sign, say = english } = {}) {
    this.toast = toast;
    this.#sign = sign;
    if (say !== this.#say) { this.#drawn = ""; this.#own = undefined; }
    this.#say = say;
    const style = knownStyle(toast.style);
    const appearance = merged(settings.appearance, toast.appearance);
    this.element.setAttribute("part", `toast ${toast.role} ${style}`);
    if (this.surface.dataset.style !== style) { this.#own = undefined; }
    this.surface.dataset.style = style;
    this.surface.dataset.role = toast.role;
    this.surface.dataset.now = say("now");
    this.surface.toggleAttribute("data-quiet", settings.closeButton === false);
    this.surface.toggleAttribute("data-tap", settings.gestures?.tap === "dismiss");
    dress(this.surface, appearanceProperties(appearance));
    const render = renderOf(style);
    const { progress, ...rest } = toast;
    const drawn = JSON.stringify({ ...rest, style, revision: 0, progress: progress && ("value" in progress), appearance: 0 });
    if (render) {
      this.#render(render, toast, appearance, drawn);
    } else if (drawn !== this.#drawn) {
      this.#draw(toast, style);
    }
    this.#drawn = drawn;
    this.#measure(progress);
  }

  /**
   * Let a style of the page's own draw the content; what it cannot draw is drawn in the usual parts.
   *
   * @param {NonNullable<ReturnType<typeof renderOf>>} render
   * @param {Toast} toast
   * @param {Configuration["appearance"]} appearance
   * @param {string} drawn
   */
  #render(render, toast, appearance, drawn) {
    const configuration = configurationOf(toast, {
      appearance, act: this.#act, close: () => this.#close("close"), say: this.#say,
      icon: toast.icon === "none" ? undefined : () => this.#glyph(toast, toast.style),
    });
    try {
      if (this.#own?.update) {
        this.#own.update(configuration);
      } else {
        const { node, update } = checked(render(configuration));
        this.#own = { update };
        this.#keepFocus(() => this.surface.replaceChildren(node, this.#closer(configuration.title || configuration.message)));
      }
      this.#name(toast);
    } catch (error) {
      reportError(error);
      if (drawn !== this.#drawn) { this.#draw(toast, toast.style); }
    }
  }

  /**
   * Build the content anew, but keep the focus on what has the same part and place.
   *
   * @param {() => void} build
   */
  #keepFocus(build) {
    const focusable = () => [.../** @type {NodeListOf<HTMLElement>} */ (this.surface.querySelectorAll("button, a"))];
    const focused = focusable().findIndex((it) => it.matches(":focus"));
    build();
    if (focused >= 0) { focusable()[focused]?.focus(); }
  }

  /**
   * The name of the group is read when the focus enters it, so it is whole: role, title and message.
   *
   * @param {Toast} toast
   */
  #name(toast) {
    const title = titleOf(toast, this.#say);
    const role = roleTitle(toast.role, this.#say);
    this.surface.ariaLabel = [title !== role && role, title, text(toast.message)].filter(Boolean).join(": ");
  }

  /**
   * @param {Toast} toast
   * @param {string} style
   */
  #draw(toast, style) {
    this.#own = undefined;
    const title = titleOf(toast, this.#say);
    const role = roleTitle(toast.role, this.#say);
    const message = text(toast.message);
    const body = make("div", "body");
    const prefix = make("span", "prefix", `${role}: `);
    prefix.className = "unseen";
    const isPrefixed = title !== role;
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
    this.#keepFocus(() => this.surface.replaceChildren(...parts.filter((it) => it !== undefined)));
    this.#name(toast);
  }

  /**
   * @param {Toast} toast
   * @param {string} style
   */
  #icon(toast, style) {
    const { icon, role } = toast;
    if (icon === "none" || (!icon && !roleIcon(style, role) && !this.#sign?.(role))) { return undefined; }
    const part = make("span", "icon");
    part.ariaHidden = "true";
    part.toggleAttribute("data-own", icon !== undefined);
    part.append(this.#glyph(toast, style));
    return part;
  }

  /**
   * @param {Toast} toast
   * @param {string} style
   */
  #glyph({ icon, role }, style) {
    const url = icon?.includes("/") ? safeURL(icon) : undefined;
    if (url) { return this.#image(url, "", "picture"); }
    const glyph = roleIcon(style, role) ?? "info-lg";
    const sign = icon === undefined ? this.#sign?.(role) : undefined;
    return sign ? /** @type {HTMLElement} */ (sign) : makeIcon(icon ?? glyph, glyph);
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
    part.ariaLabel = this.#say("progress");
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
      label.dir = "auto";
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
    button.ariaLabel = this.#say("dismiss", { name });
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
