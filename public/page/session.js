/**
 * The session of this browser at the server: the caller and its grants.
 *
 * The key or token that a person enters is sent once, in a header field, and is kept nowhere: the session is a cookie
 * that no script can read.
 *
 * @typedef {"subscribe" | "respond" | "publish" | "manage"} Scope
 * @typedef {{ scopes: Scope[], channels: string[] }} Grant
 * @typedef {{ principal: string, keyName?: string, session: boolean, grants: Grant[], expiresIn?: number }} Caller
 */

import { Problem, request } from "./channel.js";

/** In the order in which people ask for them. @type {readonly Scope[]} */
export const scopes = ["subscribe", "respond", "publish", "manage"];

const path = "v1/session";

/** Milliseconds after its end until the server has surely ended a session. */
const grace = 1000;

/**
 * Whether a pattern of a grant, a channel's name or a prefix with "*", matches a channel.
 *
 * @param {string} pattern
 * @param {string} channel
 */
export function matches(pattern, channel) {
  return pattern.endsWith("*") ? channel.startsWith(pattern.slice(0, -1)) : pattern === channel;
}

/** What another caller or other permissions differ in. @param {Caller} [caller] */
const identity = (caller) => caller && JSON.stringify([caller.principal, caller.session, caller.grants]);

/** @fires change - when the caller or its permissions have changed */
export class Session extends EventTarget {
  /** Nothing until the server has said it. @type {Caller | undefined} */
  caller;
  /** When the session ends, in milliseconds since 1970; Infinity when it does not, or there is none. */
  end = Infinity;
  /** The number of requests, and the number of the last one that was answered. */
  #asked = 0;
  #answered = 0;
  /** Tells the other tabs to load the session again; without it they notice at their next request. */
  #tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("toastd session");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    if (this.#tabs) { this.#tabs.onmessage = () => this.load(); }
  }

  /** Whether a person has signed in. */
  get isOpen() { return this.caller?.session ?? false; }

  /** The name of the caller's key, else of its principal; empty while it is unknown. */
  get name() { return this.caller?.keyName || (this.caller?.principal ?? ""); }

  /** Whether an anonymous caller may do everything, so that signing in is of no use. */
  get isNeedless() { return !this.isOpen && scopes.every((scope) => this.channelsOf(scope).includes("*")); }

  /** The patterns of the channels on which the caller has a scope. @param {Scope} scope */
  channelsOf(scope) {
    return (this.caller?.grants ?? []).filter((grant) => grant.scopes.includes(scope)).flatMap(({ channels }) => channels);
  }

  /**
   * Whether the caller has a scope on a channel. True while the caller is unknown: then the server decides.
   *
   * @param {Scope} scope
   * @param {string} channel
   */
  may(scope, channel) {
    return !this.caller || this.channelsOf(scope).some((pattern) => matches(pattern, channel));
  }

  /** Load the session. Nothing changes if the server is not reached, or a later request was answered before. */
  async load() {
    const turn = ++this.#asked;
    const caller = await this.#ask();
    if (!caller || turn < this.#answered) { return; }
    this.#answered = turn;
    const isOther = identity(caller) !== identity(this.caller);
    const { session, expiresIn = Infinity } = caller;
    this.caller = caller;
    this.end = Date.now() + expiresIn * 1000;
    clearTimeout(this.#timer);
    if (session && expiresIn < 86_400) { this.#timer = setTimeout(() => this.load(), expiresIn * 1000 + grace); }
    if (isOther) { this.dispatchEvent(new Event("change")); }
  }

  /** @returns {Promise<Caller | undefined>} Nothing when the server is not reached. */
  async #ask() {
    try {
      return await request("GET", path);
    } catch (error) {
      if (!(error instanceof Problem)) { throw error; }
      // A server without a public host refuses callers without a credential, but lets them sign in.
      const isAnonymous = error.status === 401 || error.status === 403;
      return isAnonymous ? { principal: "anonymous", session: false, grants: [] } : undefined;
    }
  }

  /**
   * Exchange a key or a token for a session.
   *
   * @param {string} credential
   * @throws {Problem} when the server does not accept it
   */
  async open(credential) {
    await request("POST", path, undefined, { authorization: `Bearer ${credential}` });
    await this.load();
    this.#tabs?.postMessage("opened");
  }

  async close() {
    await request("DELETE", path);
    await this.load();
    this.#tabs?.postMessage("closed");
  }
}
