/** Publishing to a channel of the server. */

import { tokenOf } from "../credentials.js";
import { authorization } from "./tickets.js";

/**
 * @param {string | URL} server
 * @param {string} channel
 * @param {object} toast
 * @returns {Promise<import("../wire.d.ts").Toast>} the toast, as the server has it
 * @throws {Error} with the server's reason
 */
export async function publish(server, channel, toast) {
  const address = new URL(`v1/channels/${encodeURIComponent(channel)}/toasts`, new URL(server, document.baseURI));
  const token = tokenOf(address);
  const shown = token && await authorization(token);
  const response = await fetch(address, {
    method: "POST", headers: { "content-type": "application/json", ...shown }, body: JSON.stringify(toast),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) { throw new Error(answer.detail ?? answer.title ?? `The server answered ${response.status}`); }
  return answer;
}
