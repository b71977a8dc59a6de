/**
 * Staying on top, and in reach: above a modal dialog only what is in it can be used or heard.
 *
 * So when one opens, the viewer moves into it, and when it closes, back to the dialog below or to where it was.
 */

/**
 * @param {EventTarget | undefined} target
 * @returns {target is HTMLDialogElement}
 */
function isModal(target) {
  return target instanceof HTMLDialogElement && target.isConnected && target.matches(":modal");
}

/**
 * Whether a node is in another one, through shadow roots.
 *
 * @param {Node} outer
 * @param {Node} inner
 */
function isWithin(outer, inner) {
  for (let it = /** @type {Node | null} */ (inner); it; it = it instanceof ShadowRoot ? it.host : it.parentNode) {
    if (it === outer) { return true; }
  }
  return false;
}

export class Layers {
  #host;
  #moving;
  #moved;
  /** Where the viewer belongs. */
  #home = document.createComment("toast-viewer");
  /** @type {HTMLDialogElement[]} The modal dialogs that it went into, the lowest first. */
  #dialogs = [];
  #isMoving = false;

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

  /** Whether the element is being taken from one place to another by us. */
  get isMoving() {
    return this.#isMoving;
  }

  watch() {
    // These events do not bubble, but they can be caught on their way down.
    document.addEventListener("toggle", this.#toggled, true);
    document.addEventListener("beforetoggle", this.#closing, true);
    document.addEventListener("close", this.#closing, true);
    // Nor do they leave a shadow root; but the focus goes into a modal dialog that opens, and that is seen everywhere.
    document.addEventListener("focusin", this.#focused, true);
    document.addEventListener("fullscreenchange", this.#moved);
  }

  unwatch() {
    document.removeEventListener("toggle", this.#toggled, true);
    document.removeEventListener("beforetoggle", this.#closing, true);
    document.removeEventListener("close", this.#closing, true);
    document.removeEventListener("focusin", this.#focused, true);
    document.removeEventListener("fullscreenchange", this.#moved);
  }

  /**
   * The dialog around the viewer was taken out of the page, and the viewer with it: it goes home.
   *
   * @returns {boolean} whether that was so
   */
  rescue() {
    if (this.#isMoving || !this.#home.isConnected || !this.#host.parentNode || this.#host.isConnected) { return false; }
    queueMicrotask(() => { if (!this.#host.isConnected) { this.#goBack(); } });
    return true;
  }

  // Only now is it known whether a dialog is a modal one.
  #toggled = (/** @type {Event} */ event) => {
    const { target, newState } = /** @type {ToggleEvent} */ (event);
    if (newState !== "open") { return; }
    if (isModal(target ?? undefined)) {
      this.#enter(/** @type {HTMLDialogElement} */ (target));
    } else if (target instanceof HTMLElement && target.popover) {
      this.#moved();
    }
  };

  #focused = (/** @type {Event} */ event) => {
    const dialog = event.composedPath().find(isModal);
    if (dialog) { this.#enter(dialog); }
  };

  // Not after it is closed: in a closed dialog nothing is rendered.
  #closing = (/** @type {Event} */ event) => {
    const { target } = event;
    const { newState = "closed" } = /** @type {ToggleEvent} */ (event);
    if (newState === "closed" && this.#dialogs.some((it) => it === target)) {
      this.#dialogs = this.#dialogs.filter((it) => it !== target);
      this.#goBack();
    }
  };

  /** @param {HTMLDialogElement} dialog */
  #enter(dialog) {
    if (isWithin(dialog, this.#host)) { return; }
    if (!this.#home.isConnected) { this.#host.before(this.#home); }
    this.#dialogs = [...this.#dialogs.filter((it) => it !== dialog && isModal(it)), dialog];
    // In a shadow root its events are seen nowhere else.
    dialog.addEventListener("beforetoggle", this.#closing);
    dialog.addEventListener("close", this.#closing);
    this.#move(dialog, null);
  }

  #goBack() {
    this.#dialogs = this.#dialogs.filter(isModal);
    const below = this.#dialogs.at(-1);
    if (below) {
      if (this.#host.parentNode !== below) { this.#move(below, null); }
      return;
    }
    if (this.#home.parentNode) { this.#move(this.#home.parentNode, this.#home); }
    this.#home.remove();
  }

  /**
   * @param {Node} parent
   * @param {Node | null} before
   */
  #move(parent, before) {
    this.#moving();
    const { activeElement } = this.#host.shadowRoot ?? {};
    this.#isMoving = true;
    try {
      if ("moveBefore" in parent && parent.isConnected && this.#host.isConnected) {
        /** @type {Element} */ (parent).moveBefore(this.#host, before);
      } else {
        // Older browsers take the element out and put it in again: it shows again what it showed.
        parent.insertBefore(this.#host, before);
      }
    } finally {
      this.#isMoving = false;
    }
    this.#moved();
    if (activeElement instanceof HTMLElement && !activeElement.matches(":focus")) { activeElement.focus(); }
  }
}
