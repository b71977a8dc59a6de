/**
 * Why toasts must not go away now: while there is a reason, no countdown runs here.
 *
 * Where the page allows it, the first three also stop the server's countdown, for everybody: `lazy/shared-holds.js`.
 * The last three never do: a forgotten tab would stop the channel for all.
 *
 * @typedef {"hover" | "focus" | "drag" | "hidden" | "pause" | "never"} HoldReason
 */

export class Holds {
  /** @type {Set<HoldReason>} */
  #reasons = new Set();
  #changed;

  /** @param {(reasons: Set<HoldReason>) => void} changed */
  constructor(changed) { this.#changed = changed; }

  /** @param {HoldReason} reason */
  has(reason) { return this.#reasons.has(reason); }

  /** @param {HoldReason} reason @param {boolean} isOn */
  set(reason, isOn) {
    if (isOn === this.#reasons.has(reason)) { return; }
    if (isOn) { this.#reasons.add(reason); } else { this.#reasons.delete(reason); }
    this.tell();
  }

  /** Report the reasons again: the attribute `holds` may have changed. */
  tell() { this.#changed(this.#reasons); }
}
