/**
 * Events over Server-Sent Events, resumed where they stopped.
 *
 * @import { Connection, Envelope } from "./wire.d.ts"
 */

import { refuse, tokenOf } from "./credentials.js";

const types = [
  "snapshot", "resumed", "enqueued", "presented", "updated", "acted",
  "dismissed", "held", "released", "configured", "shutdown",
];

/** EventSource.CLOSED */
const closed = 2;

/**
 * Seconds to wait before a reconnection: doubling from 1 to 30, and a random part of it, so that
 * the viewers of a server that restarts do not come back all at once.
 *
 * @param {number} attempt - 0 after the first failure
 * @param {number} [random] - from 0 to 1
 */
export function backoff(attempt, random = Math.random()) {
  return Math.min(30, 2 ** attempt) * (0.25 + 0.75 * random);
}

/** An envelope from a frame's text, or nothing when it is not one. @param {unknown} text @returns {Envelope | undefined} */
export function parseEnvelope(text) {
  try {
    const envelope = JSON.parse(String(text));
    return types.includes(envelope?.type) ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A stream that stays open until it is closed.
 *
 * An EventSource would reconnect by itself, but always after the same time, and never again after
 * an answer other than 200. So each source is used for one connection only, and the cursor of the
 * last event goes into the next one's address.
 */
export class Stream {
  receive;
  tell;
  /** The server's time at the last event. */
  at = "";
  #address;
  /** @type {EventSource | undefined} */
  #source;
  /** Of the last event: the next source resumes there. */
  cursor = "";
  #failures = 0;
  /** The number of the current attempt: a ticket for an earlier one is late. */
  #attempt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;

  /**
   * @param {URL} address
   * @param {(envelope: Envelope) => void} receive
   * @param {(state: Connection) => void} tell
   * @param {string} [cursor] - where another tab's stream has ended
   */
  constructor(address, receive, tell, cursor = "") {
    this.#address = address;
    this.receive = receive;
    this.tell = tell;
    this.cursor = cursor;
  }

  open() {
    this.drop();
    this.tell("connecting");
    const address = new URL(this.#address);
    if (this.cursor) { address.searchParams.set("since", this.cursor); }
    const token = tokenOf(address);
    if (!token) { return this.#connect(address); }
    const attempt = this.#attempt;
    import("./lazy/requests.js").then(({ ticketed }) => ticketed(address, token)).then(
      (admitted) => { if (attempt === this.#attempt) { this.#connect(admitted); } },
      (error) => {
        if (attempt !== this.#attempt) { return; }
        this.#wait(backoff(this.#failures++));
        // The page's token function may reject with anything.
        if (error?.status) { refuse(address, error.status); }
      },
    );
  }

  /** @param {URL} address */
  #connect(address) {
    const source = new EventSource(address);
    this.#source = source;
    for (const type of types) {
      source.addEventListener(type, (event) => this.#take(source, event));
    }
    source.onerror = () => {
      if (source !== this.#source) { return; }
      // Closed: the server answered, but not with a stream. It may refuse the cursor, so begin without.
      const isRefused = source.readyState === closed;
      if (isRefused) { this.cursor = ""; }
      this.#wait(backoff(this.#failures++));
      if (isRefused) { refuse(this.#address); }
    };
  }

  /** Reconnect at once, if the stream is waiting to: the network is back, or the page is looked at. */
  hurry() {
    if (this.#retry) { this.open(); }
  }

  close() {
    this.drop();
    this.tell("closed");
  }

  /** @param {EventSource} source @param {MessageEvent<unknown>} event */
  #take(source, event) {
    const envelope = parseEnvelope(event.data);
    // A late event of a closed source comes again on the next one.
    if (!envelope || source !== this.#source) { return; }
    if (envelope.type === "shutdown") { return this.#wait(envelope.retry * (1 + Math.random())); }
    if (envelope.type === "snapshot" || envelope.type === "resumed") {
      this.#failures = 0;
      this.tell("open");
    }
    // In a new epoch, the cursor of `resumed` has no place in other channels that have not begun yet.
    this.at = envelope.at;
    if (envelope.type !== "resumed") { this.cursor = envelope.cursor; }
    this.receive(envelope);
  }

  /** @param {number} seconds */
  #wait(seconds) {
    this.drop();
    this.tell("offline");
    this.#retry = setTimeout(() => this.open(), seconds * 1000);
  }

  /** Stop without calling `tell`. */
  drop() {
    this.#attempt += 1;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#source?.close();
    this.#source = undefined;
  }
}
