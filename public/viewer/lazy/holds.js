/**
 * Why toasts must not go away now.
 *
 * While there is a reason, no countdown runs here: the pointer rests on a toast, the focus is in one, a finger drags
 * one, the page is hidden, a person has paused all. Where the page allows it, the first three also stop the server's
 * countdown, for everybody. The others never do: a tab that somebody has forgotten would stop the channel for all.
 *
 * @import { ChannelConnection } from "../connection.js"
 *
 * @typedef {"hover" | "focus" | "drag" | "hidden" | "pause" | "never"} HoldReason
 */

/** Seconds that a hold lives unless it is renewed. */
const lease = 10;

/** Milliseconds, half of it. */
const renewal = 5000;

/** How long the way from one toast to the next may take, in ms. */
const patience = 150;

/** Leases at a time; a stack may be longer. */
const most = 10;

/** @type {HoldReason[]} */
const shared = ["hover", "focus", "drag"];

export class Holds {
  /** @type {Set<HoldReason>} */
  #reasons = new Set();
  /** @type {Map<HoldReason, ReturnType<typeof setTimeout>>} Those that are about to end. */
  #ending = new Map();
  /** @type {Map<string, ReturnType<typeof setInterval> | undefined>} Leases by toast, with the timers that renew them. */
  #leases = new Map();
  /** What was sent last about each toast: a hold that comes after its release would stay. @type {Map<string, Promise<boolean | void>>} */
  #sent = new Map();
  #connection;
  #isShared;
  #changed;
  // Not crypto.randomUUID: viewers also live on plain http.
  #holder = `viewer-${crypto.getRandomValues(new Uint32Array(2)).join("")}`;

  /**
   * @param {Pick<ChannelConnection, "send">} connection
   * @param {() => boolean} isShared
   * @param {(reasons: Set<HoldReason>) => void} changed
   */
  constructor(connection, isShared, changed) {
    this.#connection = connection;
    this.#isShared = isShared;
    this.#changed = changed;
  }

  /** @param {HoldReason} reason */
  has(reason) {
    return this.#reasons.has(reason);
  }

  /** @param {HoldReason} reason */
  add(reason) {
    clearTimeout(this.#ending.get(reason));
    this.#ending.delete(reason);
    if (this.#reasons.has(reason)) { return; }
    this.#reasons.add(reason);
    this.#changed(this.#reasons);
  }

  /** @param {HoldReason} reason */
  remove(reason) {
    if (!this.#reasons.delete(reason)) { return; }
    clearTimeout(this.#ending.get(reason));
    this.#ending.delete(reason);
    this.#changed(this.#reasons);
  }

  /**
   * End a reason unless it is back at once, as when the pointer goes from one toast to the next.
   *
   * @param {HoldReason} reason
   */
  removeSoon(reason) {
    if (this.#reasons.has(reason) && !this.#ending.has(reason)) {
      this.#ending.set(reason, setTimeout(() => this.remove(reason), patience));
    }
  }

  /** @param {HoldReason} reason @param {boolean} isOn */
  set(reason, isOn) {
    if (isOn) { this.add(reason); } else { this.remove(reason); }
  }

  /**
   * Hold these on the server, and no others.
   *
   * @param {readonly string[]} ids
   */
  share(ids) {
    const isHeld = this.#isShared() && shared.some((reason) => this.#reasons.has(reason));
    const wanted = new Set(isHeld ? ids.slice(0, most) : []);
    for (const [id, timer] of this.#leases) {
      if (wanted.has(id)) { continue; }
      // A hold that the server has refused needs no release.
      if (timer) { this.#send("DELETE", id); }
      clearInterval(timer);
      this.#leases.delete(id);
    }
    for (const id of wanted) {
      if (this.#leases.has(id)) { continue; }
      const renew = async () => {
        if (await this.#send("PUT", id, { lease })) { return; }
        clearInterval(this.#leases.get(id));
        if (this.#leases.has(id)) { this.#leases.set(id, undefined); }
      };
      this.#leases.set(id, setInterval(renew, renewal));
      renew();
    }
  }

  /** @param {string} method @param {string} id @param {object} [body] */
  #send(method, id, body) {
    const go = () => this.#connection.send(method, `toasts/${id}/holds/${this.#holder}`, body);
    // With nothing on the way at once: the connection may be about to close.
    const sent = (this.#sent.get(id)?.then(go) ?? go()).catch(() => {});
    this.#sent.set(id, sent);
    sent.then(() => { if (this.#sent.get(id) === sent) { this.#sent.delete(id); } });
    return sent;
  }

  /** Nothing is touched any more. */
  letGo() {
    for (const reason of shared) { this.remove(reason); }
  }
}

/**
 * The pointer and the focus on the toasts, or on the bar below them, hold all of them.
 *
 * @param {HTMLElement} region
 * @param {Holds} holds
 */
export function followHand(region, holds) {
  region.addEventListener("pointerenter", ({ pointerType }) => {
    // A finger does not hover, it only looks like it, and never leaves.
    if (pointerType !== "touch") { holds.add("hover"); }
  });
  region.addEventListener("pointerleave", () => holds.removeSoon("hover"));
  region.addEventListener("focusin", ({ target }) => {
    if (/** @type {Element} */ (target).matches(":focus-visible")) { holds.add("focus"); }
  });
  region.addEventListener("focusout", () => holds.removeSoon("focus"));
}
