/**
 * Publishing to a channel of the server.
 *
 * @import { Token } from "../credentials.js"
 */

import { post } from "./tickets.js";

/**
 * @param {string | URL} server
 * @param {string} channel
 * @param {object} toast
 * @param {(server: URL) => Token | undefined} tokenOf
 * @returns {Promise<import("../wire.d.ts").Toast>} the toast, as the server has it
 * @throws {import("../../toast-viewer.d.ts").PublishError} with the server's reason
 */
export async function publish(server, channel, toast, tokenOf) {
  const root = new URL(String(server).replace(/[^/]$/, "$&/"), document.baseURI);
  const address = new URL(`v1/channels/${encodeURIComponent(channel)}/toasts`, root);
  const { duration, progress } = /** @type {{ duration?: unknown, progress?: unknown }} */ (toast);
  return post(address, tokenOf(address), {
    ...toast,
    duration: duration === Infinity ? "indefinite" : duration,
    progress: typeof progress === "number" ? { value: progress } : progress,
  });
}
