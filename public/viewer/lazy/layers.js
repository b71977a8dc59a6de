/**
 * Keeps toasts in reach: outside of a modal dialog, or of an element in full screen, nothing can be used or heard.
 *
 * So the viewer moves into such an element, and when that is closed, into the one below or back to its place.
 */

/** Elements that show no child elements, so the viewer cannot move into them: toasts above them are only seen. */
const full = "video, audio, img, iframe, object, embed, canvas, svg, input, textarea, select";

/**
 * @param {EventTarget | null} target
 * @returns {HTMLElement | undefined} the target, if it is an open modal dialog
 */
function modal(target) {
  const isModal = target instanceof HTMLDialogElement && target.isConnected && target.matches(":modal");
  return isModal ? target : undefined;
}

/** Whether everything outside of this element is out of reach. @param {HTMLElement} element */
function isAlone(element) {
  return modal(element) !== undefined || element.isConnected && element.matches(":fullscreen");
}

/** The element in full screen, through shadow roots. */
function fullscreenElement() {
  let found = document.fullscreenElement;
  while (found?.shadowRoot?.fullscreenElement) { found = found.shadowRoot.fullscreenElement; }
  return found;
}

/**
 * Whether a node is another one or in it, through shadow roots.
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
  /** Marks the place to which the viewer returns. */
  #home = document.createComment("toast-viewer");
  /** Stands before the viewer in a dialog: removed with the content of the dialog, but not with the viewer alone. */
  #mark = document.createComment("toast-viewer");
  /** @type {HTMLElement[]} The open elements that it has moved into, the lowest first. */
  #places = [];
  /** Whether the viewer is being moved by this class. */
  isMoving = false;
  /** Whether the viewer is not in its place. */
  #isAway = false;
  /** Whether it must not move into dialogs. */
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

  watch() {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    // These events do not bubble, so they are captured.
    document.addEventListener("toggle", this.#toggled, { signal, capture: true });
    document.addEventListener("beforetoggle", this.#closing, { signal, capture: true });
    document.addEventListener("close", this.#closing, { signal, capture: true });
    // Nor do they leave a shadow root; but a modal dialog that opens gets the focus, and `focusin` leaves a shadow root.
    document.addEventListener("focusin", this.#focused, { signal, capture: true });
    document.addEventListener("fullscreenchange", this.#filled, { signal });
    this.#isBound = true;
    this.follow();
  }

  /** Follow the attribute `top-layer`. A viewer that may no longer enter dialogs leaves its dialog when that closes. */
  follow() {
    const wasBound = this.#isBound;
    this.#isBound = this.#host.getAttribute("top-layer") === "off";
    if (wasBound && !this.#isBound) { this.#catchUp(); }
  }

  /** Enter what is open already. The dialog with the focus is taken to be the top one, so it is entered last. */
  #catchUp() {
    const focused = [];
    for (let it = document.activeElement; it; it = it.shadowRoot?.activeElement ?? null) { focused.push(it.closest("dialog")); }
    for (const it of [...document.querySelectorAll("dialog"), ...focused]) {
      const dialog = modal(it);
      if (dialog) { this.#enter(dialog); }
    }
    if (fullscreenElement()) { this.#filled(); } else { this.#moved(); }
  }

  /** The page has removed the viewer: forget its place. */
  unwatch() {
    this.#watching.abort();
    this.#places = [];
    this.#isAway = false;
    this.#home.remove();
    this.#mark.remove();
  }

  /** If the page has removed the viewer's place, the viewer leaves the page, too: into that place, if it has a parent. */
  check() {
    if (!this.#isAway || this.#home.isConnected) { return; }
    if (this.#home.parentNode) { this.#home.replaceWith(this.#host); } else { this.#host.remove(); }
  }

  /**
   * If the viewer was removed with its dialog, or with the content of the dialog, it goes to the dialog below or back
   * to its place. If the page has removed the viewer alone, it stays removed.
   *
   * @returns {boolean} whether it goes back
   */
  rescue() {
    if (this.isMoving || !this.#home.isConnected || this.#mark.isConnected || this.#host.isConnected) { return false; }
    queueMicrotask(() => { if (!this.#host.isConnected) { this.#goBack(); } });
    return true;
  }

  // At `toggle`, not before, `:modal` matches.
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

  // At `beforetoggle`, where there is one: a closed dialog renders nothing.
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
    // The document does not see these events of a dialog in a shadow root.
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
    this.isMoving = true;
    try {
      if ("moveBefore" in parent && parent.isConnected && this.#host.isConnected) {
        /** @type {Element} */ (parent).moveBefore(this.#host, before);
      } else {
        // Without `moveBefore` the element is removed and inserted again; `isMoving` keeps its toasts.
        parent.insertBefore(this.#host, before);
      }
    } finally {
      this.isMoving = false;
    }
    this.#moved();
    if (!(activeElement instanceof HTMLElement) || activeElement.matches(":focus")) { return; }
    if (activeElement.tabIndex < 0) { activeElement.tabIndex = -1; }
    activeElement.focus();
  }
}
