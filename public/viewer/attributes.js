/**
 * What the page says in attributes, and what it means where it says nothing.
 *
 * `channel`; `src`, the server, by default the one that this file came from; `holds`
 * (local, shared, off); `theme` (light, dark, system; by default what the page has); `top-layer="off"`;
 * `assistive`; `vibrate`; `label`; `hotkey`, "F8" by default, e.g. "Alt+KeyT", empty for none; `announce`
 * (auto, polite, off); `max`, how many toasts are on the screen at a time; `share="off"`, a stream for this tab alone.
 */

/** Toasts that are on the screen at a time, unless the page or the channel wants fewer, or a person more. */
const roomy = 10;
export const expanded = 100;

export class Attributed extends HTMLElement {
  static observedAttributes = ["channel", "src", "assistive", "lang"];

  get channel() { return this.getAttribute("channel") ?? ""; }
  set channel(name) { this.setAttribute("channel", name); }

  /** @returns {"local" | "shared" | "off"} */
  get holds() {
    const value = this.getAttribute("holds");
    return value === "shared" || value === "off" ? value : "local";
  }
  set holds(value) { this.setAttribute("holds", value); }

  /** The key that brings the focus to the toasts. */
  get hotkey() { return this.getAttribute("hotkey") ?? "F8"; }
  set hotkey(key) { this.setAttribute("hotkey", key); }
}

/**
 * The address of the server, with its "/": by default the one that this file came from.
 *
 * @param {Element} element
 */
export function serverOf(element) {
  return new URL(element.getAttribute("src") ?? new URL("..", import.meta.url), document.baseURI);
}

/**
 * How the stream is asked for.
 *
 * @param {Element} element
 * @param {number} scale - times that toasts are to stay as long as the server says
 */
export function mannerOf(element, scale) {
  return { isAssistive: element.hasAttribute("assistive"), isShared: element.getAttribute("share") !== "off", scale };
}

/**
 * How toasts are announced.
 *
 * @param {Element} element
 * @returns {"auto" | "polite" | "off"}
 */
export function announcementOf(element) {
  const announce = element.getAttribute("announce");
  return announce === "off" || announce === "polite" ? announce : "auto";
}

/**
 * How many toasts are on the screen at a time: the page's word goes before the channel's.
 *
 * @param {Element} element
 * @param {unknown} ofChannel
 */
export function roomOf(element, ofChannel) {
  const wanted = element.getAttribute("max");
  const max = Number(wanted ?? ofChannel);
  return max >= 1 ? Math.min(max, wanted === null ? roomy : expanded) : roomy;
}
