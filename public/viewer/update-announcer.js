/**
 * What is said of a toast that changes.
 *
 * @import { Announcer } from "./announcer.js"
 */

/** Milliseconds in which an update may be followed by the next one of the same toast. */
const calm = 500;

/** Ids whose last announcement is remembered. */
const memory = 200;

export class UpdateAnnouncer {
  #announcer;
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  #updates = new Map();

  /** @param {Announcer} announcer */
  constructor(announcer) { this.#announcer = announcer; }

  /**
   * Say something about a toast, unless it was said before: a snapshot repeats what is on the screen.
   *
   * @param {string} id
   * @param {number} news - how often the toast has changed in a way that is worth saying
   * @param {string} text
   * @param {boolean} isUrgent
   * @param {() => boolean} isHeard
   */
  say(id, news, text, isUrgent, isHeard) {
    const { said } = this.#announcer;
    if (news <= (said.get(id) ?? -1)) { return; }
    const isUpdate = said.has(id);
    this.skip(id, news);
    clearTimeout(this.#updates.get(id));
    this.#updates.delete(id);
    if (!isUpdate) { return this.#announcer.say(text, isUrgent, isHeard); }
    this.#updates.set(id, setTimeout(() => {
      this.#updates.delete(id);
      this.#announcer.say(text, isUrgent, isHeard);
    }, calm));
  }

  /**
   * This is not to be said, or was said with others.
   *
   * @param {string} id
   * @param {number} news
   */
  skip(id, news) {
    const { said } = this.#announcer;
    said.delete(id);
    said.set(id, news);
    if (said.size > memory) { said.delete([...said.keys()][0]); }
  }
}
