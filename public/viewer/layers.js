/**
 * Staying on top, and in reach: above a modal dialog only what is in it can be used or heard.
 *
 * So when one opens, the viewer moves into it, and when it closes, back to where it was.
 */

export class Layers {
  #host;
  #moving;
  #moved;
  /** Where the viewer belongs. */
  #home = document.createComment("toast-viewer");

  /**
   * @param {HTMLElement} host
   * @param {() => void} moving - called before a move
   * @param {() => void} moved - called when something else may have come on top
   */
  constructor(host, moving, moved) {
    this.#host = host;
    this.#moving = moving;
    this.#moved = moved;
  }

  watch() {
    // These events do not bubble, but they can be caught on their way down.
    document.addEventListener("toggle", this.#opened, true);
    document.addEventListener("beforetoggle", this.#closing, true);
    document.addEventListener("fullscreenchange", this.#moved);
  }

  unwatch() {
    document.removeEventListener("toggle", this.#opened, true);
    document.removeEventListener("beforetoggle", this.#closing, true);
    document.removeEventListener("fullscreenchange", this.#moved);
  }

  // Only now is it known whether the dialog is a modal one.
  #opened = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLDialogElement && target.matches(":modal") && !target.contains(this.#host)) {
      if (!this.#home.isConnected) { this.#host.before(this.#home); }
      this.#move(target, null);
    }
  };

  // Not later: in a closed dialog nothing is rendered.
  #closing = (/** @type {Event} */ event) => {
    const { target, newState } = /** @type {ToggleEvent} */ (event);
    if (newState !== "closed" || !(target instanceof HTMLDialogElement) || this.#host.parentNode !== target) { return; }
    const below = [...document.querySelectorAll("dialog:modal")].filter((it) => it !== target).at(-1);
    if (below) { return this.#move(below, null); }
    if (this.#home.parentNode) { this.#move(this.#home.parentNode, this.#home); }
    this.#home.remove();
  };

  /**
   * @param {Node} parent
   * @param {Node | null} before
   */
  #move(parent, before) {
    this.#moving();
    if ("moveBefore" in parent && parent.isConnected) {
      /** @type {Element} */ (parent).moveBefore(this.#host, before);
    } else {
      // Older browsers take the element out and put it in again: it connects anew.
      parent.insertBefore(this.#host, before);
    }
    this.#moved();
  }
}
