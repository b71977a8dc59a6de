/**
 * When the viewer is drawn. Events of one burst are drawn together: what comes and goes within it is never seen.
 */

export class Frames {
  #draw;
  #isScheduled = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} Until something changes by itself. */
  #next;

  /** @param {() => number} draw - gives the milliseconds until it has to be drawn again, Infinity for never */
  constructor(draw) {
    this.#draw = draw;
  }

  /** A page that is not seen has no frames. */
  schedule() {
    if (this.#isScheduled) { return; }
    this.#isScheduled = true;
    const draw = () => {
      this.#isScheduled = false;
      const next = this.#draw();
      this.stop();
      if (next < Infinity) { this.#next = setTimeout(() => this.schedule(), next + 10); }
    };
    if (document.hidden) { setTimeout(draw); } else { requestAnimationFrame(draw); }
  }

  stop() { clearTimeout(this.#next); }
}
