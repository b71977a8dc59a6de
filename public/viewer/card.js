/**
 * One toast as elements. Text goes in as text, URLs are checked, nothing here is live or takes the focus.
 *
 * @import { Action, PersonsReason, Role, Settings, Toast } from "./wire.d.ts"
 * @import { Own } from "./lazy/parts.js"
 * @import { Say } from "./text.js"
 *
 * @typedef {object} Context - what a card needs beside its toast
 * @property {Settings} [settings] - the channel's
 * @property {(role: Role) => Node | undefined} [sign] - the page's own icon of a role
 * @property {Say} [say] - the viewer's own words, by default English
 */

import { dress, look, prepareLook } from "./css-properties.js";
import { makeIcon, prepareIcons, roleIcon } from "./icons.js";
import { adopt, adoptStyle, knownStyle, renderOf } from "./sheets.js";
import { english, make, nameOf, roleTitle, text, titleOf } from "./text.js";

/** Characters of a message in the close button's name. */
const long = 80;

/** @type {typeof import("./lazy/parts.js") | undefined} What draws more than words and an icon. */
let parts;

/**
 * Load what a toast is drawn with. Never fails: a plain toast is better than none.
 *
 * @param {ShadowRoot} root
 * @param {Partial<Toast> & { style: string }} toast
 * @param {Settings} [settings] - the channel's
 */
export async function prepare(root, toast, settings) {
  const { actions, progress, image, link, icon, style, appearance } = toast;
  const isRich = actions?.length || progress || image || link || icon?.includes("/") || renderOf(style);
  await Promise.all([
    adoptStyle(root, style),
    prepareIcons(style),
    prepareLook(settings?.appearance, appearance),
    isRich && adopt(root, "parts"),
    isRich && import("./lazy/parts.js").then((it) => { parts = it; }, () => {}),
  ]);
}

export class Card {
  /** The list item; the surface is the visible box in it. */
  element = make("li", "toast");
  surface = document.createElement("div");
  /** @type {Toast | undefined} */
  toast;
  isLeaving = false;
  isEnded = false;
  #act;
  #close;
  #closer = make("button", "close");
  /** The toast that was drawn, as JSON; empty to draw it anew. */
  drawn = "";
  #say = english;
  /** @type {Context["sign"]} */
  #sign;
  /** @type {Own | undefined} What a style of the page's own drew. */
  own;
  /** Fulfilled when the exit has been played. @type {Promise<unknown>} */
  exit = Promise.resolve();

  /**
   * Escape dismisses it while the focus is in it, with the focus on the toast itself so do Delete and Backspace.
   *
   * @param {(action: Action) => void} act
   * @param {(reason: PersonsReason) => void} close
   */
  constructor(act, close) {
    this.#act = act;
    this.#close = close;
    this.#closer.append(makeIcon("x-lg", "x-lg"));
    this.#closer.addEventListener("click", () => close("close"));
    this.element.addEventListener("keydown", (event) => {
      const isEscape = event.key === "Escape";
      if (!isEscape && !(event.target === this.surface && /^(Delete|Backspace)$/.test(event.key))) { return; }
      close(isEscape ? "escape" : "key");
      // Handled here: a dialog below stays open.
      event.preventDefault();
      event.stopPropagation();
    });
    this.surface.role = "group";
    this.surface.append(this.#closer);
    this.element.append(this.surface);
  }

  get hasFocus() {
    // Not `:focus-within`: Firefox loses it when the card moves into a dialog.
    const { activeElement = null } = /** @type {Partial<ShadowRoot>} */ (this.element.getRootNode());
    return this.element.contains(activeElement);
  }

  /** Focusable only by this, not by a click. @returns {boolean} whether it has the focus: false for a leaving card */
  focus() {
    const { surface } = this;
    surface.tabIndex = -1;
    surface.focus();
    surface.addEventListener("blur", () => surface.removeAttribute("tabindex"), { once: true });
    return this.hasFocus;
  }

  /** @param {Toast} toast @param {Context} [context] */
  update(toast, { settings = {}, sign, say = english } = {}) {
    this.toast = toast;
    this.#sign = sign;
    if (say !== this.#say) { this.drawn = ""; }
    this.#say = say;
    const style = knownStyle(toast.style);
    const appearance = look?.appearanceOf(settings, toast) ?? {};
    this.element.setAttribute("part", `toast ${toast.role} ${style}`);
    Object.assign(this.surface.dataset, { style, role: toast.role, now: say("now") });
    if (look) { dress(this.surface, look.appearanceProperties(appearance)); }
    const render = parts && renderOf(style);
    const { progress, ...rest } = toast;
    const drawn = JSON.stringify({ ...rest, style, revision: 0, progress: progress && ("value" in progress), appearance: 0 });
    const isOwn = render && parts?.render(this, render, toast, {
      appearance, act: this.#act, close: () => this.#close("close"), say,
      icon: toast.icon === "none" ? undefined : () => this.#glyph(toast, style),
    });
    if (!isOwn && (drawn !== this.drawn || this.own)) { this.#draw(toast, style); }
    this.drawn = drawn;
    parts?.measure(this.surface, progress);
  }

  /**
   * Replace all but the close button. The focus stays on the element of the same part and place.
   *
   * @param {Toast} toast
   * @param {Node[]} nodes
   */
  fill(toast, ...nodes) {
    const restore = parts?.keepFocus(this);
    while (this.#closer.previousSibling) { this.#closer.previousSibling.remove(); }
    this.#closer.before(...nodes);
    restore?.();
    this.name(toast);
  }

  /**
   * Name the group, for when the focus enters it, by role, title and message; and the close button by what it closes.
   *
   * @param {Toast} toast
   */
  name(toast) {
    this.surface.ariaLabel = nameOf(toast, this.#say);
    // Not the title of the role, which many toasts have.
    const name = text(toast.title) || nameOf(toast, this.#say);
    this.#closer.ariaLabel = this.#say("dismiss", { name: name.length > long ? `${name.slice(0, long)}…` : name });
  }

  /** @param {Toast} toast @param {string} style */
  #draw(toast, style) {
    this.own = undefined;
    const title = titleOf(toast, this.#say);
    const role = roleTitle(toast.role, this.#say);
    const message = text(toast.message);
    const body = parts?.linked(toast, () => this.#close("tap")) ?? make("div", "body");
    const prefix = make("span", "prefix", `${role}: `);
    prefix.className = "unseen";
    // Isolated, so that it does not decide the direction of the publisher's words.
    prefix.dir = "auto";
    if (title) {
      const line = body.appendChild(make("p", "title", title));
      line.dir = "auto";
      line.toggleAttribute("data-automatic", toast.title === undefined);
      if (title !== role) { line.prepend(prefix); }
    }
    if (message) {
      const line = body.appendChild(make("p", "message", message));
      line.dir = "auto";
      if (!title) { line.prepend(prefix); }
    }
    const image = parts?.pictureOf(toast);
    if (image) { body.append(image); }

    const all = [
      this.#icon(toast, style),
      body,
      toast.progress && parts?.progress(this.#say),
      parts?.buttons(toast.actions, this.#act),
    ];
    this.fill(toast, ...all.filter((it) => it !== undefined));
  }

  /** @param {Toast} toast @param {string} style */
  #icon(toast, style) {
    const { icon, role } = toast;
    if (icon === "none" || (!icon && !roleIcon(style, role) && !this.#sign?.(role))) { return undefined; }
    const part = make("span", "icon");
    part.ariaHidden = "true";
    part.toggleAttribute("data-own", icon !== undefined);
    part.append(this.#glyph(toast, style));
    return part;
  }

  /** @param {Pick<Toast, "icon" | "role">} toast @param {string} style @returns {SVGSVGElement | HTMLElement} */
  #glyph({ icon, role }, style) {
    const picture = icon?.includes("/") && parts?.picture(icon, () => this.#glyph({ role }, style));
    if (picture) { return picture; }
    const glyph = roleIcon(style, role) ?? "info-lg";
    const sign = icon === undefined ? this.#sign?.(role) : undefined;
    return sign ? /** @type {HTMLElement} */ (sign) : makeIcon(icon ?? glyph, glyph);
  }
}
