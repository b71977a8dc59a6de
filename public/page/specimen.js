/**
 * A sample toast in the page, drawn by the viewer's own card and sheets, but inert.
 *
 * @import { Settings, Toast } from "../viewer/wire.d.ts"
 */

import { Card, prepare } from "../viewer/card.js";
import { adopt } from "../viewer/sheets.js";
import { dress, prepareLook, settingsProperties } from "../viewer/css-properties.js";
import { offer } from "../viewer/lazy/gestures.js";
import { wordsIn } from "../viewer/lazy/messages.js";
import { request } from "./channel.js";
import { language } from "./language.js";

const say = wordsIn(language);

/** The styles that come with the viewer. */
const shipped = [
  "glass", "vibrant", "pale", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material",
];

/** @param {string} style */
export function isShipped(style) {
  return shipped.includes(style);
}

/** The server's own styles; none if it does not answer, or a proxy answers in its place. */
async function own() {
  try {
    /** @type {{ styles?: { name: string, own: boolean }[] }} */
    const { styles: found = [] } = await request("GET", "v1/styles");
    return found.map(({ name }) => name).filter((name) => !isShipped(name));
  } catch {
    return [];
  }
}

/** All styles that a toast can be shown in. */
export const styles = [...shipped, ...await own()];

export const roles = /** @type {const} */ (["success", "error", "warning", "info"]);

export const placements = /** @type {const} */ (["top", "center", "bottom"]);

/** @param {string} name - of a style */
export function styleName(name) {
  return { toastui: "ToastUI" }[name] ?? name[0].toUpperCase() + name.slice(1);
}

export class Specimen {
  #root;
  #list = document.createElement("ol");
  #card = new Card(() => {}, () => {});
  #turn = 0;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#root = host.attachShadow({ mode: "open" });
    this.#list.role = "list";
    this.#list.append(this.#card.element);
    // Its buttons must not be pressed, and screen readers must not read it.
    this.#list.inert = true;
    this.#list.dataset.placement = "preview";
  }

  /**
   * @param {Partial<Toast>} toast
   * @param {Settings} [settings] - of the channel
   */
  async show(toast, settings = {}) {
    const style = toast.style ?? "glass";
    const turn = ++this.#turn;
    await Promise.all([prepare(this.#root, { ...toast, style }, settings), prepareLook(settings.theme), adopt(this.#root, "stage")]);
    // A later call draws, or has drawn already, if it needed less to load.
    if (turn !== this.#turn) { return; }
    dress(this.#list, settingsProperties(settings));
    this.#card.update(/** @type {Toast} */ ({ id: "specimen", role: "info", placement: "top", ...toast, style }), { settings, say });
    offer(this.#card.surface, settings);
    this.#root.append(this.#list);
  }
}
