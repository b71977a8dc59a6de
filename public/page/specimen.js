/**
 * A toast in the page, drawn by the viewer's own card and sheets: to be looked at, not to be used.
 *
 * @import { Settings, Toast } from "../viewer/wire.d.ts"
 */

import { Card, prepare } from "../viewer/card.js";
import { adopt } from "../viewer/sheets.js";
import { dress, prepareLook, settingsProperties } from "../viewer/dress.js";
import { wordsIn } from "../viewer/later/words.js";
import { language } from "./language.js";

const say = wordsIn(language);

/** The styles of the viewer, each in a file of its own. */
export const styles = [
  "glass", "vibrant", "pale", "capsule", "notification", "retro", "toaster", "toastui", "snackbar", "material",
];

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

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#root = host.attachShadow({ mode: "open" });
    this.#list.role = "list";
    this.#list.append(this.#card.element);
    // A picture of a toast: its buttons are not to be pressed, and it is not to be read out twice.
    this.#list.inert = true;
    this.#list.dataset.placement = "preview";
  }

  /**
   * @param {Partial<Toast>} toast
   * @param {Settings} [settings] - of the channel that it will be in
   */
  async show(toast, settings = {}) {
    const style = toast.style ?? "glass";
    await Promise.all([prepare(this.#root, { ...toast, style }, settings), prepareLook(settings.theme), adopt(this.#root, "stage")]);
    dress(this.#list, settingsProperties(settings));
    this.#card.update(/** @type {Toast} */ ({ id: "specimen", role: "info", placement: "top", ...toast, style }), { settings, say });
    this.#root.append(this.#list);
  }
}
