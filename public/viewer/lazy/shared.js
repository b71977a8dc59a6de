/**
 * One stream for all tabs of an origin that watch the same channel, loaded when there is more than one.
 *
 * The leading tab holds a lock, has the stream and sends its events to the others; when it is closed, the next one
 * resumes after the last event. This saves connections, of which a browser allows few for a host.
 *
 * @import { ChannelStates } from "../state.js"
 * @import { Stream } from "../stream.js"
 * @import { Connection, Envelope } from "../wire.d.ts"
 *
 * @typedef {{ kind: "hello" | "ping" | "hurry" }} Question - from a tab that follows
 * @typedef {{ kind: "pong" }
 *   | { kind: "state", state: Connection, snapshots?: Envelope[] }
 *   | { kind: "event", envelope: Envelope }} Answer - from the leading tab
 */

/** Milliseconds that the leading tab has to answer, before its lock is stolen: browsers freeze hidden tabs. */
const patience = 2000;
/** Milliseconds between two pings. */
const rhythm = 15_000;

export class SharedStream {
  #Stream;
  #address;
  #name;
  #receive;
  #tell;
  #states;
  #channel;
  #isOpen = true;
  /** @type {Stream | undefined} */
  #stream;
  /** @type {(() => void) | undefined} Releases the lock. */
  #release;
  /** @type {AbortController | undefined} */
  #queueing;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #asking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #doubt;
  /** @type {Connection} */
  #connection = "closed";
  #cursor = "";
  #at = "";
  /** Whether this tab has had a snapshot. */
  #isReady = false;

  /**
   * @param {typeof Stream} Own - given, so that it is loaded once
   * @param {string} name - of the lock
   * @param {BroadcastChannel} channel - closed by its opener
   * @param {URL} address
   * @param {(envelope: Envelope) => void} receive
   * @param {(state: Connection) => void} tell
   * @param {() => ChannelStates} states - this tab's, for snapshots to the others
   */
  constructor(Own, name, channel, address, receive, tell, states) {
    this.#Stream = Own;
    this.#name = name;
    this.#channel = channel;
    this.#address = address;
    this.#receive = receive;
    this.#tell = tell;
    this.#states = states;
    channel.onmessage = ({ data }) => this.hear(data);
    this.#asking = setInterval(() => { if (!document.hidden) { this.#ask("ping"); } }, rhythm);
  }

  /** Follow the tab that has the lock. */
  open() {
    this.#connect("connecting");
    this.#queue();
    this.#ask("hello");
  }

  /**
   * Share the stream that this tab has opened, and whose lock it holds.
   *
   * @param {Stream} stream
   * @param {Connection} connection
   */
  lead(stream, connection) {
    this.#connection = connection;
    this.#at = stream.at;
    this.#cursor = stream.cursor;
    this.#isReady = stream.cursor !== "";
    this.#use(stream);
    // Tell all tabs, because questions were lost while this was loaded.
    this.hear({ kind: "hello" });
  }

  /** Reconnect at once: the page is looked at, or the network is back. */
  hurry() {
    if (this.#stream) { this.#stream.hurry(); } else { this.#ask("hurry"); }
  }

  close() {
    clearInterval(this.#asking);
    clearTimeout(this.#doubt);
    this.#queueing?.abort();
    this.#stream?.close();
    this.#stream = undefined;
    this.#isOpen = false;
    this.#release?.();
    this.#connect("closed");
  }

  /** Lead as soon as no other tab does. @param {boolean} [isStealing] */
  #queue(isStealing = false) {
    this.#queueing?.abort();
    const queueing = new AbortController();
    this.#queueing = queueing;
    const options = isStealing ? { steal: true } : { signal: queueing.signal };
    navigator.locks.request(this.#name, options, () => this.#isOpen && this.#queueing === queueing && this.#lead())
      .catch(() => {
        // Stolen: another tab took this one to be frozen.
        if (this.#queueing === queueing && this.#isOpen) { this.follow(); }
      });
  }

  #lead() {
    clearTimeout(this.#doubt);
    this.#doubt = undefined;
    const stream = new this.#Stream(this.#address, this.#receive, this.#tell, this.#isReady ? this.#cursor : "");
    this.#use(stream);
    stream.open();
    return new Promise((resolve) => { this.#release = () => resolve(undefined); });
  }

  /** Pass a stream's events and states on to the other tabs, too. @param {Stream} stream */
  #use(stream) {
    this.#stream = stream;
    stream.receive = (envelope) => {
      this.#take(envelope);
      this.#post({ kind: "event", envelope });
    };
    stream.tell = (state) => {
      this.#connect(state);
      this.#post({ kind: "state", state });
    };
  }

  /** Another tab has taken the lock. */
  follow() {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#release = undefined;
    // Not through `close`, which would tell the others.
    stream?.drop();
    this.#queue();
  }

  /** @param {Question | Answer} message */
  hear(message) {
    if (this.#stream) {
      switch (message.kind) {
        case "hello": return this.#post({ kind: "state", state: this.#connection, snapshots: this.#snapshots() });
        case "ping": return this.#post({ kind: "pong" });
        case "hurry":
          this.#stream.hurry();
          return this.#post({ kind: "pong" });
      }
      return;
    }
    if (/hello|ping|hurry/.test(message.kind)) { return; }
    clearTimeout(this.#doubt);
    this.#doubt = undefined;
    if (message.kind === "state") {
      if (!this.#isReady) { for (const snapshot of message.snapshots ?? []) { this.#take(snapshot); } }
      this.#connect(message.state);
    } else if (message.kind === "event") {
      const isWhole = this.#isReady || message.envelope.type === "snapshot";
      if (isWhole) { this.#take(message.envelope); } else { this.#ask("hello"); }
    }
  }

  /** @param {Question["kind"]} kind */
  #ask(kind) {
    if (this.#stream) { return; }
    this.#post({ kind });
    if (document.hidden) { return; }
    this.#doubt ??= setTimeout(() => {
      this.#doubt = undefined;
      if (!this.#stream) { this.#queue(true); }
    }, patience);
  }

  /** @param {Question | Answer} message */
  #post(message) {
    if (this.#isOpen) { this.#channel.postMessage(message); }
  }

  /** @param {Connection} state */
  #connect(state) {
    this.#connection = state;
    this.#tell(state);
  }

  /** @param {Envelope} envelope */
  #take(envelope) {
    if (envelope.type === "shutdown") { return; }
    if (envelope.type === "snapshot") { this.#isReady = true; }
    this.#at = envelope.at;
    if (envelope.type !== "resumed") { this.#cursor = envelope.cursor; }
    this.#receive(envelope);
  }

  /** Snapshots for tabs that follow, as the server would send them. @returns {Envelope[]} */
  #snapshots() {
    if (!this.#isReady) { return []; }
    const now = performance.now();
    const states = this.#states();
    return [...states].filter(([channel]) => channel).map(([channel, { settings, queuedCount, presented }]) => ({
      type: "snapshot", channel, cursor: this.#cursor, at: this.#at, effective: settings, queuedCount, reset: false,
      presented: presented.map((entry) => {
        const { toast, remaining, holders, announcement } = entry;
        const age = holders.length ? 0 : (now - (states.told.get(entry) ?? now)) / 1000;
        const left = remaining === undefined ? undefined : Math.max(0, remaining - age);
        return { toast, announcement, remaining: left, held: holders.length > 0 };
      }),
    }));
  }
}
