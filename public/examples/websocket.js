/**
 * Shows a channel's toasts, and publishes and dismisses toasts, over one WebSocket.
 *
 * Events come as on the other transports. Commands carry a `ref`, and the answer, an `ack` or an `error`, names it.
 * A WebSocket does not reconnect by itself: when it is closed, it is opened again with the cursor of the last event.
 */

const channel = new URLSearchParams(location.search).get("channel") ?? "demo";
const state = /** @type {HTMLElement} */ (document.querySelector("[data-state]"));
const reply = /** @type {HTMLElement} */ (document.querySelector("[data-reply]"));
const list = /** @type {HTMLElement} */ (document.querySelector("[data-toasts]"));
const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));

/** The list items, by the ids of their toasts. @type {Map<string, HTMLLIElement>} */
const items = new Map();
let cursor = "";
let failures = 0;
let refs = 0;

/** @type {Map<string, (answer: any) => void>} The callbacks for answers that have not come, by `ref`. */
const waiting = new Map();

/** Stands for an answer when the connection was lost. The server may have carried out the command. */
const lost = { type: "error", problem: { title: "The connection was lost before the answer" } };

enable(false);
let socket = open();

function open() {
  const address = new URL(`../v1/channels/${encodeURIComponent(channel)}/socket`, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  if (cursor) { address.searchParams.set("since", cursor); }
  const socket = new WebSocket(address, "toastd.v1");
  socket.onopen = () => {
    failures = 0;
    state.textContent = "open";
    enable(true);
  };
  socket.onmessage = ({ data }) => take(JSON.parse(data));
  socket.onclose = () => {
    state.textContent = "connecting";
    enable(false);
    // Answers do not come over another connection.
    for (const settle of waiting.values()) { settle(lost); }
    waiting.clear();
    setTimeout(reopen, Math.min(30, 2 ** failures++) * 1000 * Math.random());
  };
  return socket;
}

/** A socket that is closed drops what it should send, without an error. @param {boolean} isOpen */
function enable(isOpen) {
  for (const button of document.querySelectorAll("button")) { button.disabled = !isOpen; }
}

function reopen() {
  socket = open();
}

/** @param {any} frame */
function take(frame) {
  switch (frame.type) {
    case "ack":
    case "error":
      waiting.get(frame.ref)?.(frame);
      waiting.delete(frame.ref);
      return;
    case "snapshot":
      for (const id of items.keys()) { remove(id); }
      for (const { toast } of frame.presented) { show(toast); }
      break;
    case "presented":
      show(frame.toast);
      break;
    case "updated":
      if (items.has(frame.toast.id)) { show(frame.toast); }
      break;
    case "dismissed":
      remove(frame.id);
      break;
  }
  // Not the cursor of `resumed`: after a power failure of the server it lacks channels that resume later.
  if (frame.cursor && frame.type !== "resumed") { cursor = frame.cursor; }
}

/**
 * Send a command and wait for its answer.
 *
 * @param {object} command
 * @returns {Promise<any>}
 */
async function send(command) {
  // It may be closing.
  if (socket.readyState !== WebSocket.OPEN) { return lost; }
  const ref = String(++refs);
  socket.send(JSON.stringify({ ...command, ref }));
  return new Promise((resolve) => waiting.set(ref, resolve));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const message = new FormData(form).get("message");
  const answer = await send({ command: "publish", toast: { message, role: "success", duration: "indefinite" } });
  reply.textContent = answer.type === "ack" ? "Published" : answer.problem?.title ?? "Refused";
});

/** An existing item is changed in place, so that its button keeps the focus. @param {any} toast */
function show({ id, title, message }) {
  const item = items.get(id) ?? list.appendChild(makeItem(id));
  items.set(id, item);
  // Text is text: it never becomes HTML.
  const label = /** @type {HTMLElement} */ (item.firstElementChild);
  label.textContent = [words(title), words(message)].filter(Boolean).join(": ");
}

/** @param {string} id */
function makeItem(id) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = "Dismiss";
  button.addEventListener("click", () => send({ command: "dismiss", id, dismissReason: "close" }));
  item.append(document.createElement("span"), " ", button);
  return item;
}

/** @param {string} id */
function remove(id) {
  items.get(id)?.remove();
  items.delete(id);
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
