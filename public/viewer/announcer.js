/**
 * Speaks to assistive technology through two live regions that exist from the start.
 *
 * One node per message, appended and taken away again: a region that is overwritten loses messages,
 * one that still holds text speaks again when it moves.
 */

/** Milliseconds between two messages. */
const gap = 150;
/** Milliseconds before the first one, to recognise a burst. An error does not wait. */
const gathering = 100;
/** Milliseconds that a message stays in its region. */
const life = 1000;
/** Milliseconds between two messages that interrupt. */
const assertiveGap = 2000;
/** If more messages wait, a summary replaces them. */
const patience = 3;
/** Milliseconds that a change of a toast waits: a newer change of it is said instead. */
const calm = 500;
/** Toasts whose last announcement is remembered. */
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
  /** Makes the summary of so many messages. @type {((count: number) => string) | undefined} */
  summary;
  /** "auto"; "polite": never interrupt; "off": say nothing. */
  manner = () => "auto";
  /** @type {{ text: string, isUrgent: boolean, isHeard: () => boolean }[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Whether no message of the current burst has been said. */
  #isFresh = true;
  #lastUrgent = -assertiveGap;
  /** How many changes of each toast have been said. @type {Map<string, number>} */
  #said = new Map();
  /** What is about to be said of a change, by toast. @type {Map<string, ReturnType<typeof setTimeout>>} */
  #changes = new Map();

  /**
   * @param {string} text
   * @param {boolean} [isUrgent] - interrupts what is being read, at most once in two seconds
   * @param {() => boolean} [isHeard] - asked when its turn comes; false if another tab says it
   */
  say(text, isUrgent = false, isHeard = () => true) {
    const isNow = isUrgent && this.manner() !== "polite";
    this.#waiting.push({ text, isUrgent: isNow, isHeard });
    if (this.#timer === undefined || isNow && this.#isFresh) { this.#next(isNow ? 0 : gathering); }
  }

  /**
   * Say something about a toast, unless it was said before: a snapshot repeats what is on the screen.
   *
   * @param {string} id
   * @param {number} news - how often the toast has changed in a way that is worth saying
   * @param {Parameters<Announcer["say"]>} message
   */
  sayOf(id, news, ...message) {
    const said = this.#said.get(id) ?? -1;
    // A number below the last one is a new count: the viewer was opened again.
    this.skip(id, news);
    if (news <= said) { return; }
    clearTimeout(this.#changes.get(id));
    if (said < 0) { return this.say(...message); }
    this.#changes.set(id, setTimeout(() => {
      this.#changes.delete(id);
      this.say(...message);
    }, calm));
  }

  /** Count changes as said: a summary has them, or they are not to be said. @param {string} id @param {number} news */
  skip(id, news) {
    const said = this.#said;
    said.delete(id);
    said.set(id, news);
    if (said.size > memory) { said.delete([...said.keys()][0]); }
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
    const all = this.#waiting;
    if (this.summary && all.length > patience) {
      this.#waiting = [{
        text: this.summary(all.length), isUrgent: all.some((it) => it.isUrgent), isHeard: () => all.some((it) => it.isHeard()),
      }];
    }
    const message = this.#waiting.shift();
    if (!message) { return false; }
    if (this.manner() === "off" || !message.isHeard()) { return true; }
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
