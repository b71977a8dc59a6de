/**
 * The guide: command lines that work as they are, because they name this server and the visitor's channel.
 */

import { channelOf, embedding, preparePage, relink } from "./chrome.js";
import { authorization, curl, quoted } from "./draft.js";
import { find, makeCopying } from "./elements.js";
import { t } from "./language.js";
import { Session } from "./session.js";

preparePage();
document.title = t("title.guide");
const channel = channelOf();
relink(channel.name);
find("[data-channel]").textContent = t("guide.lead", { channel: channel.name });

const question = {
  role: "warning", message: t("example.question"), duration: "indefinite",
  actions: [{ id: "delete", title: t("sample.delete"), role: "destructive" }, { id: "keep", title: t("example.keep") }],
};

/** @param {boolean} needsKey @returns {Record<string, string>} by the names of their elements */
function lines(needsKey) {
  const { toastsAddress, address, name } = channel;
  const shown = authorization(needsKey);
  const [{ id: yes }, { id: no }] = question.actions;
  return {
    post: curl(toastsAddress, { message: t("example.message") }, needsKey),
    shape: curl(toastsAddress, { message: t("example.message"), title: t("example.title"), role: "success", duration: 8, style: "pale", placement: "bottom" }, needsKey),
    ask: curl(toastsAddress, question, needsKey).replace("curl ", "curl -H 'Prefer: wait=60' "),
    shell: [
      `export TOASTD_SERVER=${new URL(".", document.baseURI).href.slice(0, -1)}`,
      ...needsKey ? ["export TOASTD_TOKEN=toastd_…"] : [],
      `toastd send ${name} --role success ${quoted(t("example.message"))}`,
      `toastd ask ${name} ${quoted(question.message)} --action ${yes}=${quoted(question.actions[0].title)} --action ${no}=${quoted(question.actions[1].title)}`,
      `toastd watch ${name}`,
    ].join("\n"),
    listen: `curl -N ${shown}${new URL("stream", address)}`,
    embed: embedding(name),
    key: `toastd key create --access access.json --name ci --scopes publish --channels ${quoted(name)} --days 365\ntoastd serve --access access.json`,
  };
}

for (const part of document.querySelectorAll("[data-curl]")) { makeCopying(find("[data-copy]", part), find("code", part), t); }

const session = new Session();

function show() {
  for (const [name, line] of Object.entries(lines(session.isOpen || !session.may("publish", channel.name)))) {
    find(`[data-line=${name}]`).textContent = line;
  }
}

session.addEventListener("change", show);
show();
session.load();
