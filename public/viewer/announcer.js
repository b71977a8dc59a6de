/**
 * Says things to assistive technology through two live regions that exist from the start.
 *
 * One node per message, appended and taken away again: a region that is overwritten loses messages,
 * one that still holds text speaks again when it moves.
 */

const gap = 150;
const life = 1000;
const assertiveGap = 2000;
const patience = 3;

/** Ids whose last announcement is remembered. */
const memory = 200;

/** @param {"status" | "alert"} role */
function region(role) {
  const element = document.createElement("div");
  element.role = role;
  // `alert` with an aria-live of its own is read twice by some readers.
  if (role === "status") { element.ariaLive = "polite"; }
  element.ariaAtomic = "false";
  element.className = "unseen";
  return element;
}

export class Announcer {
  polite = region("status");
  assertive = region("alert");
  /** @type {{ text: string, isUrgent: boolean }[]} */
  #waiting = [];
  #isBusy = false;
  #lastUrgent = -assertiveGap;
  /** @type {Map<string, number>} */
  #said = new Map();

  /**
   * Say something about a toast, unless it was said before: a snapshot repeats what is on the screen.
   *
   * @param {string} id
   * @param {number} news - how often the toast has changed in a way that is worth saying
   * @param {string} text
   * @param {boolean} isUrgent
   */
  sayNews(id, news, text, isUrgent) {
    if (news <= (this.#said.get(id) ?? -1)) { return; }
    this.#said.set(id, news);
    if (this.#said.size > memory) { this.#said.delete([...this.#said.keys()][0]); }
    this.say(text, isUrgent);
  }

  /**
   * @param {string} text
   * @param {boolean} [isUrgent] - interrupts what is being read, at most once in two seconds
   */
  say(text, isUrgent = false) {
    this.#waiting.push({ text, isUrgent });
    if (!this.#isBusy) { this.#next(); }
  }

  /** Say nothing more of what was begun. */
  empty() {
    this.polite.replaceChildren();
    this.assertive.replaceChildren();
  }

  #next() {
    if (this.#waiting.length > patience) {
      const isUrgent = this.#waiting.some((message) => message.isUrgent);
      this.#waiting = [{ text: `${this.#waiting.length} notifications: press F8.`, isUrgent }];
    }
    const message = this.#waiting.shift();
    this.#isBusy = message !== undefined;
    if (!message) { return; }
    const now = performance.now();
    const isUrgent = message.isUrgent && now - this.#lastUrgent >= assertiveGap;
    if (isUrgent) { this.#lastUrgent = now; }
    const node = document.createElement("p");
    node.textContent = message.text;
    (isUrgent ? this.assertive : this.polite).append(node);
    setTimeout(() => node.remove(), life);
    setTimeout(() => this.#next(), gap);
  }
}
