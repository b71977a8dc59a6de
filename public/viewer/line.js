/**
 * The line to a channel: its events as they come, what a person does as it goes, and whether this page speaks for it.
 *
 * @import { Connection, Envelope } from "./wire.d.ts"
 */

import { Client, Refusal } from "./client.js";
import { SharedStream, canShare } from "./shared.js";
import { Stream } from "./stream.js";
import { Voice } from "./voice.js";

/** How the stream is asked for. @typedef {{ isAssistive: boolean, isShared: boolean, scale: number }} Manner */

export class Line {
  /** @type {Connection} */
  connection = "closed";
  #receive;
  #connect;
  #address = "";
  /** @type {Stream | SharedStream | undefined} */
  #stream;
  /** @type {Client | undefined} */
  #client;
  /** @type {Voice | undefined} */
  #voice;

  /**
   * @param {(envelope: Envelope) => void} receive
   * @param {(state: Connection) => void} connect - called when the state of the connection is another one
   */
  constructor(receive, connect) {
    this.#receive = receive;
    this.#connect = connect;
  }

  get client() { return this.#client; }

  /** Whether this page speaks and buzzes for the channel. */
  get isHeard() { return this.#voice?.isMine ?? false; }

  get isOpen() { return this.#stream !== undefined; }

  /**
   * @param {URL} channel - ends in "/"
   * @param {Manner} manner
   */
  open(channel, manner) {
    this.#address = channel.href;
    this.#voice = new Voice(channel.href);
    if (!this.#voice.open()) { console.warn(`Several toast viewers of this page show ${channel}: only the first one speaks.`); }
    this.#client = new Client(channel);
    this.listen(manner);
  }

  /** Open the stream, also in another manner than before. @param {Manner} manner */
  listen({ isAssistive, isShared, scale }) {
    this.#stream?.close();
    const address = new URL("stream", this.#address);
    if (isAssistive) { address.searchParams.set("assistive", "1"); }
    if (scale > 1) { address.searchParams.set("scale", String(scale)); }
    const Source = isShared && canShare() ? SharedStream : Stream;
    this.#stream = new Source(address, this.#receive, (state) => {
      this.connection = state;
      this.#connect(state);
    });
    this.#stream.open();
  }

  /** Somebody is there, or the network is: do not wait for the next try. */
  hurry() { this.#stream?.hurry(); }

  close() {
    this.#stream?.close();
    this.#stream = undefined;
    this.#voice?.close();
  }

  /**
   * Send what a person did. If the server refuses, somebody else was first; if it was not reached, it did not happen.
   *
   * @param {(client: Client) => Promise<void>} command
   * @param {() => void} lost
   */
  send(command, lost) {
    if (!this.#client) { return; }
    command(this.#client).catch((error) => {
      if (error instanceof Refusal && (error.status === 0 || error.status >= 500)) { lost(); }
    });
  }
}
