/** The types of the package. `test/types.ts` compares them with the code. */

import type {
  Draft, Envelope, Filter, Hold, PersonsReason, PublicationResults, ShownToast, Toast, ToastBatch, ToastPage,
  UpdatedToasts,
} from "./wire.d.ts";

export type * from "./wire.d.ts";

/**
 * An API key or a token, or a function that fetches one for each request. The function needs a time limit of its own.
 * An empty text from it is a `TypeError`.
 */
export type Token = string | (() => string | Promise<string>);

export interface ClientOptions {
  token?: Token;
  /**
   * How often a request is sent in all if its answer is lost, or is 429, 502, 503 or 504: 6 by default, with pauses of
   * 8 to 31 s in all. The server may ask for other pauses: one of more than 30 s throws `ProblemError` at once. With 1,
   * every failure is thrown at once.
   */
  attempts?: number;
  fetch?: typeof globalThis.fetch;
}

export interface StreamOptions {
  token?: Token;
  /** A cursor: the stream continues after it. */
  since?: string;
  /** Only events of these types. Without `presented` among them, the stream does not count as a viewer. */
  events?: string[];
  /** False: the stream does not count as a viewer of the channel, whatever its `events`. */
  audience?: boolean;
  /** The person uses assistive technology, so toasts stay longer. */
  assistive?: boolean;
  /** How many times longer the person wants to see toasts, 1 to 10. */
  scale?: number;
  language?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /** Ends the request and its repetitions; the signal's `reason` is thrown. The server may have carried it out. */
  signal?: AbortSignal;
}

export interface AskOptions extends RequestOptions {
  /**
   * Seconds; by default without a limit. A change of the system's clock does not alter them. While the machine is
   * suspended, they pass on some systems only. After 3000 s, or when that clock is set forward by as much, the client
   * needs the scope `subscribe`.
   */
  wait?: number;
  /**
   * The toast is dismissed when the connection is lost in the first 3000 seconds, and when an error ends the question
   * after the server's first answer. That of another publisher, as on a channel that deduplicates, is not.
   */
  withdraw?: boolean;
  key?: string;
}

/** A server. A string instead of a list of names is a `TypeError`. */
export class ToastClient {
  /** An address without `http://` or `https://`, without a host, or with a user is a `TypeError`. */
  constructor(url: string | URL, options?: ClientOptions);
  readonly url: URL;
  channel(name: string): ChannelClient;
  /** The events of several channels. */
  stream(channels: string[], options?: StreamOptions): ToastStream;
  publishTo(
    channels: string[],
    toast: Draft | string,
    options?: { key?: string } & RequestOptions,
  ): Promise<PublicationResults>;
}

/** A channel of a server. A name or an id that is empty, `.` or `..` is a `TypeError`. */
export class ChannelClient {
  constructor(server: ToastClient, name: string);
  /** Publishes a toast once, even if the request is repeated: when its answer is lost, or while the queue is full. */
  publish(toast: Draft | string, options?: { key?: string } & RequestOptions): Promise<ShownToast>;
  /** Publishes up to 100 toasts: all or none. */
  publishBatch(toasts: (Draft | string)[], options?: { key?: string } & RequestOptions): Promise<ToastBatch>;
  /**
   * Publishes a toast and waits until it ends. Its `state` is `dismissed`, unless the time was over. A publication
   * whose first answer never came is repeated under its key; after the server's idempotency hours it may be published
   * twice.
   */
  ask(toast: Draft | string, options?: AskOptions): Promise<ShownToast>;
  toasts(state?: Toast["state"], options?: RequestOptions): Promise<Toast[]>;
  page(options?: { state?: Toast["state"]; after?: string } & RequestOptions): Promise<ToastPage>;
  get(id: string, options?: RequestOptions): Promise<Toast>;
  /**
   * Changes a toast; with `revision` only if the toast still has it. Then it is sent only once: after `ConnectionLost`,
   * 502, 504 or 503 `store-undecided` the outcome is unknown.
   */
  patch(id: string, members: Partial<Draft>, options?: { revision?: number } & RequestOptions): Promise<ShownToast>;
  /** Changes all toasts with a `reuseIdentifier`: all or none. */
  patchAll(reuseIdentifier: string, members: Partial<Draft>, options?: RequestOptions): Promise<UpdatedToasts>;
  /** Dismisses a toast; one that has already ended is returned unchanged. */
  delete(id: string, options?: { revision?: number } & RequestOptions): Promise<ShownToast>;
  /**
   * Dismisses all toasts, or those that match all of a filter, and returns their number. It is sent only once: after
   * `ConnectionLost`, 502, 504 or 503 `store-undecided` the outcome is unknown.
   */
  clear(filter?: Filter, options?: RequestOptions): Promise<number>;
  dismiss(id: string, reason?: PersonsReason, options?: RequestOptions): Promise<ShownToast>;
  /**
   * Reports that a person pressed an action. It is sent only once, because every press may count: after
   * `ConnectionLost`, 502, 504 or 503 `store-undecided` the outcome is unknown.
   */
  act(id: string, action: string, options?: RequestOptions): Promise<ShownToast>;
  /** Stops the countdown of a toast for `lease` seconds. */
  hold(id: string, holder: string, lease?: number, options?: RequestOptions): Promise<Hold>;
  release(id: string, holder: string, options?: RequestOptions): Promise<void>;
  stream(options?: StreamOptions): ToastStream;
}

/** The events of one or several channels, without end; it reconnects and resumes. */
export class ToastStream implements AsyncIterable<Envelope> {
  constructor(url: string | URL, options?: StreamOptions);
  /** Where a loop is: the next loop resumes from here, and so does a stream with it as `since`. */
  readonly cursor: string;
  [Symbol.asyncIterator](): AsyncGenerator<Envelope, void>;
}

/** The server refused a request. `type` is the name without `urn:toastd:problem:`. */
export class ProblemError extends Error {
  constructor(status: number, problem: Record<string, any>);
  readonly status: number;
  readonly type: string;
  readonly problem: Record<string, any>;
}

/** The server could not be reached, or did not answer in time. */
export class ConnectionLost extends Error {
  constructor(cause: unknown);
}

/** The answer is not one of toastd, but of another server or a proxy. The address may be wrong. */
export class UnexpectedAnswer extends Error {
  constructor(difference: string);
}
