/**
 * The hooks of a channel: a list, a form for a new one, and its URL, which is shown once. Loaded when a person opens
 * the panel.
 *
 * In production this is a bundle of its own, so modules with state, or large ones, are passed in by the page.
 *
 * @import { Channel } from "./channel.js"
 * @import { HookFormat, HookMembers } from "./hook-samples.js"
 *
 * @typedef {object} PageParts - passed in by the page
 * @property {typeof import("./language.js").t} t
 * @property {typeof import("./language.js").learn} learn
 * @property {typeof import("./channel.js").request} request
 * @property {typeof import("./channel.js").Problem} Problem
 * @property {typeof import("./issues.js").mark} mark
 * @property {typeof import("./issues.js").unmark} unmark
 * @property {readonly string[]} styles
 * @property {(style: string) => string} styleName
 *
 * @typedef {{ name: string, format: HookFormat, defaults?: object, pointers?: object, isSigned?: boolean }} Hook - as listed by the server
 */

import { find, make, makeCopying } from "./elements.js";
import { HookForm, NoJSON } from "./hook-form.js";
import { canSign, formats, sample, signature } from "./hook-samples.js";
import de from "./messages/de-hooks.js";
import en from "./messages/en-hooks.js";

/** Milliseconds in which the server must answer a test. */
const patience = 20_000;

/** Members and their values, as a person reads them. @param {object} [members] */
const listed = (members = {}) => Object.entries(members)
  .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");

export class HooksPanel {
  #page;
  #channel;
  #root;
  #list;
  #form;
  #submit;
  #made;
  #problem;
  /** @type {Hook[]} */
  #hooks = [];
  /** The channel whose hooks are shown. */
  #shown = "";
  /** The new hook, whose URL is on the screen. @type {{ name: string, members: HookMembers } | undefined} */
  #new;

  /**
   * @param {HTMLElement} root - the element to fill
   * @param {() => Channel} channel
   * @param {PageParts} page
   */
  constructor(root, channel, page) {
    this.#page = page;
    this.#channel = channel;
    this.#root = root;
    const { t } = page;
    page.learn({ de, en });
    const form = make("form", "", { form: "hook" });
    form.noValidate = true;
    this.#list = make("ul", "", { hookList: "" });
    this.#list.role = "list";
    this.#list.ariaLabel = t("hooks.list");
    this.#made = this.#makeMade();
    this.#form = new HookForm(form, page);
    this.#submit = make("button", t("hooks.make"), { primary: "" });
    this.#problem = make("p", "", { problem: "" });
    this.#problem.role = "alert";
    form.append(this.#problem, this.#submit);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#make();
    });
    const sheet = Object.assign(make("link"), { rel: "stylesheet", href: "page/hooks.css" });
    // Hidden until its sheet is loaded.
    root.hidden = true;
    sheet.addEventListener("load", () => { root.hidden = false; });
    sheet.addEventListener("error", () => { root.hidden = false; });
    document.head.append(sheet);
    root.replaceChildren(this.#list, this.#made, make("h3", t("hooks.another")), form);
  }

  /** Fetch the hooks. A list of another channel, or one that may not be seen any more, is cleared at once. */
  async load() {
    const isPermitted = !this.#root.parentElement?.closest("[hidden]");
    const name = isPermitted ? this.#channel().name : "";
    if (name !== this.#shown) {
      this.#shown = name;
      this.#list.replaceChildren();
      this.#hideMade();
    }
    if (!isPermitted) { return; }
    try {
      const { hooks } = await this.#page.request("GET", this.#address());
      if (name !== this.#shown) { return; }
      this.#hooks = hooks;
      this.#draw();
      if (!this.#form.form.querySelector("[aria-invalid]")) { this.#problem.textContent = ""; }
    } catch (error) {
      this.#complain(error);
    }
  }

  /** @param {string} [name] - of a hook; without it all of them */
  #address(name) {
    return new URL(name ? `hooks/${name}` : "hooks", this.#channel().address);
  }

  /** Say what went wrong; what is no answer of the server is thrown on. @param {unknown} error */
  #complain(error) {
    if (!(error instanceof this.#page.Problem)) { throw error; }
    this.#page.mark(this.#form.form, this.#problem, error, (pointer) => this.#form.control(pointer));
  }

  #draw() {
    const { t } = this.#page;
    this.#list.replaceChildren(...this.#hooks.map((hook) => this.#row(hook)));
    if (!this.#hooks.length) { this.#list.append(make("li", t("hooks.none"), { none: "" })); }
  }

  /** @param {Hook} hook */
  #row({ name, format, defaults, pointers, isSigned }) {
    const { t } = this.#page;
    const row = make("li", "", { hook: name });
    const about = make("p");
    const details = [
      formats[format] ?? format, isSigned ? t("hooks.signed") : "",
      ...[pointers, defaults].map(listed),
    ];
    about.append(make("b", name), " ", make("small", details.filter(Boolean).join(" · ")));
    const ask = make("button", t("hooks.delete"), { delete: "" });
    ask.type = "button";
    ask.ariaLabel = t("hooks.delete.name", { name });
    ask.addEventListener("click", () => this.#confirm(row, name));
    row.append(about, ask);
    return row;
  }

  /** Ask once more: what posts to the URL would be lost. @param {HTMLElement} row @param {string} name */
  #confirm(row, name) {
    const { t } = this.#page;
    const question = make("p", "", { confirm: "" });
    question.role = "group";
    question.ariaLabel = t("hooks.sure", { name });
    const remove = make("button", t("hooks.delete"), { remove: "" });
    const keep = make("button", t("hooks.keep"));
    for (const button of [remove, keep]) { button.type = "button"; }
    question.append(make("span", t("hooks.sure", { name })), remove, keep);
    remove.addEventListener("click", () => this.#remove(name));
    const back = () => {
      question.remove();
      find("[data-delete]", row).hidden = false;
      find("[data-delete]", row).focus();
    };
    keep.addEventListener("click", back);
    question.addEventListener("keydown", ({ key }) => { if (key === "Escape") { back(); } });
    find("[data-delete]", row).hidden = true;
    row.append(question);
    keep.focus();
  }

  /** @param {string} name */
  async #remove(name) {
    const { t } = this.#page;
    try {
      await this.#page.request("DELETE", this.#address(name));
    } catch (error) {
      // 404: it was deleted already.
      if (!(error instanceof this.#page.Problem && error.status === 404)) { return this.#complain(error); }
    }
    if (this.#new?.name === name) { this.#hideMade(); }
    find("[data-said]").textContent = t("hooks.deleted", { name });
    await this.load();
    (this.#list.querySelector("button") ?? find("[name=name]", this.#form.form)).focus();
  }

  async #make() {
    const { Problem, t, unmark } = this.#page;
    const form = this.#form;
    unmark(form.form);
    this.#problem.textContent = "";
    const { name } = form;
    const wrong = (/** @type {string} */ pointer, /** @type {string} */ detail) => (
      this.#complain(new Problem({ title: t("hooks.invalid"), errors: [{ pointer, detail }] }))
    );
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) { return wrong("/name", t("hooks.name.rule")); }
    if (this.#hooks.some((hook) => hook.name === name)) { return wrong("/name", t("hooks.name.taken")); }
    let members;
    try {
      members = form.members;
    } catch (error) {
      if (!(error instanceof NoJSON)) { throw error; }
      return wrong("/defaults", t("hooks.more.rule"));
    }
    const channel = this.#channel().name;
    // A second press would fail, because the hook of the first one exists.
    this.#submit.disabled = true;
    try {
      const { path } = await this.#page.request("PUT", this.#address(name), members);
      // The URL is told only once, so it is shown beside the hooks of another channel, too.
      const isShown = channel === this.#channel().name;
      const title = isShown ? name : `${name} (${channel})`;
      // Without a path the hook existed already, with the same members: only its maker was told the URL.
      if (!path) { wrong("/name", t("hooks.name.taken")); } else { this.#showMade(title, members, path, isShown); }
    } catch (error) {
      return this.#complain(error);
    } finally {
      this.#submit.disabled = false;
    }
    await this.load();
  }

  #makeMade() {
    const { t } = this.#page;
    const box = make("section", "", { made: "" });
    box.hidden = true;
    const title = make("h3");
    title.tabIndex = -1;
    const line = make("pre");
    Object.assign(line, { tabIndex: 0, role: "group", ariaLabel: t("hooks.url.label") });
    const code = make("code");
    line.append(code);
    const copy = make("button", t("copy"), { copy: "" });
    const test = make("button", t("hooks.test"), { test: "" });
    const done = make("button", t("hooks.done"));
    for (const button of [copy, test, done]) { button.type = "button"; }
    makeCopying(copy, code, t);
    test.addEventListener("click", () => this.#test(code.textContent ?? ""));
    done.addEventListener("click", () => {
      this.#hideMade();
      find("[name=name]", this.#form.form).focus();
    });
    const url = make("div", "", { curl: "" });
    url.append(line, copy);
    const buttons = make("p", "", { buttons: "" });
    buttons.append(test, done);
    const state = make("p", "", { state: "" });
    state.role = "status";
    box.append(title, make("p", t("hooks.once")), url, buttons, state);
    return box;
  }

  /**
   * @param {string} name
   * @param {HookMembers} members
   * @param {string} path - of the hook's URL, from the server's root
   * @param {boolean} isShown - whether its channel is the one that is shown
   */
  #showMade(name, members, path, isShown) {
    this.#new = { name, members };
    const title = find("h3", this.#made);
    title.textContent = this.#page.t("hooks.url", { name });
    // Relative to the page: a proxy may have the server at a path.
    find("code", this.#made).textContent = new URL(path.slice(1), document.baseURI).href;
    find("[data-state]", this.#made).textContent = "";
    this.#made.hidden = false;
    // What is typed for another channel stays.
    if (!isShown) { return; }
    this.#form.form.reset();
    this.#form.adapt();
    title.focus();
  }

  #hideMade() {
    this.#new = undefined;
    this.#made.hidden = true;
    // The URL is a secret: do not keep it in the page.
    find("code", this.#made).textContent = "";
  }

  /** Post to the URL as its sender would: without the cookie of this page. @param {string} address */
  async #test(address) {
    const { t } = this.#page;
    const { name, members } = this.#new ?? {};
    if (!members) { return; }
    const state = find("[data-state]", this.#made);
    if (members.signingSecret && members.format !== "gitlab" && !canSign()) {
      state.textContent = t("hooks.test.insecure");
      return;
    }
    const { document: message, fields } = sample(members, t("hooks.test.title"), t("hooks.test.text", { name: name ?? "" }));
    const body = JSON.stringify(message);
    const headers = { "content-type": "application/json", ...fields, ...await signature(members, body) };
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(address, { method: "POST", body, headers, credentials: "omit", signal }).catch(() => undefined);
    if (response?.ok) {
      state.textContent = t("hooks.test.sent");
      return;
    }
    const answer = await response?.json().catch(() => ({}));
    state.textContent = response ? t("hooks.test.refused", { reason: answer.title ?? String(response.status) }) : t("problem.away");
  }
}
