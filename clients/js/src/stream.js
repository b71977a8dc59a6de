import { ConnectionLost, parsed, problemOf } from "./errors.js";
import { authorization, bounded, delay, isPassing, listed, serverURL, sleep } from "./requests.js";

/**
 * @import { Envelope } from "./wire.d.ts"
 * @import { Token } from "./requests.js"
 *
 * @typedef {object} StreamOptions
 * @property {Token} [token]
 * @property {string} [since] - a cursor from which to resume
 * @property {string[]} [events] - only events of these types
 * @property {boolean} [audience] - false: this stream does not count as somebody who sees the toasts
 * @property {boolean} [assistive]
 * @property {string} [language]
 * @property {AbortSignal} [signal]
 * @property {typeof globalThis.fetch} [fetch]
 */

// Comments come every 15 seconds ± 20 %: a stream that is silent for longer than two of them is dead.
const silence = 40_000;

/** Collects the text of a stream, and returns the events that it completes. */
export class EventReader {
  #rest = "";
  /** @type {string[]} */
  #data = [];
  #id = "";
  /** Seconds that the server asks for before a reconnection. */
  retry = 0;
  /** The cursor that the stream has reached without a further event, as one that selects events does. */
  position = "";

  /** @param {string} text @returns {Envelope[]} */
  feed(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line.replace(/\r$/, "")));
  }

  /** @param {string} line @returns {Envelope[]} */
  #take(line) {
    if (line === "") {
      const data = this.#data.splice(0);
      this.position = data.length > 0 ? "" : this.#id || this.position;
      this.#id = "";
      const event = data.length > 0 ? parsed(data.join("\n")) : undefined;
      // An event that cannot be read is left out, and the stream goes on after it.
      return typeof event?.type === "string" ? [event] : [];
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "data") { this.#data.push(value ?? ""); }
    if (name === "id") { this.#id = value ?? ""; }
    if (name === "retry" && /^\d+$/.test(value ?? "")) { this.retry = Number(value) / 1000; }
    return [];
  }
}

/**
 * The events of a channel, or of several, read with `fetch`, so that a credential goes in a header, as `EventSource`
 * cannot. A lost connection is opened again and resumes after the last event. `for await` reads it; it ends when
 * its `signal` is aborted or the loop is left.
 */
export class ToastStream {
  /** Of the last event: a stream with this as `since` goes on from here. */
  cursor;
  #url;
  #options;
  #failures = 0;

  /**
   * @param {string | URL} url - of a stream, as `https://toasts.example/v1/channels/ops/stream`
   * @param {StreamOptions} [options]
   */
  constructor(url, options = {}) {
    this.#url = serverURL(url);
    this.#options = options;
    this.cursor = options.since ?? "";
    const { events, audience, assistive, language } = options;
    const { searchParams } = this.#url;
    if (events) { searchParams.set("events", listed(events).join(",")); }
    if (audience === false) { searchParams.set("audience", "0"); }
    if (assistive) { searchParams.set("assistive", "1"); }
    if (language) { searchParams.set("language", language); }
  }

  /** @returns {AsyncGenerator<Envelope, void>} */
  async *[Symbol.asyncIterator]() {
    const { signal } = this.#options;
    while (!signal?.aborted) {
      let pause = 0;
      const connection = new AbortController();
      const end = () => connection.abort();
      signal?.addEventListener("abort", end);
      try {
        const response = await this.#open(connection);
        if (response.status !== 200) {
          if (!isPassing(response.status)) {
            throw problemOf(response, await awaited(response.text(), connection));
          }
          pause = delay(this.#failures++, response);
        } else {
          checkType(response);
          const reader = new EventReader();
          for await (const event of this.#read(response, reader, connection)) {
            this.#failures = 0;
            // The cursor of `resumed` is where the repetition will end, not a place that was reached.
            if (event.type !== "resumed" && "cursor" in event) { this.cursor = event.cursor; }
            if (event.type === "shutdown") { pause = bounded(event.retry); }
            yield event;
          }
          pause ||= bounded(Math.max(delay(this.#failures++), reader.retry));
        }
      } catch (error) {
        if (!isNetworkError(error)) { throw error; }
        // What a stopping server asked for comes first.
        pause ||= delay(this.#failures++);
      } finally {
        signal?.removeEventListener("abort", end);
        // Also when the loop is left.
        connection.abort();
      }
      await sleep(pause, signal).catch(() => {});
    }
  }

  /** @param {AbortController} connection */
  async #open(connection) {
    const url = new URL(this.#url);
    if (this.cursor) { url.searchParams.set("since", this.cursor); }
    // It also refuses a token that is no header, which `fetch` would do as if the connection were lost.
    const headers = new Headers({ Accept: "text/event-stream", ...(await authorization(this.#options.token)) });
    const fetch = this.#options.fetch ?? globalThis.fetch;
    const { signal } = connection;
    return awaited(fetch(url, { headers, signal, cache: "no-store", redirect: "manual" }), connection);
  }

  /** @param {Response} response @param {EventReader} reader @param {AbortController} connection */
  async *#read(response, reader, connection) {
    if (!response.body) { return; }
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const chunk = await awaited(chunks.read(), connection);
      if (chunk.done) { return; }
      yield* reader.feed(chunk.value);
      if (reader.position) { this.cursor = reader.position; }
    }
  }
}

/**
 * Refuses a successful answer that is no stream: it has no events, so the client would open it again without end.
 *
 * @param {Response} response
 */
function checkType(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() === "text/event-stream") { return; }
  throw new ConnectionLost(new Error(`the answer is not a stream of events, but has the type "${type}"`));
}

/**
 * What the server sends next. The connection is ended if nothing comes for too long.
 *
 * @template Part @param {Promise<Part>} part @param {AbortController} connection @returns {Promise<Part>}
 */
async function awaited(part, connection) {
  const timer = setTimeout(() => connection.abort(), silence);
  try {
    return await part;
  } catch (error) {
    throw new NetworkError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** A connection that failed or was ended; an error of the loop's own body is none. */
class NetworkError extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("the connection was lost", { cause });
  }
}

/** @param {unknown} error */
const isNetworkError = (error) => error instanceof NetworkError;
