import { parsed, problemOf, UnexpectedAnswer } from "./errors.js";
import { authorization, bounded, delay, isPassing, listed, serverURL, sleep } from "./requests.js";

/** @import { Envelope, StreamOptions } from "./index.d.ts" */

// Milliseconds. The server sends a comment every 15 s ± 20 %, so a stream without data for longer than two is dead.
const silence = 40_000;

/** Collects the text of a stream, and returns the events that it completes. */
export class EventReader {
  #rest = "";
  /** @type {string[]} */
  #data = [];
  #id = "";
  /** Seconds that the server asks for before a reconnection. */
  retry = 0;
  /** A cursor that came without an event, as on streams that select events; empty if an event came after it. */
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
 * The events of one or several channels, for `for await`. They are read with `fetch`, because `EventSource` sends no
 * credential in a header. A lost connection is opened again and resumes after the last event. The loop ends when the
 * `signal` is aborted. Each loop has a connection of its own.
 */
export class ToastStream {
  /** The cursor of the last event that a loop received: the next loop resumes after it, and so does `since`. */
  cursor;
  #url;
  #options;

  /**
   * @param {string | URL} url - of a stream, such as `https://toasts.example/v1/channels/ops/stream`
   * @param {StreamOptions} [options]
   */
  constructor(url, options = {}) {
    this.#url = serverURL(url);
    this.#options = options;
    this.cursor = options.since ?? "";
    const { events, audience, assistive, scale, language } = options;
    const { searchParams } = this.#url;
    if (events) { searchParams.set("events", listed(events).join(",")); }
    if (audience === false) { searchParams.set("audience", "0"); }
    if (assistive) { searchParams.set("assistive", "1"); }
    if (scale !== undefined) { searchParams.set("scale", String(scale)); }
    if (language) { searchParams.set("language", language); }
  }

  /** @returns {AsyncGenerator<Envelope, void>} */
  async *[Symbol.asyncIterator]() {
    const { signal } = this.#options;
    let { cursor } = this;
    let failures = 0;
    /** @param {string} reached */
    const move = (reached) => { cursor = this.cursor = reached; };
    while (!signal?.aborted) {
      let pause = 0;
      const positionAfter = positions(this.#url.searchParams.getAll("channel"));
      const connection = new AbortController();
      const end = () => connection.abort();
      signal?.addEventListener("abort", end);
      try {
        const response = await this.#open(cursor, connection);
        if (response.status !== 200) {
          if (!isPassing(response.status)) {
            throw problemOf(response, await awaited(response.text(), connection));
          }
          pause = delay(failures++, response);
        } else {
          checkType(response);
          const reader = new EventReader();
          for await (const text of textOf(response, connection)) {
            for (const event of reader.feed(text)) {
              if (signal?.aborted) { return; }
              failures = 0;
              const reached = positionAfter(event);
              if (reached) { move(reached); }
              if (event.type === "shutdown") { pause = bounded(event.retry); }
              yield event;
            }
            if (reader.position) { move(reader.position); }
          }
          pause ||= bounded(Math.max(delay(failures++), reader.retry));
        }
      } catch (error) {
        if (signal?.aborted) { return; }
        if (!isNetworkError(error)) { throw error; }
        // The pause that a `shutdown` event asked for takes precedence.
        pause ||= delay(failures++);
      } finally {
        signal?.removeEventListener("abort", end);
        // Also when the loop is left.
        connection.abort();
      }
      await sleep(pause, signal).catch(() => {});
    }
  }

  /** @param {string} cursor @param {AbortController} connection */
  async #open(cursor, connection) {
    const url = new URL(this.#url);
    if (cursor) { url.searchParams.set("since", cursor); }
    const { signal } = connection;
    // `Headers` throws for an invalid token; `fetch` would fail as if the connection were lost.
    const headers = new Headers({ Accept: "text/event-stream", ...(await authorization(this.#options.token, signal)) });
    const fetch = this.#options.fetch ?? globalThis.fetch;
    return awaited(fetch(url, { headers, signal, cache: "no-store", redirect: "manual" }), connection);
  }
}

/**
 * The cursor after each event of a connection; undefined if it may lack one of several channels.
 *
 * @param {string[]} channels - empty for a single one @returns {(event: Envelope) => string | undefined}
 */
function positions(channels) {
  // Those that have not begun on this connection, with `snapshot` or `resumed`.
  const awaited = new Set(channels);
  let isReset = false;
  return (event) => {
    if (event.type === "snapshot" || event.type === "resumed") { awaited.delete(event.channel); }
    isReset ||= event.type === "snapshot" && event.reset;
    // After a power failure of the server, a cursor has no place in the channels that begin later: from there they would
    // begin with `reset`, though perhaps nothing is lost. As long as none has lost events, only the cursor of `resumed`
    // is in doubt.
    const isPartial = awaited.size > 0 && (isReset || event.type === "resumed");
    return !isPartial && "cursor" in event ? event.cursor : undefined;
  };
}

/** The text of a body, part by part. @param {Response} response @param {AbortController} connection */
async function* textOf(response, connection) {
  if (!response.body) { return; }
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const chunk = await awaited(chunks.read(), connection);
    if (chunk.done) { return; }
    yield chunk.value;
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
  throw new UnexpectedAnswer(`it is no stream of events, but has the type "${type}"`);
}

/**
 * Waits for the next part from the server. If nothing comes for the time of `silence`, the connection is aborted.
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

/** A connection failed or was aborted. Errors that the server's answer or the token causes are not of this class. */
class NetworkError extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("the connection was lost", { cause });
  }
}

/** @param {unknown} error */
const isNetworkError = (error) => error instanceof NetworkError;
