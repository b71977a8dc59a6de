/**
 * The service worker of these pages: registered once it is wanted.
 */

const file = "service-worker.js";

/** @typedef {{ createScriptURL(url: string): string }} Policy - a browser's, missing in TypeScript's library */

/** Whether service workers are available: not on plain http, except on localhost. */
export const canRegister = "serviceWorker" in navigator;

/** @type {Promise<ServiceWorkerRegistration> | undefined} */
let registered;

/** @type {Policy | undefined} */
let policy;

async function begin() {
  // Allows one address only. The page's policy permits one policy of this name, so it is made once.
  policy ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy("toastd-worker", {
    createScriptURL: (/** @type {string} */ url) => {
      if (url !== file) { throw new TypeError(`Not a script of this page: ${url}`); }
      return url;
    },
  });
  await navigator.serviceWorker.register(policy ? policy.createScriptURL(file) : file);
  return navigator.serviceWorker.ready;
}

/** Fulfilled when the worker is ready; after a failure the next call tries again. */
export function register() {
  registered ??= begin().catch((error) => {
    registered = undefined;
    throw error;
  });
  return registered;
}
