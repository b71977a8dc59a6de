/**
 * What a person did to the toasts before there was somebody to answer.
 *
 * @import { Prelude } from "../prelude.js"
 */

/** Let it happen once more; but what was pressed was pressed. @param {Prelude["touches"]} touches */
export function replay(touches) {
  for (const { event, target } of touches) {
    const isPress = event.type === "click" && target instanceof Element && target.closest("button, a");
    if (!isPress && target instanceof Node && target.isConnected) { target.dispatchEvent(again(event)); }
  }
}

/**
 * The event once more, and only in the shadow tree: the page has had it.
 *
 * @param {Event} event
 */
function again(event) {
  const Kind = /** @type {typeof Event} */ (event.constructor);
  /** @type {Record<string, unknown>} */
  const init = {};
  for (const name in event) { init[name] = event[/** @type {keyof Event} */ (name)]; }
  const copy = new Kind(event.type, { ...init, composed: false, cancelable: false });
  // A swipe's speed is the one that it had.
  return Object.defineProperty(copy, "timeStamp", { value: event.timeStamp });
}
