/**
 * The form that makes toasts, with the toast as it will look and the line that posts it.
 *
 * @import { Toast } from "../viewer/wire.d.ts"
 * @import { Channel } from "./channel.js"
 */

import { Card } from "../viewer/card.js";
import { adoptStyle } from "../viewer/sheets.js";
import { curl, draft } from "./draft.js";

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} preview
 * @param {() => Channel} channel - the one to post to
 */
export function compose(form, preview, channel) {
  const root = preview.attachShadow({ mode: "open" });
  const card = new Card(() => {}, () => {});
  const list = document.createElement("ol");
  list.role = "list";
  list.append(card.element);
  // A picture of a toast: its buttons are not to be pressed, and it is not to be read out twice.
  list.inert = true;
  list.dataset.placement = "preview";
  const code = /** @type {HTMLElement} */ (form.querySelector("code"));
  const problem = /** @type {HTMLElement} */ (form.querySelector("[data-problem]"));
  const copy = /** @type {HTMLButtonElement} */ (form.querySelector("[data-copy]"));

  const read = () => draft(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form))));

  const show = async () => {
    const toast = read();
    for (const input of form.querySelectorAll("[data-for]")) {
      const kind = /** @type {HTMLInputElement | null} */ (input.closest("fieldset")?.querySelector("input:checked"))?.value;
      /** @type {HTMLInputElement} */ (input).hidden = kind !== /** @type {HTMLElement} */ (input).dataset.for;
    }
    code.textContent = curl(channel().toastsAddress, toast);
    await adoptStyle(root, String(toast.style));
    card.update(/** @type {Toast} */ ({ ...toast, id: "preview" }));
    root.append(list);
  };

  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    post(read());
  });

  /** @param {Record<string, unknown>} toast */
  const post = async (toast) => {
    problem.textContent = "";
    try {
      await channel().post(toast);
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };

  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      copy.textContent = "Copied";
    } catch {
      // Plain http has no clipboard: leave the line selected, so that a key copies it.
      getSelection()?.selectAllChildren(code);
      copy.textContent = "Selected";
    }
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  });

  show();
  return { show };
}
