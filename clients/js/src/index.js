/**
 * A client of toastd for browsers and Node, without dependencies.
 *
 *     const ops = new ToastClient("https://toasts.example", { token }).channel("ops");
 *     await ops.publish({ message: "Deployed", role: "success" });
 *     for await (const event of ops.stream()) { console.log(event.type); }
 */

export { ChannelClient, ToastClient } from "./client.js";
export { ConnectionLost, ProblemError, UnexpectedAnswer } from "./errors.js";
export { ToastStream } from "./stream.js";
