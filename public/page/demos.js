/**
 * Demos, one button each. They use only the public API, as curl could.
 *
 * @import { Channel } from "./channel.js"
 *
 * @typedef {{ name: string, run: (channel: Channel) => Promise<unknown> }} Demo - `name` is a message key
 */

import { unlessGone } from "./channel.js";
import { t } from "./language.js";
import { roles, styleName, styles } from "./specimen.js";

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * @param {Channel} channel
 * @param {object[]} toasts
 */
async function inOrder(channel, toasts) {
  for (const toast of toasts) { await channel.post(toast); }
}

/** Let the progress of a toast grow until it is done. @param {Channel} channel @param {string} id */
async function upload(channel, id) {
  for (let value = 0.1; value < 1.05; value += 0.1) {
    await pause(300);
    await channel.update(id, { progress: { value: Math.min(1, value), total: 1 } });
  }
  await pause(300);
  const title = t("demo.upload.done");
  await channel.update(id, { role: "success", title, icon: null, progress: null, duration: "long" });
}

/** The greeting for a visitor who asked for no channel: a toast, and a second one that waits for it. */
export function greet(/** @type {Channel} */ channel) {
  // Beside the headline if there is room, else at the bottom, so as not to cover it.
  const place = matchMedia("(width < 75rem)").matches ? { placement: "bottom" } : { placement: "top", align: "end" };
  return inOrder(channel, [
    {
      role: "success", icon: "cup-hot-fill", title: t("greeting.title"), message: t("greeting", { channel: channel.name }),
      style: "glass", ...place, duration: 6,
    },
    { role: "info", message: t("greeting.next"), title: null, style: "vibrant", ...place, duration: 5 },
  ]);
}

/** @type {Demo[]} */
export const demos = [
  {
    name: "demo.hello",
    run: (channel) => channel.post({ message: t("demo.hello.text"), title: t("demo.hello.title"), role: "success", icon: "cup-hot-fill" }),
  },
  {
    name: "demo.roles",
    run: (channel) => inOrder(channel, roles.map((role) => ({ role, message: t(`demo.roles.${role}`), duration: "short" }))),
  },
  {
    name: "demo.undo",
    run: (channel) => channel.post({
      role: "warning", title: t("demo.undo.title"), message: t("demo.undo.text"), style: "pale", duration: 8,
      actions: [{ id: "undo", title: t("demo.undo") }, { id: "delete", title: t("demo.undo.delete"), role: "destructive" }],
    }),
  },
  {
    name: "demo.upload",
    run: async (channel) => {
      const { id } = await channel.post({
        role: "info", title: t("demo.upload.title"), message: "holiday.mov", icon: "cloud-arrow-up-fill",
        duration: "indefinite", progress: { value: 0, total: 1 },
      });
      await unlessGone(upload(channel, id));
    },
  },
  {
    name: "demo.styles",
    run: (channel) => inOrder(channel, styles.map((style, index) => ({
      style, role: roles[index % roles.length], message: t("demo.styles.text", { style: styleName(style) }), duration: "short",
    }))),
  },
  {
    name: "demo.crowd",
    run: (channel) => inOrder(channel, Array.from({ length: 8 }, (_, index) => ({
      message: t("demo.crowd.text", { number: index + 1 }), role: roles[index % roles.length], style: "capsule", duration: 1,
    }))),
  },
];
