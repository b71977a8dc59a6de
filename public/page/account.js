/**
 * Signing in and out: a form for a key or a token, or the name and the scopes of the signed-in person.
 *
 * @import { Scope, Session } from "./session.js"
 */

import { Problem } from "./channel.js";
import { find, make, makeCopying } from "./elements.js";
import { language, t } from "./language.js";
import { scopes } from "./session.js";

export class Account {
  #section;
  #button;
  #session;
  #channel;
  /** Whether a person has opened or closed it; undefined: open if nothing is permitted. @type {boolean | undefined} */
  #isWanted;

  /**
   * @param {HTMLElement} section
   * @param {HTMLElement} button - opens and closes it
   * @param {Session} session
   * @param {() => string} channel - the name of the one that is shown
   */
  constructor(section, button, session, channel) {
    this.#section = section;
    this.#button = button;
    this.#session = session;
    this.#channel = channel;
    button.addEventListener("click", () => this.#toggle());
    const form = this.#form;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#signIn();
    });
    find("[data-reveal]", form).addEventListener("change", ({ target }) => {
      this.#input.type = /** @type {HTMLInputElement} */ (target).checked ? "text" : "password";
    });
    find("[data-sign-out]", section).addEventListener("click", () => this.#signOut());
    find("[data-close]", section).addEventListener("click", () => this.#toggle());
    makeCopying(find("[data-copy]", form), find("code", form), t);
  }

  get #form() { return /** @type {HTMLFormElement} */ (find("[data-form=sign-in]", this.#section)); }

  get #input() { return /** @type {HTMLInputElement} */ (find("[name=credential]", this.#section)); }

  /** Show the present session. */
  show() {
    const session = this.#session;
    const name = this.#channel();
    const isBlind = !session.may("subscribe", name) && !session.may("publish", name);
    this.#section.hidden = !(this.#isWanted ?? isBlind);
    this.#form.hidden = session.isOpen && !isBlind;
    find("[data-account]", this.#section).hidden = !session.isOpen;
    find("[data-reason]", this.#section).textContent = t(this.#reason(isBlind), { channel: name, principal: session.name });
    find("[data-principal]", this.#section).textContent = session.name;
    find("[data-until]", this.#section).textContent = this.#until();
    find("[data-rights]", this.#section).replaceChildren(...scopes.map((scope) => this.#row(scope)));
    find("code", this.#form).textContent = `toastd key create --access access.json --name me --scopes subscribe,respond,publish --channels '${name}'`;
    find("[data-word]", this.#button).textContent = session.isOpen ? session.name : t("session.open");
    this.#button.ariaExpanded = String(!this.#section.hidden);
    this.#button.hidden = session.isNeedless || !session.caller;
  }

  /** Show the form for signing in, also to change the account. */
  ask() {
    this.#isWanted = true;
    this.show();
    this.#form.hidden = false;
    this.#input.focus();
  }

  /** @param {boolean} isBlind - whether nothing of the channel is permitted */
  #reason(isBlind) {
    if (this.#session.isOpen) { return "session.reason.other"; }
    return isBlind ? "session.reason.required" : "session.reason.more";
  }

  #toggle() {
    this.#isWanted = Boolean(this.#section.hidden);
    this.show();
    if (!this.#isWanted) {
      this.#button.focus();
    } else if (this.#session.isOpen) {
      find("h2", this.#section).focus();
    } else {
      this.#input.focus();
    }
  }

  async #signIn() {
    const input = this.#input;
    const credential = input.value.trim();
    if (!credential) {
      this.#complain(t("session.empty"));
      return;
    }
    // Keys and tokens have no other characters, many of which `fetch` refuses in a header field.
    if (!/^[\x21-\x7e]+$/.test(credential)) {
      this.#complain(t("session.invalid"));
      return;
    }
    this.#complain("");
    const button = /** @type {HTMLButtonElement} */ (find("[data-primary]", this.#form));
    button.disabled = true;
    try {
      await this.#session.open(credential);
    } catch (error) {
      if (!(error instanceof Problem)) { throw error; }
      this.#complain(error.status === 401 ? t("session.invalid") : error.message);
      return;
    } finally {
      button.disabled = false;
    }
    if (!this.#session.isOpen) {
      this.#complain(t("session.cookie"));
      return;
    }
    input.value = "";
    this.#isWanted = undefined;
    this.show();
    // The form that had the focus is hidden: focus the heading above the scopes.
    if (this.#section.hidden) { this.#button.focus(); } else { find("h2", this.#section).focus(); }
    find("[data-said]").textContent = t("session.opened", { principal: this.#session.name });
  }

  async #signOut() {
    try {
      await this.#session.close();
    } catch (error) {
      if (!(error instanceof Problem)) { throw error; }
      find("[data-account] [data-problem]", this.#section).textContent = error.message;
      return;
    }
    find("[data-account] [data-problem]", this.#section).textContent = "";
    this.#isWanted = undefined;
    this.show();
    if (this.#section.hidden) { this.#button.focus(); } else { this.#input.focus(); }
    find("[data-said]").textContent = t("session.closed");
  }

  /** @param {string} text - empty when nothing is wrong */
  #complain(text) {
    find("[data-problem]", this.#form).textContent = text;
    if (!text) {
      this.#input.removeAttribute("aria-invalid");
      return;
    }
    this.#input.ariaInvalid = "true";
    this.#input.focus();
  }

  #until() {
    const { end } = this.#session;
    if (end === Infinity) { return ""; }
    const time = new Date(end).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
    return t("session.until", { time });
  }

  /** A row for a scope: what it allows, and in which channels. @param {Scope} scope */
  #row(scope) {
    const channels = this.#session.channelsOf(scope);
    const row = make("div", "", { scope });
    row.dataset.allowed = String(channels.length > 0);
    const where = channels.includes("*") ? t("session.everywhere") : channels.join(", ");
    const term = make("dt", t(`scope.${scope}`));
    term.append(make("code", scope));
    row.append(term, make("dd", where || t("session.nowhere")));
    return row;
  }
}

/**
 * Show in place what is permitted: `data-requires` hides a part that needs one of its scopes, `data-needs` disables a
 * control, and `data-lacks` is the note that says why.
 *
 * @param {Session} session
 * @param {string} channel
 */
export function restrict(session, channel) {
  const may = (/** @type {string | undefined} */ list) => (list ?? "").split(" ")
    .some((scope) => session.may(/** @type {Scope} */ (scope), channel));
  for (const part of document.querySelectorAll("[data-requires]")) {
    const element = /** @type {HTMLElement} */ (part);
    element.hidden = !may(element.dataset.requires);
  }
  for (const control of document.querySelectorAll("[data-needs]")) {
    const element = /** @type {HTMLButtonElement | HTMLFieldSetElement} */ (control);
    element.disabled = !may(element.dataset.needs);
  }
  for (const note of document.querySelectorAll("[data-lacks]")) {
    const element = /** @type {HTMLElement} */ (note);
    element.hidden = may(element.dataset.lacks);
    find("[data-why]", element).textContent = t(`lacks.${element.dataset.lacks}`, { channel });
  }
}
