/**
 * What all pages share: language, colour scheme, the channel, and links that keep language and channel.
 */

import { Channel, isChannelName } from "./channel.js";
import { language, translate } from "./language.js";

const storage = "toastd-scheme";

/**
 * A value from an earlier visit; null if there is none, or the browser allows no storage.
 *
 * @param {string} name
 */
export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage the default comes again at the next visit.
  }
}

/** @param {string} scheme */
function paint(scheme) {
  const isOne = scheme === "light" || scheme === "dark";
  if (isOne) { document.documentElement.dataset.scheme = scheme; } else { delete document.documentElement.dataset.scheme; }
}

/** Translate the page, set its colour scheme, and connect the controls for both. */
export function preparePage() {
  translate();
  const scheme = new URLSearchParams(location.search).get("scheme") ?? recall(storage) ?? "system";
  paint(scheme);
  const form = document.querySelector("form[data-scheme]");
  for (const input of form?.querySelectorAll("input") ?? []) { input.checked = input.value === scheme; }
  form?.addEventListener("change", ({ target }) => {
    const { value } = /** @type {HTMLInputElement} */ (target);
    keep(storage, value);
    paint(value);
  });
  for (const link of document.querySelectorAll("[data-language]")) {
    if (link.getAttribute("data-language") === language) { link.setAttribute("aria-current", "true"); }
  }
}

/** Let toasts stand below the page's header while it is on the screen: they do not cover the navigation. */
export function clearHeader() {
  const header = document.querySelector("body > header");
  if (!header) { return; }
  let isDue = false;
  const measure = () => {
    isDue = false;
    const height = Math.max(0, Math.round(header.getBoundingClientRect().bottom));
    document.documentElement.style.setProperty("--below-header", `${height}px`);
  };
  const requestMeasure = () => {
    if (isDue) { return; }
    isDue = true;
    requestAnimationFrame(measure);
  };
  measure();
  addEventListener("scroll", requestMeasure, { passive: true });
  new ResizeObserver(requestMeasure).observe(header);
}

/**
 * The channel that is asked for, or one of this visitor's own.
 *
 * @param {string | null} [asked] - its name, by default that in the address
 */
export function channelOf(asked = new URLSearchParams(location.search).get("channel")) {
  return new Channel(asked && isChannelName(asked) ? asked : ownChannel());
}

/** The HTML that embeds a channel in any page. @param {string} channel */
export const embedding = (channel) => [
  `<script type="module" src="${new URL("toast-viewer.js", document.baseURI)}"></script>`,
  `<toast-viewer channel="${channel}"></toast-viewer>`,
].join("\n");

/** The channel that this visitor got at the first visit, or gets now. */
function ownChannel() {
  const kept = recall("toastd-channel");
  if (kept && /^demo-[0-9a-f]{4}$/.test(kept)) { return kept; }
  const name = `demo-${crypto.getRandomValues(new Uint16Array(1))[0].toString(16).padStart(4, "0")}`;
  keep("toastd-channel", name);
  return name;
}

/**
 * Let the links to our other pages and languages keep the channel and the language.
 *
 * @param {string} channel
 */
export function relink(channel) {
  const kept = "[data-language], [data-example], [data-home], [data-gallery], [data-guide]";
  for (const link of document.querySelectorAll(kept)) {
    if (!(link instanceof HTMLAnchorElement)) { continue; }
    const { language: other } = link.dataset;
    const address = new URL(other ? location.href : link.href, document.baseURI);
    address.searchParams.set("channel", channel);
    const asked = other ?? new URLSearchParams(location.search).get("lang");
    if (asked) { address.searchParams.set("lang", asked); }
    link.href = address.href;
  }
}
