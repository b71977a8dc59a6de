/**
 * What a style of one's own is given to draw a toast.
 *
 * @import { Action, Appearance, Toast } from "./wire.d.ts"
 * @import { Configuration, Rendering } from "./sheets.js"
 * @import { Say } from "./words.js"
 */

import { safeURL, text, titleOf } from "./text.js";

/**
 * @param {Toast} toast
 * @param {object} means
 * @param {Appearance} means.appearance
 * @param {Configuration["icon"]} means.icon
 * @param {(action: Action) => void} means.act
 * @param {() => void} means.close
 * @param {Say} [means.say]
 * @returns {Configuration}
 */
export function configurationOf(toast, { appearance, icon, act, close, say }) {
  const { role, style, placement, duration, data, progress } = toast;
  const url = safeURL(toast.image?.url);
  return {
    toast, role, style, placement, duration, data, appearance, icon, close,
    title: titleOf(toast, say),
    message: text(toast.message),
    actions: (toast.actions ?? []).map((action) => (
      { id: action.id, title: text(action.title), role: action.role, url: safeURL(action.url), press: () => act(action) }
    )),
    progress: progress && "value" in progress ? { ...progress, fraction: progress.value / progress.total } : progress,
    image: url ? { url, alt: toast.image?.alt ?? "" } : undefined,
  };
}

/**
 * What a style gave, as a node and what is called when the toast changes. Text is no node: a style makes its
 * elements itself, so that nothing in a toast is ever read as HTML.
 *
 * @param {Rendering} rendering
 * @returns {{ node: Node, update?: (configuration: Configuration) => void }}
 */
export function checked(rendering) {
  const result = rendering instanceof Node ? { node: rendering } : rendering;
  if (!(result?.node instanceof Node)) { throw new TypeError("A style's render gives a Node, or { node, update }"); }
  return result;
}
