/**
 * Tells the page that a server refused a request for want of a credential or a permission. Loaded when that happens.
 *
 * @import { authorize, Token, tokenOf } from "../credentials.js"
 *
 * @typedef {{ address: URL, status?: number }} Refusal
 * @typedef {{ authorize: typeof authorize, tokenOf: typeof tokenOf }} Credentials
 */

import { authorization } from "./tickets.js";

/** The addresses for which a warning was logged. @type {Set<string>} */
const told = new Set();

/**
 * The status of an EventSource's request, which the browser does not tell: `fetch` makes the request again. A 400, as
 * for an invalid channel name, is a mistake of the page's author, who gets a warning.
 *
 * @param {URL} address
 * @param {Token | undefined} token
 */
async function statusOf(address, token) {
  const asking = new AbortController();
  try {
    const response = await fetch(address, { headers: await authorization(token), signal: asking.signal });
    if (response.status === 400 && !told.has(address.href)) {
      told.add(address.href);
      const { detail = "HTTP 400" } = await response.json();
      console.warn(`${address}: ${detail}`);
    }
    return response.status;
  } catch {
    return undefined;
  } finally {
    // If the response is a stream after all, it would go on.
    asking.abort();
  }
}

/**
 * The channel that an address is about, or channels with spaces between; undefined if it is about none of them.
 *
 * @param {ReadonlyMap<string, URL>} channels - and their addresses
 * @param {URL} address
 */
function channelOf(channels, { href }) {
  const names = [...channels.keys()];
  const [first] = channels.values();
  if (names.length > 1 && href.startsWith(new URL("../../stream", first).href)) { return names.join(" "); }
  return names.find((name) => href.startsWith(String(channels.get(name))));
}

/**
 * Tell the page, if it is a matter of permission.
 *
 * @param {HTMLElement} element
 * @param {ReadonlyMap<string, URL>} channels - those of the element
 * @param {Refusal} refusal - perhaps of another element's request
 * @param {() => void} hurry - tries to connect at once
 * @param {Credentials} credentials - given, so that they are loaded once
 */
export async function explain(element, channels, { address, status: known }, hurry, { authorize, tokenOf }) {
  const channel = channelOf(channels, address);
  if (channel === undefined) { return; }
  const status = known ?? await statusOf(address, tokenOf(address));
  if (status !== 401 && status !== 403) { return; }
  const retry = (/** @type {Token | undefined} */ token) => {
    if (token) { authorize(address, token); }
    hurry();
  };
  const detail = { status, channel, server: address.origin, retry };
  element.dispatchEvent(new CustomEvent("toast-unauthorized", { detail, bubbles: true, composed: true }));
}
