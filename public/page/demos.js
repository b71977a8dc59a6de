/**
 * Things to try, one button each. They do nothing that curl could not do.
 *
 * @import { Channel } from "./channel.js"
 *
 * @typedef {{ name: string, run: (channel: Channel) => Promise<unknown> }} Demo
 */

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * @param {Channel} channel
 * @param {object[]} toasts
 */
async function inOrder(channel, toasts) {
  for (const toast of toasts) { await channel.post(toast); }
}

/** @type {Demo[]} */
export const demos = [
  {
    name: "Say hello",
    run: (channel) => channel.post({ message: "It is warm, golden and on time.", title: "Your toast is ready", role: "success", icon: "cup-hot-fill" }),
  },
  {
    name: "Four roles",
    run: (channel) => inOrder(channel, [
      { role: "success", message: "All 214 tests passed.", duration: "short" },
      { role: "info", message: "Maintenance starts at 22:00.", duration: "short" },
      { role: "warning", message: "The disk of db-2 is 91 % full.", duration: "short" },
      { role: "error", message: "The payment provider does not answer.", duration: "short" },
    ]),
  },
  {
    name: "Undo",
    run: (channel) => channel.post({
      role: "warning",
      title: "Three files deleted",
      message: "They leave the bin in 30 days.",
      style: "pale",
      duration: 8,
      actions: [{ id: "undo", title: "Undo" }, { id: "delete", title: "Delete now", role: "destructive" }],
    }),
  },
  {
    name: "Upload",
    run: async (channel) => {
      const { id } = await channel.post({
        role: "info", title: "Uploading", message: "holiday.mov", icon: "cloud-arrow-up-fill",
        duration: "indefinite", progress: { value: 0, total: 1 },
      });
      for (let value = 0.1; value < 1.05; value += 0.1) {
        await pause(300);
        await channel.update(id, { progress: { value: Math.min(1, value), total: 1 } });
      }
      await pause(300);
      await channel.update(id, { role: "success", title: "Uploaded", icon: null, progress: null, duration: "long" });
    },
  },
  {
    name: "Every style",
    run: (channel) => inOrder(channel, [
      { style: "glass", role: "info", message: "Glass: frosted, with a sheen.", duration: "short" },
      { style: "vibrant", role: "success", message: "Vibrant: hard to miss.", duration: "short" },
      { style: "pale", role: "warning", message: "Pale: quiet, with an edge.", duration: "short" },
      { style: "capsule", role: "info", message: "Capsule: just the words", duration: "short", placement: "bottom" },
      { style: "notification", role: "error", message: "Notification: as from the system.", duration: "short" },
      { style: "retro", role: "success", message: "RETRO: READY.", duration: "short" },
    ]),
  },
  {
    name: "A crowd",
    run: (channel) => inOrder(channel, Array.from({ length: 8 }, (_, index) => ({
      role: /** @type {const} */ (["info", "success", "warning", "error"])[index % 4],
      message: `Guest ${index + 1} of 8 has arrived.`,
      style: "capsule",
      duration: 1,
    }))),
  },
];
