/** @import { Connection } from "./wire.d.ts" */

import { make } from "./text.js";

/** Milliseconds that the server may be away before that is announced. */
const patience = 10_000;

/** The notice that the server is away, and when to announce it. */
export class AwaySign {
  part = make("p", "connection");
  #slot = this.part.appendChild(document.createElement("slot"));
  #say;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isSaid = false;

  /** @param {(isAway: boolean) => void} say */
  constructor(say) {
    this.#say = say;
    this.#slot.name = "connection";
    this.part.hidden = true;
  }

  /** @param {string} text */
  set text(text) { this.#slot.textContent = text; }

  /** @param {Connection} state */
  follow(state) {
    if (state === "connecting") { return; }
    const isAway = state === "offline";
    this.part.hidden = !isAway;
    if (isAway) {
      this.#timer ??= setTimeout(() => this.#tell(true), patience);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // "closed" is no news: the page wants no stream.
    if (state === "open") { this.#tell(false); }
  }

  /** @param {boolean} isAway */
  #tell(isAway) {
    if (isAway !== this.#isSaid) { this.#say(isAway); }
    this.#isSaid = isAway && !document.hidden;
  }
}
