/**
 * Staying on top, and in reach: beside a modal dialog or an element that fills the screen nothing can be used or heard.
 *
 * So when there is one, the viewer moves into it, and when it is over, back to the one below or to where it was.
 */

/** Elements that have no room for another one. A toast above them is seen, but cannot be touched. */
const full = "video, audio, img, iframe, object, embed, canvas, svg, input, textarea, select";

/**
 * @param {EventTarget | null} target
 * @returns {HTMLElement | undefined} it, when it is a modal dialog that is open
 */
function modal(target) {
  const isModal = target instanceof HTMLDialogElement && target.isConnected && target.matches(":modal");
  return isModal ? target : undefined;
}

/** Whether all but this element is out of reach. @param {HTMLElement} element */
function isAlone(element) {
  return modal(element) !== undefined || element.isConnected && element.matches(":fullscreen");
}

/** What fills the screen, through shadow roots. */
function fullscreenElement() {
  let found = document.fullscreenElement;
  while (found?.shadowRoot?.fullscreenElement) { found = found.shadowRoot.fullscreenElement; }
  return found;
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
  /** Stands before the viewer where it is a guest: it goes with all that is there, but not with the viewer alone. */
  #mark = document.createComment("toast-viewer");
  /** @type {HTMLElement[]} What it went into, the lowest first. */
  #places = [];
  #isMoving = false;
  /** Whether the viewer is not where it belongs. */
  #isAway = false;
  /** Whether it is not to enter dialogs. */
  #isBound = false;
  #watching = new AbortController();

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
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    // These events do not bubble, but they can be caught on their way down.
    document.addEventListener("toggle", this.#toggled, { signal, capture: true });
    document.addEventListener("beforetoggle", this.#closing, { signal, capture: true });
    document.addEventListener("close", this.#closing, { signal, capture: true });
    // Nor do they leave a shadow root; but the focus goes into a modal dialog that opens, and that is seen everywhere.
    document.addEventListener("focusin", this.#focused, { signal, capture: true });
    document.addEventListener("fullscreenchange", this.#filled, { signal });
    this.#isBound = true;
    this.follow();
  }

  /** The page may want the viewer above dialogs, or no longer: then it leaves the one that it is in when that is closed. */
  follow() {
    const wasBound = this.#isBound;
    this.#isBound = this.#host.getAttribute("top-layer") === "off";
    if (wasBound && !this.#isBound) { this.#catchUp(); }
  }

  /** Something may be open already; of several dialogs the one with the focus is on top. */
  #catchUp() {
    const focused = [];
    for (let it = document.activeElement; it; it = it.shadowRoot?.activeElement ?? null) { focused.push(it.closest("dialog")); }
    for (const it of [...document.querySelectorAll("dialog"), ...focused]) {
      const dialog = modal(it);
      if (dialog) { this.#enter(dialog); }
    }
    if (fullscreenElement()) { this.#filled(); } else { this.#moved(); }
  }

  /** The page has taken the viewer away: where it came from is no longer where it belongs. */
  unwatch() {
    this.#watching.abort();
    this.#places = [];
    this.#isAway = false;
    this.#home.remove();
    this.#mark.remove();
  }

  /** The page may have removed the place where the viewer belongs, and so the viewer: it goes there. */
  check() {
    if (!this.#isAway || this.#home.isConnected) { return; }
    if (this.#home.parentNode) { this.#home.replaceWith(this.#host); } else { this.#host.remove(); }
  }

  /**
   * The dialog around the viewer was taken out of the page, or all that was in it, and the viewer with it: it goes back
   * into the dialog, or home. Taken away alone, it stays away.
   *
   * @returns {boolean} whether that was so
   */
  rescue() {
    if (this.#isMoving || !this.#home.isConnected || this.#mark.isConnected || this.#host.isConnected) { return false; }
    queueMicrotask(() => { if (!this.#host.isConnected) { this.#goBack(); } });
    return true;
  }

  // Only now is it known whether a dialog is a modal one.
  #toggled = (/** @type {Event} */ event) => {
    const { target, newState } = /** @type {ToggleEvent} */ (event);
    if (newState !== "open") { return; }
    const dialog = modal(target);
    if (dialog) {
      this.#enter(dialog);
    } else if (target instanceof HTMLElement && target.popover) {
      this.#moved();
    }
  };

  #focused = (/** @type {Event} */ event) => {
    const dialog = event.composedPath().map(modal).find((it) => it);
    if (dialog) { this.#enter(dialog); }
  };

  #filled = () => {
    const element = fullscreenElement();
    if (element instanceof HTMLElement && !element.matches(full)) { this.#enter(element); } else { this.#goBack(); }
    this.#moved();
  };

  // Not after it is closed: in a closed dialog nothing is rendered.
  #closing = (/** @type {Event} */ event) => {
    const { target } = event;
    const { newState = "closed" } = /** @type {ToggleEvent} */ (event);
    if (newState === "closed" && this.#places.some((it) => it === target)) {
      this.#places = this.#places.filter((it) => it !== target);
      this.#goBack();
    }
  };

  /** @param {HTMLElement} place */
  #enter(place) {
    if (this.#isBound || isWithin(place, this.#host)) { return; }
    if (!this.#home.isConnected) { this.#host.before(this.#home); }
    this.#isAway = true;
    this.#places = [...this.#places.filter((it) => it !== place && isAlone(it)), place];
    // In a shadow root a dialog's events are seen nowhere else.
    const { signal } = this.#watching;
    place.addEventListener("beforetoggle", this.#closing, { signal });
    place.addEventListener("close", this.#closing, { signal });
    this.#moveInto(place);
  }

  #goBack() {
    this.#places = this.#places.filter(isAlone);
    const below = this.#places.at(-1);
    if (below) {
      if (this.#host.parentNode !== below) { this.#moveInto(below); }
      return;
    }
    this.check();
    if (this.#home.parentNode) { this.#move(this.#home.parentNode, this.#home); }
    this.#isAway = false;
    this.#home.remove();
    this.#mark.remove();
  }

  /** @param {HTMLElement} place */
  #moveInto(place) {
    place.append(this.#mark);
    this.#move(place, null);
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
    if (!(activeElement instanceof HTMLElement) || activeElement.matches(":focus")) { return; }
    if (activeElement.tabIndex < 0) { activeElement.tabIndex = -1; }
    activeElement.focus();
  }
}
