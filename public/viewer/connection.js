/**
 * The connection to one or more channels: one stream of their events, their addresses, and whether this page speaks for
 * them.
 *
 * @import { SharedStream } from "./lazy/shared.js"
 * @import { ChannelStates } from "./state.js"
 * @import { Connection, Envelope } from "./wire.d.ts"
 *
 * How the stream is requested.
 *
 * @typedef {{ isAssistive: boolean, isShared: boolean, language: string, scale: number }} Manner
 */

import { home } from "./sheets.js";
import { Stream } from "./stream.js";
import { after } from "./text.js";

/**
 * The address of the server, with a "/" at its end: by default the one that this file came from.
 *
 * @param {Element} element
 */
export function serverOf(element) {
  return new URL(element.getAttribute("src")?.replace(/[^/]$/, "$&/") || home, document.baseURI);
}

/** Milliseconds to wait for the code of a shared stream. */
const patience = 5000;

/** Loads the code of a shared stream; undefined if it fails or is late: then each tab has its own stream. */
const sharing = () => Promise.race([
  import("./lazy/shared.js").then((it) => it.SharedStream, () => undefined),
  after(patience),
]);

/** By which tabs agree, on https and localhost only. A frame without an origin has them, but may not use them. */
let { locks } = /** @type {{ locks?: LockManager }} */ (navigator);

/** Another tab has stolen a lock (AbortError), or locks are forbidden: then do without. @param {Error} error */
function lose({ name }) {
  if (name !== "AbortError") { locks = undefined; }
}

/** The voices of this page, oldest first: of several with one name the first one is heard. @type {Set<Voice>} */
const all = new Set();

/** Which of several tabs with the same toasts speaks and vibrates: the one that was last looked at. */
class Voice {
  #name;
  #isMine = false;
  #end = new AbortController();
  #wish = new AbortController();

  /** A claim that lasts until it is closed. @param {string} name */
  constructor(name) {
    this.#name = `toast-viewer voice ${name}`;
    all.add(this);
    const { signal } = this.#end;
    addEventListener("focus", this.update, { signal });
    document.addEventListener("visibilitychange", this.update, { signal });
    this.update();
  }

  /** Whether it is the oldest of its name in this page. */
  get isFirst() { return this.#first === this; }

  get #first() { return [...all].find((it) => it.#name === this.#name); }

  /** Whether this tab is to be heard. Without locks, each visible tab is. */
  get isMine() { return this.isFirst && !document.hidden && (this.#isMine || !locks); }

  /** Be silent, and let the next one of this page speak. */
  close() {
    const { isFirst } = this;
    all.delete(this);
    this.#end.abort();
    this.#leave();
    // A first one that waits for the lock would lose its place by a new request.
    if (isFirst) { this.#first?.update(); }
  }

  /** The page was shown, hidden or focused, or a voice of this name was made or closed. */
  update = () => {
    if (document.hidden || !this.isFirst) { this.#leave(); } else if (!this.#isMine) { this.#request(document.hasFocus()); }
  };

  #leave() {
    this.#wish.abort();
    this.#isMine = false;
  }

  /** @param {boolean} isStealing */
  #request(isStealing) {
    this.#wish.abort();
    this.#wish = new AbortController();
    const { signal } = this.#wish;
    // With "steal" the lock is ours at once, also before the callback runs.
    this.#isMine = isStealing;
    locks?.request(this.#name, isStealing ? { steal: true } : { signal }, () => {
      if (signal.aborted) { return undefined; }
      this.#isMine = true;
      return new Promise((resolve) => { signal.onabort = resolve; });
    }).catch((error) => {
      lose(error);
      if (!locks || signal.aborted) { return; }
      // Another tab has taken it: wait until that one is gone.
      this.#request(false);
    });
  }
}

export class ChannelConnection {
  /** @type {Connection} */
  connection = "closed";
  /** How the stream was requested. @type {Manner | undefined} */
  manner;
  #receive;
  #connect;
  #states;
  /** The channels' addresses, each with "/" at its end. @type {Map<string, URL>} */
  #channels = new Map();
  /** @type {Stream | SharedStream | undefined} */
  #stream;
  /** Aborted when the stream that `listen` has begun ends. */
  #listening = new AbortController();
  /** @type {Map<string, Voice>} */
  #voices = new Map();

  /**
   * @param {(envelope: Envelope) => void} receive
   * @param {(state: Connection) => void} connect - called with each new state
   * @param {() => ChannelStates} states - told to tabs that follow this one
   */
  constructor(receive, connect, states) {
    this.#receive = receive;
    this.#connect = connect;
    this.#states = states;
  }

  /** Whether this page speaks and vibrates for a channel; for "", local toasts, if visible. @param {string} channel */
  isHeard(channel) {
    const [first] = this.#voices.values();
    return (this.#voices.get(channel) ?? (channel ? first : undefined))?.isMine ?? !document.hidden;
  }

  /** Whether this page speaks for one of the channels, or for local toasts only. */
  get isSpeaking() { return !this.#voices.size || [...this.#voices.values()].some((it) => it.isMine); }

  /** Whether this viewer is the page's first one for a channel. @param {string} channel */
  isFirst(channel) { return this.#voices.get(channel)?.isFirst ?? true; }

  /** The channels' addresses, each with "/" at its end. @returns {ReadonlyMap<string, URL>} */
  get channels() { return this.#channels; }

  /** @param {string} channel - empty for the first one @param {string} path - below it */
  addressOf(channel, path) {
    const [first] = this.#channels.values();
    return new URL(path, this.#channels.get(channel) ?? first);
  }

  get isOpen() { return this.#channels.size > 0; }

  /** @param {URL} server @param {string[]} channels - their names @param {Manner} manner */
  open(server, channels, manner) {
    for (const channel of channels) {
      const address = new URL(`v1/channels/${encodeURIComponent(channel)}/`, server);
      this.#channels.set(channel, address);
      this.#voices.set(channel, new Voice(address.href));
    }
    this.listen(manner);
  }

  /** Open the stream, or reopen it in another manner. @param {Manner} manner */
  listen(manner) {
    this.#hangUp();
    this.manner = manner;
    const [first] = this.#channels.values();
    // Several channels are one stream, too.
    const address = new URL(this.#channels.size > 1 ? "../../stream" : "stream", first);
    if (this.#channels.size > 1) { for (const name of this.#channels.keys()) { address.searchParams.append("channel", name); } }
    for (const [name, value] of Object.entries({ assistive: manner.isAssistive, scale: manner.scale, language: manner.language })) {
      address.searchParams.set(name, String(value));
    }
    if (manner.isShared && locks) { this.#lead(address, locks); } else { this.#begin(this.#make(address)); }
  }

  /** @param {Connection} state */
  #tell = (state) => {
    if (state === this.connection) { return; }
    this.connection = state;
    this.#connect(state);
  };

  /** @param {URL} address */
  #make(address) { return new Stream(address, this.#receive, this.#tell); }

  /** @param {Stream | SharedStream} stream */
  #begin(stream) {
    this.#stream = stream;
    stream.open();
  }

  /**
   * One stream for all tabs of an origin that watch the same channel: the tab that holds a lock has it. The code for
   * sharing is loaded when there is a second tab.
   *
   * @param {URL} address
   * @param {LockManager} manager
   */
  #lead(address, manager) {
    const { signal } = this.#listening;
    const name = `toast-viewer 1 ${address}`;
    const channel = new BroadcastChannel(name);
    const letGo = new Promise((resolve) => { signal.onabort = resolve; });
    letGo.then(() => channel.close());
    /** @type {SharedStream | undefined} */
    let shared;
    const follow = async () => {
      if (signal.aborted) { return; }
      if (shared) { return shared.follow(); }
      if (this.#stream instanceof Stream) { this.#stream.drop(); }
      this.#stream = undefined;
      const SharedStream = locks && await sharing();
      if (signal.aborted) { return; }
      this.#begin(SharedStream ? new SharedStream(Stream, name, channel, address, this.#receive, this.#tell, this.#states) : this.#make(address));
    };
    this.#tell("connecting");
    manager.request(name, { ifAvailable: true }, (lock) => {
      if (signal.aborted) { return undefined; }
      if (!lock) {
        follow();
        return undefined;
      }
      const stream = this.#make(address);
      this.#begin(stream);
      channel.onmessage = async () => {
        const SharedStream = await sharing();
        if (!SharedStream || this.#stream !== stream) { return; }
        this.#stream = shared = new SharedStream(Stream, name, channel, address, this.#receive, this.#tell, this.#states);
        shared.lead(stream, this.connection);
      };
      return letGo;
    // Stolen: another tab took this one to be frozen.
    }).catch((error) => {
      lose(error);
      follow();
    });
  }

  /** Reconnect at once: the page is looked at, or the network is back. */
  hurry() { this.#stream?.hurry(); }

  close() {
    this.#hangUp();
    this.#tell("closed");
    this.#channels.clear();
    for (const voice of this.#voices.values()) { voice.close(); }
    this.#voices.clear();
  }

  #hangUp() {
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#stream?.close();
    this.#stream = undefined;
  }
}
