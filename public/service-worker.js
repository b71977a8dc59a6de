/**
 * Shows a page while the server is away, and handles clicks on notifications of toasts. Registered by the installed
 * app, and for notifications; other visitors have no service worker.
 *
 * It stores nothing of the API, and answers only requests for the pages and their stored files.
 */

// The type checker knows the scope of a page only, not that of a worker.
/** @type {any} */
const worker = globalThis;

/**
 * Ends with a digest of the stored files, which a test checks: browsers install a worker anew only when its own text
 * has changed.
 */
const cacheName = "toastd-offline-871dac85";
const offline = "offline.html";
const stored = [offline, "page.css", "page/form.css", "page/offline.js", "favicon.svg"];
const pages = ["", "index.html", "gallery.html", "guide.html"];

/** Milliseconds in which an action must be answered: browsers let a click open a window for a short time only. */
const patience = 5000;

/** The statuses of a proxy while the server behind it is away. */
const away = [502, 503, 504];

const pathOf = (/** @type {string} */ name) => new URL(name, worker.registration.scope).pathname;

async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll(stored);
  await worker.skipWaiting();
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith("toastd-") && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** @param {Request} request @param {string} name - of the stored file for when the request fails */
async function fetchOr(request, name) {
  const response = await fetch(request).catch(() => undefined);
  if (response && !away.includes(response.status)) { return response; }
  const cache = await caches.open(cacheName);
  return await cache.match(pathOf(name)) ?? response ?? Response.error();
}

/**
 * Bring the person back to the page, or send the action that was pressed.
 *
 * @param {{ channel: string, id: string, links: Record<string, string> }} toast
 * @param {string} action - empty for the notification itself
 */
async function answer({ channel, id, links }, action) {
  if (action) {
    const address = new URL(`v1/channels/${channel}/toasts/${id}/actions/${encodeURIComponent(action)}`, worker.registration.scope);
    const response = await fetch(address, { method: "POST", signal: AbortSignal.timeout(patience) }).catch(() => undefined);
    if (response?.ok) { return links[action] ? worker.clients.openWindow(links[action]) : undefined; }
    // Not accepted, or not known to be: show the page, which has the toast if it has not ended.
  }
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = all.find((/** @type {{ url: string }} */ { url }) => {
    const { pathname, searchParams } = new URL(url);
    // Other pages, such as the guide, keep the channel in their addresses, too.
    return searchParams.get("channel") === channel && ["", "index.html"].some((name) => pathOf(name) === pathname);
  });
  return shown ? shown.focus() : worker.clients.openWindow(`${worker.registration.scope}?channel=${channel}`);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin) { return; }
  if (event.request.mode === "navigate") {
    if (pages.some((name) => pathOf(name) === pathname)) { event.respondWith(fetchOr(event.request, offline)); }
    return;
  }
  const name = stored.find((it) => pathOf(it) === pathname);
  if (name) { event.respondWith(fetchOr(event.request, name)); }
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(answer(event.notification.data, event.action));
});
