import { ConnectionLost, problemOf } from "./errors.js";

/** @typedef {string | (() => string | Promise<string>)} Token - a key or a token, or a function that fetches one */

// A gateway that answers for a server that restarts, and the server itself when it is busy or stops.
const passing = [429, 502, 503, 504];

/**
 * An idempotency key. `randomUUID` exists only on pages of a secure origin, and Node 18 has no global `crypto`.
 */
export function newKey() {
  const random = Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? random;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} status */
export const isPassing = (status) => passing.includes(status);

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
 * Sends a request until it is answered, refused, or has failed too often.
 *
 * @param {URL} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal }} init
 * @param {{ token?: Token, fetch: typeof fetch, attempts: number, until?: number, isRepeatable: boolean }} options
 */
export async function send(url, init, { token, fetch, attempts, until, isRepeatable }) {
  for (let attempt = 0; ; attempt += 1) {
    const isOver = until === undefined ? attempt + 1 >= attempts : Date.now() >= until;
    const isLast = isOver || !isRepeatable;
    /** @type {Response | undefined} */
    let response;
    try {
      response = await fetch(url, { ...init, headers: { ...init.headers, ...(await authorization(token)) } });
    } catch (error) {
      if (init.signal?.aborted) { throw init.signal.reason; }
      if (isLast) { throw new ConnectionLost(error); }
    }
    if (response?.ok) { return response; }
    if (response && (isLast || !isPassing(response.status))) { throw await problemOf(response); }
    await response?.body?.cancel();
    await sleep(delay(attempt, response), init.signal);
  }
}
