import { ConnectionLost, parsed, problemOf, UnexpectedAnswer } from "./errors.js";

/**
 * @import { Token } from "./index.d.ts"
 *
 * @typedef {object} Server
 * @property {URL} url
 * @property {Token} [token]
 * @property {typeof globalThis.fetch} fetch
 * @property {number} attempts - how often a request is sent in all
 *
 * @typedef {object} Call - a request to a server
 * @property {string} method
 * @property {string} path
 * @property {string} [body]
 * @property {string} [type] - of the body, if it is not `application/json`
 * @property {string} [key]
 * @property {number} [revision]
 * @property {boolean} [withdraw]
 *
 * @typedef {object} Answer - read whole
 * @property {Response} response
 * @property {string} text - the body
 *
 * @typedef {object} Limits
 * @property {AbortSignal} [signal]
 * @property {number} [until] - in milliseconds of `performance.now`, which no change of the system's clock moves: the
 *   request is repeated until then, and asks the server to wait for the time that is left
 * @property {boolean} [isRepeatable] - true by default
 */

// Statuses of a gateway while the server restarts, and of the server itself when it is busy or stops.
const passing = [429, 502, 503, 504];

/**
 * How often a request is sent in all. The pauses last 7.75 to 31 s together, enough for 99.8 % of restarts that take
 * 10 s.
 */
export const usualAttempts = 6;

/** Seconds. If the server asks for a longer pause the request fails, so that the caller can decide what to do. */
const longestWaitToRepeat = 30;

/** Seconds in which a request must be answered. */
const usualTimeout = 20;

/** Seconds that one request waits for a question's answer: proxies close connections that are idle for a minute. */
const longestWait = 45;

// Seconds. Pauses that a server or a proxy asks for are limited: none floods it, none makes the client seem dead.
const [shortestPause, longestPause] = [0.25, 3600];

/**
 * Checks the address of a server. For `URL`, `localhost:8080` has the scheme `localhost:`, and `fetch` would fail as if
 * the server were away.
 *
 * @param {string | URL} address @returns {URL}
 */
export function serverURL(address) {
  /** @type {URL | undefined} */
  let url;
  try { url = new URL(address); } catch { /* The last line throws. */ }
  // `fetch` refuses an address with a user. The message must not contain the password.
  if (url?.username || url?.password) {
    throw new TypeError(`An address with a user is no address of a server: "${url.host}" needs a token instead.`);
  }
  // A URL with one of these schemes always has a host.
  if (url && /^https?:$/.test(url.protocol)) { return url; }
  throw new TypeError(`"${address}" is no address of a server: it needs http:// or https://, and a host.`);
}

/**
 * A name as a segment of a path. `URL` resolves `.` and `..`, so such a name would address another resource: a deletion
 * of the toast `..` would delete all toasts of the channel.
 *
 * @param {string} name
 */
export function segment(name) {
  if (["", ".", ".."].includes(String(name))) {
    throw new TypeError(`"${name}" is no name of a channel, toast, action or holder.`);
  }
  return encodeURIComponent(name);
}

/** A list of names; a string is an error: it would be a list of its characters. @param {Iterable<string>} names */
export function listed(names) {
  if (typeof names === "string") { throw new TypeError(`"${names}" is one name; a list of names is needed.`); }
  return [...names];
}

/**
 * A document as JSON. `NaN` and `Infinity` are errors: `stringify` writes `null` for them, which means something else.
 *
 * @param {unknown} document
 */
export const encoded = (document) => JSON.stringify(document, (name, value) => {
  if (typeof value !== "number" || Number.isFinite(value)) { return value; }
  throw new TypeError(`"${name}" is ${value}; a finite number is needed.`);
});

/**
 * A random idempotency key. `randomUUID` exists only on pages of a secure origin, and Node 18 has no global `crypto`.
 */
export function newKey() {
  const random = Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? random;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Whether a failure is temporary. With `idempotency-key-in-use`, the server is still storing the first request that has
 * the key.
 *
 * @param {number} status @param {string} [type] - of the problem
 */
export const isPassing = (status, type) => passing.includes(status) || type === "idempotency-key-in-use";

/** The seconds that the server asks to wait, or undefined. @param {Response | undefined} response */
function asked(response) {
  const text = response?.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Seconds before the next attempt: what the server asks for, else doubling from one second to 30; in both cases with a
 * random part, so that many clients do not come back at once.
 *
 * @param {number} attempt @param {Response} [response] @param {number} [random]
 */
export function delay(attempt, response, random = Math.random()) {
  const seconds = asked(response);
  if (seconds !== undefined) { return bounded(seconds * (1 + 0.2 * random)); }
  return Math.min(30, 2 ** attempt) * (0.25 + 0.75 * random);
}

/** A pause within the limits; a value that is no number counts as 0. @param {number} seconds */
export const bounded = (seconds) => Math.max(shortestPause, Math.min(longestPause, Number(seconds) || 0));

/**
 * The result of a promise; rejected with the reason of the signal if that is aborted before.
 *
 * @template Value @param {Promise<Value>} promise @param {AbortSignal | undefined} signal @returns {Promise<Value>}
 */
function untilAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal?.reason);
    if (signal?.aborted) { return end(); }
    signal?.addEventListener("abort", end, { once: true });
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", end));
  });
}

/** @param {number} seconds @param {AbortSignal} [signal] */
export async function sleep(seconds, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const pause = new Promise((resolve) => { timer = setTimeout(resolve, seconds * 1000); });
  try { await untilAborted(pause, signal); } finally { clearTimeout(timer); }
}

/**
 * The header with the token. A function that gives an empty one is an error: without a token the request would be that
 * of another caller, and an idempotency key belongs to its caller.
 *
 * @param {Token | undefined} token @param {AbortSignal} [signal] @returns {Promise<Record<string, string>>}
 */
export async function authorization(token, signal) {
  signal?.throwIfAborted();
  const value = typeof token === "function" ? await untilAborted(Promise.resolve(token()), signal) : token;
  if (typeof token === "function" && value === "") { throw new TypeError("the token is empty"); }
  return value ? { Authorization: `Bearer ${value}` } : {};
}

/**
 * Sends a request once, and reads the whole answer. `AbortSignal.any`, which would combine the caller's signal with the
 * time limit, does not exist in Node 18.
 *
 * @param {typeof fetch} fetch @param {URL} url @param {RequestInit} init @param {number} timeout
 * @returns {Promise<Answer>}
 */
async function exchange(fetch, url, init, timeout) {
  const connection = new AbortController();
  const { signal } = init;
  signal?.throwIfAborted();
  const end = () => connection.abort(signal?.reason);
  const timer = setTimeout(() => connection.abort(new Error(`no answer in ${timeout} s`)), timeout * 1000);
  signal?.addEventListener("abort", end);
  try {
    // Redirects are not followed: `fetch` may turn a POST into a GET, whose answer would look like that of the POST.
    const response = await fetch(url, { ...init, signal: connection.signal, redirect: "manual" });
    return { response, text: await response.text() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** @param {Call} call @returns {Record<string, string>} */
const headersOf = ({ body, type = "application/json", key, revision }) => ({
  ...(body === undefined ? {} : { "Content-Type": type }),
  ...(key ? { "Idempotency-Key": key } : {}),
  ...(revision === undefined ? {} : { "If-Match": `"${revision}"` }),
});

/**
 * Sends a request until it is answered, refused, or has failed too often or for too long.
 *
 * @param {Server} server
 * @param {Call | (() => Call)} request - a function gives the call of each attempt
 * @param {Limits} limits
 * @returns {Promise<Answer>} a successful one
 */
export async function send(server, request, { signal, until, isRepeatable = true }) {
  for (let attempt = 0; ; attempt += 1) {
    const isOver = until === undefined ? attempt + 1 >= server.attempts : performance.now() >= until;
    const isLast = isOver || !isRepeatable;
    // Outside `try`, because an invalid token, or a function that fails to fetch one, is no lost connection.
    const credential = await authorization(server.token, signal);
    const call = typeof request === "function" ? request() : request;
    const headers = new Headers({ ...headersOf(call), ...credential });
    let timeout = usualTimeout;
    if (until !== undefined) {
      const wait = Math.max(1, Math.round(Math.min(longestWait, (until - performance.now()) / 1000)));
      headers.set("Prefer", `wait=${wait}${call.withdraw ? ", withdraw" : ""}`);
      timeout = wait + 30;
    }
    const { method, body } = call;
    /** @type {Answer | undefined} */
    let answer;
    try {
      answer = await exchange(server.fetch, new URL(call.path, server.url), { method, headers, body, signal }, timeout);
    } catch (error) {
      if (signal?.aborted) { throw signal.reason; }
      if (isLast) { throw new ConnectionLost(error); }
    }
    if (answer) {
      const { response, text } = answer;
      if (response.ok) { return answer; }
      const problem = problemOf(response, text);
      const isTooLong = until === undefined && (asked(response) ?? 0) > longestWaitToRepeat;
      if (isLast || isTooLong || !isPassing(response.status, problem.type)) { throw problem; }
    }
    const pause = delay(attempt, answer?.response);
    await sleep(until === undefined ? pause : Math.min(pause, Math.max(0, until - performance.now()) / 1000), signal);
  }
}

/** The document of an answer: a JSON object, unlike the page of a proxy. @param {Answer} answer @returns {any} */
export function documentOf({ text }) {
  const document = parsed(text);
  if (document && typeof document === "object" && !Array.isArray(document)) { return document; }
  throw new UnexpectedAnswer("it is no JSON object");
}
