/**
 * What a page shows to a server that no cookie of it reaches.
 *
 * @import { Token } from "../credentials.js"
 */

/**
 * The header fields that show it.
 *
 * @param {Token} token
 * @returns {Promise<Record<string, string>>}
 */
export async function authorization(token) {
  return { authorization: `Bearer ${typeof token === "function" ? await token() : token}` };
}

/**
 * A stream's address with a ticket in it: an EventSource shows no header field. The ticket opens one stream.
 *
 * @param {URL} address - of a channel's stream
 * @param {Token} token
 */
export async function ticketed(address, token) {
  const response = await fetch(new URL(address.href.replace(/v1\/(channels|stream).*/, "v1/tickets")), {
    method: "POST",
    headers: { "content-type": "application/json", ...await authorization(token) },
    body: JSON.stringify({ scopes: ["subscribe"] }),
  });
  if (!response.ok) { throw Object.assign(new Error(`No ticket: ${response.status}`), { status: response.status }); }
  const { ticket } = await response.json();
  const result = new URL(address);
  result.searchParams.set("ticket", ticket);
  return result;
}
