import { ConnectionLost, parsed, problemOf } from "./errors.js";

/** @typedef {string | (() => string | Promise<string>)} Token - a key or a token, or a function that fetches one */

// A gateway that answers for a server that restarts, and the server itself when it is busy or stops.
const passing = [429, 502, 503, 504];

/**
 * How often a request is sent in all. The pauses between last 7.75 to 31 s together: of restarts of 10 s, 99.8 % are
 * survived.
 */
export const usualAttempts = 6;

/** Seconds; a request that should wait for longer has failed: its caller knows better what to do meanwhile. */
const longestWaitToRepeat = 30;

/** Seconds in which a request must be answered. */
const usualTimeout = 20;

/** Seconds that one request waits for a question's answer: proxies close connections that are idle for a minute. */
const longestWait = 45;

// A server or a proxy that asks for another pause makes the client neither flood it nor seem dead.
const [shortestPause, longestPause] = [0.25, 3600];

/**
 * The address of a server. `URL` takes `localhost:8080` for one with the scheme `localhost`, and `fetch` fails with it
 * as if the server were away.
 *
 * @param {string | URL} address @returns {URL}
 */
export function serverURL(address) {
  /** @type {URL | undefined} */
  let url;
  try { url = new URL(address); } catch { /* The last sentence follows. */ }
  // `fetch` fails with a user, too. The sentence does not have the password.
  if (url?.username || url?.password) {
    throw new TypeError(`An address with a user is no address of a server: "${url.host}" needs a token instead.`);
  }
  // Those of these two schemes always have a host.
  if (url && /^https?:$/.test(url.protocol)) { return url; }
  throw new TypeError(`"${address}" is no address of a server: it needs http:// or https://, and a host.`);
}

/**
 * A part of a path. `URL` resolves `.` and `..`, so such a name would address another resource: to delete the toast
 * `..` would delete all toasts of the channel.
 *
 * @param {string} name
 */
export function segment(name) {
  if (["", ".", ".."].includes(String(name))) {
    throw new TypeError(`"${name}" is no name of a channel, toast, action or holder.`);
  }
  return encodeURIComponent(name);
}

/** Several names. One string would be taken for a list of its characters. @param {Iterable<string>} names */
export function listed(names) {
  if (typeof names === "string") { throw new TypeError(`"${names}" is one name; a list of names is needed.`); }
  return [...names];
}

/**
 * JSON has neither `NaN` nor `Infinity`, and `null`, which `stringify` writes for them, means something else.
 *
 * @param {unknown} document
 */
export const encoded = (document) => JSON.stringify(document, (name, value) => {
  if (typeof value !== "number" || Number.isFinite(value)) { return value; }
  throw new TypeError(`"${name}" is ${value}; a finite number is needed.`);
});

/**
 * An idempotency key. `randomUUID` exists only on pages of a secure origin, and Node 18 has no global `crypto`.
 */
export function newKey() {
  const random = Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? random;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Whether the same request may be answered later. With `idempotency-key-in-use`, the server is still storing the first
 * request that had the key.
 *
 * @param {number} status @param {string} [type] - of the problem
 */
export const isPassing = (status, type) => passing.includes(status) || type === "idempotency-key-in-use";

/** Seconds that the server asks to wait, if it does. @param {Response | undefined} response */
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

/** What is no number is taken for 0. @param {number} seconds */
export const bounded = (seconds) => Math.max(shortestPause, Math.min(longestPause, Number(seconds) || 0));

/** @param {number} seconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function sleep(seconds, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) { return reject(signal.reason); }
    const end = () => { clearTimeout(timer); reject(signal?.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", end); resolve(); }, seconds * 1000);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** @param {Token | undefined} token @returns {Promise<Record<string, string>>} */
export async function authorization(token) {
  const value = typeof token === "function" ? await token() : token;
  return value ? { Authorization: `Bearer ${value}` } : {};
}

/**
 * Sends a request once, and reads the whole answer. `AbortSignal.any`, which would combine the caller's signal with the
 * time limit, does not exist in Node 18.
 *
 * @param {typeof fetch} fetch @param {URL} url @param {RequestInit} init @param {number} timeout
 */
async function exchange(fetch, url, init, timeout) {
  const connection = new AbortController();
  const { signal } = init;
  signal?.throwIfAborted();
  const end = () => connection.abort(signal?.reason);
  const timer = setTimeout(() => connection.abort(new Error(`no answer in ${timeout} s`)), timeout * 1000);
  signal?.addEventListener("abort", end);
  try {
    // A redirect is not followed: `fetch` would make a GET of a POST, and take its answer for that of the POST.
    const response = await fetch(url, { ...init, signal: connection.signal, redirect: "manual" });
    return { response, text: await response.text() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/**
 * Sends a request until it is answered, refused, or has failed too often or for too long. With `until` it is sent again
 * until then, and asks the server to wait for as long as is left.
 *
 * @typedef {{ method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal }} Init
 *
 * @param {URL} url
 * @param {Init} init
 * @param {{ token?: Token, fetch: typeof fetch, attempts: number, until?: number, withdraw?: boolean,
 *   isRepeatable: boolean }} options
 * @returns {Promise<{ status: number, json: () => any }>}
 */
export async function send(url, init, { token, fetch, attempts, until, withdraw, isRepeatable }) {
  for (let attempt = 0; ; attempt += 1) {
    const isOver = until === undefined ? attempt + 1 >= attempts : Date.now() >= until;
    const isLast = isOver || !isRepeatable;
    // Outside `try`: a token that is no header, or a function that fails to fetch one, is no lost connection.
    const headers = new Headers({ ...init.headers, ...(await authorization(token)) });
    let timeout = usualTimeout;
    if (until !== undefined) {
      const wait = Math.max(1, Math.round(Math.min(longestWait, (until - Date.now()) / 1000)));
      headers.set("Prefer", `wait=${wait}${withdraw ? ", withdraw" : ""}`);
      timeout = wait + 30;
    }
    /** @type {{ response: Response, text: string } | undefined} */
    let answer;
    try {
      answer = await exchange(fetch, url, { ...init, headers }, timeout);
    } catch (error) {
      if (init.signal?.aborted) { throw init.signal.reason; }
      if (isLast) { throw new ConnectionLost(error); }
    }
    if (answer) {
      const { response, text } = answer;
      if (response.ok) { return { status: response.status, json: () => documentOf(text) }; }
      const problem = problemOf(response, text);
      const isTooLong = until === undefined && (asked(response) ?? 0) > longestWaitToRepeat;
      if (isLast || isTooLong || !isPassing(response.status, problem.type)) { throw problem; }
    }
    const pause = delay(attempt, answer?.response);
    await sleep(until === undefined ? pause : Math.min(pause, Math.max(0, until - Date.now()) / 1000), init.signal);
  }
}

/** The object that answers a request; a page of a proxy, for example, is none. @param {string} text */
function documentOf(text) {
  const document = parsed(text);
  if (document && typeof document === "object" && !Array.isArray(document)) { return document; }
  throw new ConnectionLost(new Error("the answer is not one of toastd"));
}
