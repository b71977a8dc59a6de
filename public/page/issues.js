/**
 * What the server found wrong, shown beside the control that it is about.
 *
 * @import { Problem } from "./channel.js"
 */

import { make } from "./elements.js";
import { t } from "./language.js";

let count = 0;

/**
 * Take the marks away.
 *
 * @param {ParentNode} form
 */
export function unmark(form) {
  for (const line of form.querySelectorAll("[data-issue]")) { line.remove(); }
  for (const control of form.querySelectorAll("[aria-invalid]")) {
    control.removeAttribute("aria-invalid");
    const about = control.getAttribute("data-description");
    if (about) { control.setAttribute("aria-describedby", about); } else { control.removeAttribute("aria-describedby"); }
  }
}

/**
 * Mark the controls that are to blame, and move the focus to the first. What no control is to blame for is said in
 * the form's own line.
 *
 * @param {ParentNode} form
 * @param {HTMLElement} line
 * @param {Problem} problem
 * @param {(pointer: string) => HTMLElement | null | undefined} controlOf
 */
export function mark(form, line, problem, controlOf) {
  unmark(form);
  /** @type {HTMLElement | undefined} */
  let first;
  const rest = [];
  for (const { pointer, detail } of problem.issues) {
    const control = controlOf(pointer);
    if (!control) {
      rest.push(pointer ? `${pointer}: ${detail}` : detail);
      continue;
    }
    const said = make("small", detail, { issue: pointer });
    said.id = `issue-${++count}`;
    // A control among others has its line below all of them.
    const group = control.closest("[data-segments], [data-tiles] > div, [data-row], [data-control]") ?? control;
    (group.parentElement?.matches("label") ? group.parentElement : group).after(said);
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", [said.id, control.dataset.description].filter(Boolean).join(" "));
    const details = control.closest("details");
    if (details) { details.open = true; }
    first ??= control;
  }
  line.textContent = [problem.message, ...rest, first ? t("problem.seeBelow") : ""].filter(Boolean).join(" ");
  first?.focus();
}
