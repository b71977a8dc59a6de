/**
 * A part of the viewer that is loaded once, when it is needed. What did not come is asked for again with the next call.
 *
 * @template Part
 */
export class LazyPart {
  /** What has come. @type {Part | undefined} */
  part;
  #load;
  /** @type {Promise<Part> | undefined} */
  #loading;

  /** @param {() => Promise<Part>} load */
  constructor(load) { this.#load = load; }

  /** A failure needs no handler. @returns {Promise<Part>} */
  get() {
    this.#loading ??= this.#load().then((part) => {
      this.part = part;
      return part;
    });
    this.#loading.catch(() => { this.#loading = undefined; });
    return this.#loading;
  }

  /** Forget it: the next one is another one. What is being loaded comes all the same, and is not loaded twice. */
  drop() { if (this.part) { this.part = this.#loading = undefined; } }
}
