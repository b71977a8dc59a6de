/** @typedef {string | (() => string | Promise<string>)} Token - a token or a key, or who fetches a fresh one */

/** By the server's origin. @type {Map<string, Token>} */
const tokens = new Map();

/** @param {URL} address */
export const tokenOf = ({ origin }) => tokens.get(origin);

/** @param {string | URL} server @param {Token} token */
export function authorize(server, token) {
  tokens.set(new URL(server, document.baseURI).origin, token);
}
