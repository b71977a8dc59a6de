/**
 * Which of several tabs with the same toasts speaks and buzzes: the one that was last looked at.
 */

/** The voices of this page by name: of several the first one is heard. @type {Map<string, Set<Voice>>} */
const all = new Map();

export class Voice {
  #name;
  /** Whether it is the one of this page. */
  #isOpen = false;
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
    return this.#isOpen && !document.hidden && (this.#isMine || !navigator.locks);
  }

  /**
   * Want to be heard.
   *
   * @returns {boolean} whether no other one of this page does already
   */
  open() {
    const voices = all.get(this.#name) ?? new Set();
    all.set(this.#name, voices.add(this));
    if (voices.size === 1) { this.#start(); }
    return voices.size === 1;
  }

  /** Be silent, and let the next one of this page speak. */
  close() {
    const voices = all.get(this.#name);
    voices?.delete(this);
    if (voices?.size === 0) { all.delete(this.#name); }
    if (!this.#isOpen) { return; }
    this.#isOpen = false;
    removeEventListener("focus", this.#take);
    document.removeEventListener("visibilitychange", this.#turn);
    this.#leave();
    for (const next of voices ?? []) { return next.#start(); }
  }

  #start() {
    this.#isOpen = true;
    addEventListener("focus", this.#take);
    document.addEventListener("visibilitychange", this.#turn);
    this.#turn();
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
