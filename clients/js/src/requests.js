import { ConnectionLost, problemOf } from "./errors.js";

/** @typedef {string | (() => string | Promise<string>)} Token - a key or a token, or a function that fetches one */

// A gateway that answers for a server that restarts, and the server itself when it is busy or stops.
const passing = [429, 502, 503, 504];

/** Seconds in which a request must be answered. */
const usualTimeout = 20;

/**
 * The address of a server. `URL` takes `localhost:8080` for one with the scheme `localhost`, and `fetch` fails with it
 * as if the server were away.
 *
 * @param {string | URL} address @returns {URL}
 */
export function serverURL(address) {
  try {
    const url = new URL(address);
    // Those of these two schemes always have a host.
    if (/^https?:$/.test(url.protocol)) { return url; }
  } catch { /* The same sentence follows. */ }
  throw new TypeError(`"${address}" is no address of a server: it needs http:// or https://, and a host.`);
}

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

/**
 * Seconds before the next attempt: what the server asks for, else doubling from one second to 30; in both cases with a
 * random part, so that many clients do not come back at once.
 *
 * @param {number} attempt @param {Response} [response] @param {number} [random]
 */
export function delay(attempt, response, random = Math.random()) {
  const asked = response?.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(asked) ? Number(asked) * (1 + 0.2 * random) : Math.min(30, 2 ** attempt) * (0.25 + 0.75 * random);
}

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
  if (!token) { return {}; }
  return { Authorization: `Bearer ${typeof token === "function" ? await token() : token}` };
}

/**
 * Sends a request once, and reads the whole answer. `AbortSignal.any`, which would combine the caller's signal with the
 * time limit, does not exist in Node 18.
 *
 * @param {typeof fetch} fetch @param {URL} url @param {Init} init @param {number} timeout
 */
async function exchange(fetch, url, init, timeout) {
  init.signal?.throwIfAborted();
  const connection = new AbortController();
  const end = () => connection.abort(init.signal?.reason);
  const timer = setTimeout(() => connection.abort(new Error(`no answer in ${timeout} s`)), timeout * 1000);
  init.signal?.addEventListener("abort", end);
  try {
    const response = await fetch(url, { ...init, signal: connection.signal });
    return { response, text: await response.text() };
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener("abort", end);
  }
}

/**
 * Sends a request until it is answered, refused, or has failed too often.
 *
 * @typedef {{ method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal }} Init
 *
 * @param {URL} url
 * @param {Init} init
 * @param {{ token?: Token, fetch: typeof fetch, attempts: number, until?: number, timeout?: number,
 *   isRepeatable: boolean }} options - `timeout` is the seconds in which the whole answer must have come
 * @returns {Promise<{ status: number, json: () => any }>}
 */
export async function send(url, init, { token, fetch, attempts, until, timeout = usualTimeout, isRepeatable }) {
  for (let attempt = 0; ; attempt += 1) {
    const isOver = until === undefined ? attempt + 1 >= attempts : Date.now() >= until;
    const isLast = isOver || !isRepeatable;
    /** @type {{ response: Response, text: string } | undefined} */
    let answer;
    try {
      const headers = { ...init.headers, ...(await authorization(token)) };
      answer = await exchange(fetch, url, { ...init, headers }, timeout);
    } catch (error) {
      if (init.signal?.aborted) { throw init.signal.reason; }
      if (isLast) { throw new ConnectionLost(error); }
    }
    if (answer) {
      const { response, text } = answer;
      if (response.ok) { return { status: response.status, json: () => JSON.parse(text) }; }
      const problem = problemOf(response, text);
      if (isLast || !isPassing(response.status, problem.type)) { throw problem; }
    }
    await sleep(delay(attempt, answer?.response), init.signal);
  }
}
