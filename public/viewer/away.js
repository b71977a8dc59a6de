/**
 * The sign that the server is away, and when it is worth a word.
 */

/** Milliseconds that it may be away before it is said. */
const patience = 10_000;

export class AwaySign {
  part = document.createElement("p");
  #slot = this.part.appendChild(document.createElement("slot"));
  #say;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isSaid = false;

  /** @param {(isAway: boolean) => void} say */
  constructor(say) {
    this.#say = say;
    this.#slot.name = "connection";
    this.part.setAttribute("part", "connection");
    this.part.hidden = true;
  }

  /** @param {string} text */
  set text(text) {
    this.#slot.textContent = text;
  }

  /** It is not there. */
  show() {
    this.part.hidden = false;
    this.#timer ??= setTimeout(() => this.#tell(true), patience);
  }

  /** It is there again, or nobody waits for it. @param {boolean} isBack */
  hide(isBack) {
    this.part.hidden = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (isBack) { this.#tell(false); }
  }

  /** @param {boolean} isAway */
  #tell(isAway) {
    if (isAway !== this.#isSaid) { this.#say(isAway); }
    this.#isSaid = isAway;
  }
}
