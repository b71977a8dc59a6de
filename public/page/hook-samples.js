/**
 * A sample message of each format, to test a new hook.
 *
 * @typedef {"slack" | "discord" | "alertmanager" | "grafana" | "github" | "gitlab" | "apprise" | "cloudevents" | "json"} HookFormat
 *
 * @typedef {object} HookMembers - the document that makes a hook
 * @property {HookFormat} format
 * @property {Record<string, unknown>} [defaults]
 * @property {Record<string, string>} [pointers] - for `json`: a JSON Pointer for each member of the toast
 * @property {Record<string, string>} [roles] - for `json`
 * @property {string} [signingSecret]
 */

/** The formats in the order of the menu, with the names of their senders. */
export const formats = /** @type {Record<HookFormat, string>} */ ({
  slack: "Slack, Mattermost",
  discord: "Discord",
  alertmanager: "Alertmanager",
  grafana: "Grafana",
  github: "GitHub",
  gitlab: "GitLab",
  apprise: "Apprise",
  cloudevents: "CloudEvents",
  json: "JSON",
});

/** The formats whose senders can sign what they post. @type {readonly HookFormat[]} */
export const signed = ["github", "gitlab", "grafana"];

/** The members of a toast that a pointer of the format `json` can be given for. */
export const pointed = ["title", "message", "role", "link", "reuseIdentifier", "image", "icon", "duration"];

/**
 * A message of the hook's format: its document, and the header fields that its sender adds.
 *
 * @param {HookMembers} hook
 * @param {string} title - for formats that have one
 * @param {string} text
 * @returns {{ document: unknown, fields: Record<string, string> }}
 */
export function sample(hook, title, text) {
  const alert = { status: "firing", labels: { alertname: title, severity: "info" }, annotations: { summary: text } };
  const group = { status: "firing", groupKey: "toastd-test", commonLabels: alert.labels, alerts: [alert] };
  const commits = [{ message: text }];
  switch (hook.format) {
    case "slack": return { document: { text }, fields: {} };
    case "discord": return { document: { content: text }, fields: {} };
    case "alertmanager": return { document: { version: "4", ...group }, fields: {} };
    case "grafana": return { document: { title, ...group }, fields: {} };
    case "github": return {
      document: { ref: "refs/heads/main", repository: { full_name: title }, pusher: { name: "toastd" }, commits },
      fields: { "x-github-event": "push" },
    };
    case "gitlab": return {
      document: { object_kind: "push", ref: "refs/heads/main", checkout_sha: "0", user_name: "toastd", project: { path_with_namespace: title }, commits },
      fields: { "x-gitlab-event": "Push Hook" },
    };
    case "apprise": return { document: { title, message: text, type: "info" }, fields: {} };
    case "cloudevents": return {
      // A new id each time, because the server does not publish an id twice.
      document: { specversion: "1.0", id: String(Date.now()), source: "/toastd", type: "test", data: { title, message: text } },
      fields: { "content-type": "application/cloudevents+json" },
    };
    default: return { document: pointedDocument(hook, title, text), fields: {} };
  }
}

/**
 * A document with a value at each pointer of a hook.
 *
 * @param {HookMembers} hook
 * @param {string} title
 * @param {string} text
 */
function pointedDocument({ pointers = {}, roles = {} }, title, text) {
  const values = /** @type {Record<string, string>} */ ({ title, message: text, role: Object.keys(roles)[0] ?? "info" });
  /** @type {Record<string, unknown>} */
  const root = Object.create(null);
  for (const [member, value] of Object.entries(values)) {
    const pointer = pointers[member];
    if (pointer === undefined) { continue; }
    const names = pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop();
    // An empty pointer means the whole document.
    if (last === undefined) { return value; }
    let inner = root;
    for (const name of names) {
      // Replaces a text that another pointer has put here.
      if (typeof inner[name] !== "object") { inner[name] = Object.create(null); }
      inner = /** @type {Record<string, unknown>} */ (inner[name]);
    }
    inner[last] ??= value;
  }
  return root;
}

/** Whether this page can sign: not on plain http, except on localhost. */
export const canSign = () => globalThis.crypto?.subtle !== undefined;

/**
 * The header fields with the signature of a body, as the senders of the format make it.
 *
 * @param {HookMembers} hook
 * @param {string} body
 * @returns {Promise<Record<string, string>>}
 */
export async function signature({ format, signingSecret }, body) {
  if (!signingSecret) { return {}; }
  if (format === "gitlab") { return { "x-gitlab-token": signingSecret }; }
  const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", bytes(signingSecret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const code = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(body)));
  const digits = [...code].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return format === "github" ? { "x-hub-signature-256": `sha256=${digits}` } : { "x-grafana-alerting-signature": digits };
}
