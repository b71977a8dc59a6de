/**
 * Which of several tabs with the same toasts speaks and buzzes: the one that was last looked at.
 */

export class Voice {
  #name;
  /** Whether it wants to be heard at all. */
  isOpen = false;
  #isMine = false;
  /** @type {AbortController | undefined} */
  #wish;
  /** @type {(() => void) | undefined} */
  #release;

  /** @param {string} name */
  constructor(name) {
    this.#name = `toast-viewer voice ${name}`;
  }

  /** Whether this tab is to be heard. Where tabs cannot agree, each that is seen is. */
  get isMine() {
    return this.isOpen && !document.hidden && (this.#isMine || !navigator.locks);
  }

  open() {
    this.isOpen = true;
    addEventListener("focus", this.#take);
    document.addEventListener("visibilitychange", this.#turn);
    this.#turn();
  }

  close() {
    this.isOpen = false;
    removeEventListener("focus", this.#take);
    document.removeEventListener("visibilitychange", this.#turn);
    this.#leave();
  }

  #turn = () => { if (document.hidden) { this.#leave(); } else { this.#take(); } };

  #take = () => { if (!this.#isMine) { this.#request(document.hasFocus()); } };

  #leave() {
    this.#wish?.abort();
    this.#wish = undefined;
    this.#release?.();
    this.#release = undefined;
    this.#isMine = false;
  }

  /** @param {boolean} isStealing */
  #request(isStealing) {
    this.#wish?.abort();
    const wish = new AbortController();
    this.#wish = wish;
    navigator.locks?.request(this.#name, isStealing ? { steal: true } : { signal: wish.signal }, () => {
      if (this.#wish !== wish) { return undefined; }
      this.#isMine = true;
      return new Promise((resolve) => { this.#release = () => resolve(undefined); });
    }).catch(() => {
      // Another tab has taken it: this one is the next when that one is gone.
      if (this.#wish !== wish) { return; }
      this.#isMine = false;
      this.#request(false);
    });
  }
}
