/**
 * Requests with a token, for a server that gets no cookie from the page.
 *
 * @import { Token } from "../credentials.js"
 */

/**
 * The header fields that carry a token; none without a token.
 *
 * @param {Token | undefined} token
 * @returns {Promise<Record<string, string>>}
 */
export async function authorization(token) {
  return token ? { authorization: `Bearer ${typeof token === "function" ? await token() : token}` } : {};
}

/**
 * Send a document as JSON, and return the JSON of the response. Throws a `PublishError` if the server refuses it.
 *
 * @param {URL} address
 * @param {Token | undefined} token
 * @param {object} document
 */
export async function post(address, token, document) {
  const body = JSON.stringify(document, (name, value) => {
    // JSON would have `null` instead, which the server reads as absent.
    if (typeof value === "number" && !Number.isFinite(value)) { throw new TypeError(`${name}: ${value}`); }
    return value;
  });
  const headers = { "content-type": "application/json", ...await authorization(token) };
  const response = await fetch(address, { method: "POST", headers, body });
  const { ok, status } = response;
  if (ok) { return response.json(); }
  const problem = (await response.json().catch(() => undefined)) ?? {};
  const { detail, errors, title = `HTTP ${status}`, type } = problem;
  // A proxy's error document may have members of these names with other types.
  const faults = errors?.map?.((/** @type {any} */ it) => `${it?.pointer}: ${it?.detail}`).join("; ");
  throw Object.assign(new Error(faults || detail || title), { status, type: type && `${type}`.replace(/^urn.*:/, ""), problem });
}

/**
 * A stream's address with a ticket: an EventSource cannot send a header field. The ticket opens one stream.
 *
 * @param {URL} address - of a channel's stream
 * @param {Token} token
 */
export async function ticketed(address, token) {
  const server = new URL(address.href.replace(/v1\/(channels|stream).*/, "v1/tickets"));
  const { ticket } = await post(server, token, { scopes: ["subscribe"] });
  const result = new URL(address);
  result.searchParams.set("ticket", ticket);
  return result;
}
