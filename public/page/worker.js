/**
 * The service worker of these pages: registered once it is wanted.
 */

const file = "service-worker.js";

/** @typedef {{ createScriptURL(url: string): string }} Policy - as the browser has it, not yet in the checker's library */

/** Whether there can be one: not on plain http, except on the machine itself. */
export const canRegister = "serviceWorker" in navigator;

/** @type {Promise<ServiceWorkerRegistration> | undefined} */
let registered;

/** @type {Policy | undefined} */
let policy;

async function begin() {
  // The only address that may become a script here, under the only name that the page's policy allows, and that only once.
  policy ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy("toastd-worker", {
    createScriptURL: (/** @type {string} */ url) => {
      if (url !== file) { throw new TypeError(`Not a script of this page: ${url}`); }
      return url;
    },
  });
  await navigator.serviceWorker.register(policy ? policy.createScriptURL(file) : file);
  return navigator.serviceWorker.ready;
}

/** When it is ready; what failed is tried again by the next call. */
export function register() {
  registered ??= begin().catch((error) => {
    registered = undefined;
    throw error;
  });
  return registered;
}
