/**
 * Says things to assistive technology through two live regions that exist from the start.
 *
 * One node per message, appended and taken away again: a region that is overwritten loses messages,
 * one that still holds text speaks again when it moves.
 */

/** Milliseconds between two messages. */
const gap = 150;
/** Milliseconds before the first one, in which a burst is known as one. An error does not wait. */
const gathering = 100;
/** Milliseconds that a message stays in its region. */
const life = 1000;
/** Milliseconds between two messages that interrupt. */
const assertiveGap = 2000;
/** Milliseconds in which an update may be followed by the next one of the same toast. */
const calm = 500;
/** Messages that wait before they become one. */
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
  /** What is said instead of so many messages. @type {(count: number) => string} */
  summary = String;
  /** Whether to interrupt, to wait for silence, or to say nothing: somebody else does, or nobody is there. */
  manner = () => /** @type {"auto" | "polite" | "off"} */ ("auto");
  /** @type {{ text: string, isUrgent: boolean }[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Whether nothing has been said yet of what waits. */
  #isFresh = true;
  #lastUrgent = -assertiveGap;
  /** @type {Map<string, number>} */
  #said = new Map();
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  #updates = new Map();

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
    const isUpdate = this.#said.has(id);
    this.skip(id, news);
    clearTimeout(this.#updates.get(id));
    this.#updates.delete(id);
    if (!isUpdate) { return this.say(text, isUrgent); }
    this.#updates.set(id, setTimeout(() => {
      this.#updates.delete(id);
      this.say(text, isUrgent);
    }, calm));
  }

  /**
   * This is not to be said, or was said with others.
   *
   * @param {string} id
   * @param {number} news
   */
  skip(id, news) {
    this.#said.delete(id);
    this.#said.set(id, news);
    if (this.#said.size > memory) { this.#said.delete([...this.#said.keys()][0]); }
  }

  /**
   * @param {string} text
   * @param {boolean} [isUrgent] - interrupts what is being read, at most once in two seconds
   */
  say(text, isUrgent = false) {
    const isNow = isUrgent && this.manner() === "auto";
    this.#waiting.push({ text, isUrgent: isNow });
    if (this.#timer === undefined || isNow && this.#isFresh) { this.#next(isNow ? 0 : gathering); }
  }

  /** Say nothing more of what was begun. */
  empty() {
    this.polite.replaceChildren();
    this.assertive.replaceChildren();
  }

  /** @param {number} delay */
  #next(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const isSaid = this.#speak();
      this.#isFresh = !isSaid;
      this.#timer = undefined;
      if (isSaid) { this.#next(gap); }
    }, delay);
  }

  #speak() {
    if (this.#waiting.length > patience) {
      const isUrgent = this.#waiting.some((message) => message.isUrgent);
      this.#waiting = [{ text: this.summary(this.#waiting.length), isUrgent }];
    }
    const message = this.#waiting.shift();
    if (!message) { return false; }
    if (this.manner() === "off") { return true; }
    const now = performance.now();
    const isUrgent = message.isUrgent && now - this.#lastUrgent >= assertiveGap;
    if (isUrgent) { this.#lastUrgent = now; }
    const node = document.createElement("p");
    node.textContent = message.text;
    (isUrgent ? this.assertive : this.polite).append(node);
    setTimeout(() => node.remove(), life);
    return true;
  }
}
