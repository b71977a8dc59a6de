/**
 * The connection to one or more channels: their events as they come, what a person does as it goes, and whether this page
 * speaks for them.
 *
 * @import { SharedStream } from "./lazy/shared.js"
 * @import { ChannelStates } from "./state.js"
 * @import { Connection, Envelope } from "./wire.d.ts"
 *
 * How the stream is asked for. @typedef {{ isAssistive: boolean, isShared: boolean, language: string, scale: number }} Manner
 */

import { home } from "./sheets.js";
import { Stream } from "./stream.js";
import { after } from "./text.js";

/** The address of the server, with its "/": by default the one that this file came from. @param {Element} element */
export function serverOf(element) {
  return new URL(element.getAttribute("src") || home, document.baseURI);
}

/** Milliseconds after which what did not load is done without. */
const patience = 5000;

/** What is needed when there is another tab; without it each has a stream of its own. */
const sharing = () => Promise.race([
  import("./lazy/shared.js").then((it) => it.SharedStream, () => undefined),
  after(patience),
]);

/** By which tabs agree: there on https and localhost only. A frame that has no origin has them, but may not use them. */
let { locks } = /** @type {{ locks?: LockManager }} */ (navigator);

/** A lock was taken by somebody else; or refused, then there are none. @param {Error} error */
function lose({ name }) {
  if (name !== "AbortError") { locks = undefined; }
}

/** The voices of this page by name: of several the first one is heard. @type {Map<string, Set<Voice>>} */
const all = new Map();

/** Which of several tabs with the same toasts speaks and buzzes: the one that was last looked at. */
class Voice {
  #name;
  #all;
  #isMine = false;
  /** @type {AbortController | undefined} While it is the one of this page. */
  #up;
  #wish = new AbortController();

  /** @param {string} name */
  constructor(name) {
    this.#name = `toast-viewer voice ${name}`;
    this.#all = all.get(name) ?? new Set();
    all.set(name, this.#all);
  }

  /** Whether no other one of this page wanted to be heard before. */
  get isFirst() { return this.#up !== undefined; }

  /** Whether this tab is to be heard. Where tabs cannot agree, each that is seen is. */
  get isMine() { return this.isFirst && !document.hidden && (this.#isMine || !locks); }

  /** Want to be heard. */
  open() { if (this.#all.add(this).size === 1) { this.#start(); } }

  /** Be silent, and let the next one of this page speak. */
  close() {
    this.#all.delete(this);
    if (!this.#up) { return; }
    this.#up.abort();
    this.#up = undefined;
    this.#leave();
    for (const next of this.#all) { return next.#start(); }
  }

  #start() {
    this.#up = new AbortController();
    const { signal } = this.#up;
    addEventListener("focus", this.#turn, { signal });
    document.addEventListener("visibilitychange", this.#turn, { signal });
    this.#turn();
  }

  #turn = () => { if (document.hidden) { this.#leave(); } else if (!this.#isMine) { this.#request(document.hasFocus()); } };

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
      // Another tab has taken it: this one is the next when that one is gone.
      this.#request(false);
    });
  }
}

export class ChannelConnection {
  /** @type {Connection} */
  connection = "closed";
  /** How the server was asked. @type {Manner | undefined} */
  manner;
  #receive;
  #connect;
  #states;
  /** The channels' addresses, each with "/" at its end. @type {Map<string, URL>} */
  #channels = new Map();
  /** @type {Stream | SharedStream | undefined} */
  #stream;
  /** Ends what `listen` has begun, and says so to what it waits for. */
  #listening = new AbortController();
  /** @type {Map<string, Voice>} */
  #voices = new Map();

  /**
   * @param {(envelope: Envelope) => void} receive
   * @param {(state: Connection) => void} connect - called when the state of the connection is another one
   * @param {() => ChannelStates} states - what a tab that comes later has to know
   */
  constructor(receive, connect, states) {
    this.#receive = receive;
    this.#connect = connect;
    this.#states = states;
  }

  /** Whether this page speaks and buzzes for a channel; for its own toasts, which have none, if it is seen. @param {string} channel */
  isHeard(channel) {
    const [first] = this.#voices.values();
    return (this.#voices.get(channel) ?? (channel ? first : undefined))?.isMine ?? !document.hidden;
  }

  /** Whether it does for one of them. */
  get isSpeaking() { return [...this.#voices.values()].some((it) => it.isMine); }

  /** Whether it is this viewer of the page that does. @param {string} channel */
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
      const voice = new Voice(address.href);
      this.#voices.set(channel, voice);
      voice.open();
    }
    this.listen(manner);
  }

  /** Open the stream, also in another manner than before. @param {Manner} manner */
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
   * One stream for all tabs of an origin that watch the same channel: the tab that holds a lock has it. Mostly there is
   * only one, so how they share is loaded when another one is there.
   *
   * @param {URL} address
   * @param {LockManager} manager
   */
  #lead(address, manager) {
    const { signal } = this.#listening;
    const name = `toast-viewer 1 ${address}`;
    const channel = new BroadcastChannel(name);
    const letGo = new Promise((resolve) => signal.addEventListener("abort", resolve));
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
    // Stolen, not left: somebody thought that this tab was asleep.
    }).catch((error) => {
      lose(error);
      follow();
    });
  }

  /** Somebody is there, or the network is: do not wait for the next try. */
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
