/**
 * Shows a channel's toasts, with nothing but the browser's EventSource.
 *
 * After a break the browser reconnects by itself, with the cursor of the last event (`Last-Event-ID`), and misses
 * nothing. A stream begins with `snapshot`, the whole state, or `resumed`, after which the missed events follow.
 */

const channel = new URLSearchParams(location.search).get("channel") ?? "demo";
const state = /** @type {HTMLElement} */ (document.querySelector("[data-state]"));
const list = /** @type {HTMLElement} */ (document.querySelector("[data-toasts]"));

/** @typedef {{ id: string, role: string, title?: unknown, message?: unknown }} Toast */

/** @type {Map<string, Toast>} */
const toasts = new Map();

const events = new EventSource(new URL(`../v1/channels/${encodeURIComponent(channel)}/stream`, document.baseURI));
events.onopen = () => { state.textContent = "open"; };
events.onerror = () => { state.textContent = events.readyState === EventSource.CLOSED ? "closed" : "connecting"; };

on("snapshot", ({ presented }) => {
  toasts.clear();
  for (const { toast } of presented) { toasts.set(toast.id, toast); }
});
on("presented", ({ toast }) => toasts.set(toast.id, toast));
on("updated", ({ toast }) => { if (toasts.has(toast.id)) { toasts.set(toast.id, toast); } });
on("dismissed", ({ id }) => toasts.delete(id));

/**
 * @param {string} type
 * @param {(envelope: any) => void} take
 */
function on(type, take) {
  events.addEventListener(type, (event) => {
    take(JSON.parse(event.data));
    draw();
  });
}

function draw() {
  list.replaceChildren(...[...toasts.values()].map(({ role, title, message }) => {
    const item = document.createElement("li");
    // Text is text: it never becomes HTML.
    item.textContent = [role, words(title), words(message)].filter(Boolean).join(": ");
    return item;
  }));
}

/**
 * A plain text, or the server's rendering of a localized one.
 *
 * @param {any} text
 * @returns {string}
 */
function words(text) {
  return typeof text === "object" ? text?.text ?? text?.default ?? text?.key ?? "" : text ?? "";
}

/** @type {HTMLElement} */ (document.querySelector("[data-channel]")).textContent = channel;
