/** @typedef {string | (() => string | Promise<string>)} Token - a token or a key, or a function that fetches one */

const key = Symbol.for("toast-viewer tokens");
const page = /** @type {Record<symbol, Map<string, Token>>} */ (/** @type {unknown} */ (globalThis));
page[key] ??= new Map();

/** By the server's origin; one for all copies of this module that a page loads. @type {Map<string, Token>} */
const tokens = page[key];

/** @param {URL} address */
export const tokenOf = ({ origin }) => tokens.get(origin);

/**
 * Tells all viewers that a server has refused a request. @fires refused
 */
export const refusals = new EventTarget();

/** @param {URL} address - of what was asked for @param {number} [status] - absent where the browser does not tell it */
export function refuse(address, status) {
  refusals.dispatchEvent(new CustomEvent("refused", { detail: { address, status } }));
}

/** @param {string | URL} server @param {Token} token */
export function authorize(server, token) {
  tokens.set(new URL(server, document.baseURI).origin, token);
}
