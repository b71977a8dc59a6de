/**
 * The key that brings a person to the toasts.
 */

const modifiers = /** @type {const} */ (["Alt", "Control", "Meta", "Shift"]);

/**
 * Whether a key event is a hotkey such as "F8" or "Alt+KeyT": that key's `code`, with these modifiers and no others.
 *
 * @param {string} hotkey - empty for none
 * @param {Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "repeat" | "isComposing" | "defaultPrevented">} event
 */
export function isHotkey(hotkey, event) {
  const [code, ...held] = hotkey.split("+").map((it) => it.trim()).reverse();
  if (!code || event.repeat || event.isComposing || event.defaultPrevented) { return false; }
  const pressed = { Alt: event.altKey, Control: event.ctrlKey, Meta: event.metaKey, Shift: event.shiftKey };
  return event.code === code && modifiers.every((name) => pressed[name] === held.includes(name));
}
