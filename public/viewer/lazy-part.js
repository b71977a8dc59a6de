/**
 * A part of the viewer that is loaded once, when it is needed. A failed load is tried again with the next call.
 *
 * @template Part
 */
export class LazyPart {
  /** Undefined until it is loaded. @type {Part | undefined} */
  part;
  #load;
  /** @type {Promise<Part> | undefined} */
  #loading;

  /** @param {() => Promise<Part>} load */
  constructor(load) { this.#load = load; }

  /** Callers may leave a failure unhandled. @returns {Promise<Part>} */
  get() {
    this.#loading ??= this.#load().then((part) => {
      this.part = part;
      return part;
    });
    this.#loading.catch(() => { this.#loading = undefined; });
    return this.#loading;
  }

  /** Forget the part, so that `get` makes another. One that is being loaded is kept. */
  drop() { if (this.part) { this.part = this.#loading = undefined; } }
}
