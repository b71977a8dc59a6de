/**
 * Errors and warnings of the server, shown beside the controls that they are about.
 *
 * @import { Issue } from "./channel.js"
 */

import { Problem } from "./channel.js";
import { make } from "./elements.js";
import { t } from "./language.js";

let count = 0;

/**
 * Remove marks.
 *
 * @param {ParentNode} form - or a part of it
 * @param {string} notes - a selector; by default all
 */
export function unmark(form, notes = "[data-issue]") {
  for (const note of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(notes))) {
    const control = form.querySelector(`[aria-describedby~=${note.id}]`);
    const others = control?.getAttribute("aria-describedby")?.split(" ").filter((id) => id !== note.id).join(" ");
    if (others) { control?.setAttribute("aria-describedby", others); } else { control?.removeAttribute("aria-describedby"); }
    if (!("warning" in note.dataset)) { control?.removeAttribute("aria-invalid"); }
    note.remove();
  }
}

/**
 * Mark the controls with errors, and move the focus to the first, unless a person is in another field by now. Errors
 * without a control are shown in the form's own line.
 *
 * @param {ParentNode & Node} form - or the part of it whose earlier marks are removed
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
    describe(control, make("small", detail, { issue: pointer }));
    control.setAttribute("aria-invalid", "true");
    const details = control.closest("details");
    if (details) { details.open = true; }
    first ??= control;
  }
  line.textContent = [problem.message, ...rest, first ? t("problem.seeBelow") : ""].filter(Boolean).join(" ");
  const { activeElement } = document;
  if (activeElement === document.body || form.contains(activeElement)) { first?.focus(); }
}

/**
 * Show the warnings of a request that was carried out, beside the controls and in the form's own line, in place of
 * earlier ones.
 *
 * @param {ParentNode} form
 * @param {HTMLElement} line
 * @param {Issue[]} warnings
 * @param {(pointer: string) => HTMLElement | null | undefined} controlOf
 */
export function warn(form, line, warnings, controlOf) {
  unmark(form, "[data-issue][data-warning]");
  for (const { pointer, detail } of warnings) {
    const control = controlOf(pointer);
    if (control) { describe(control, make("small", detail, { issue: pointer, warning: "" })); }
  }
  const said = warnings.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(" ");
  line.querySelector("[data-warning]")?.remove();
  if (said) { line.append(...line.textContent ? [" "] : [], make("span", said, { warning: "" })); }
}

/**
 * Put a note below a control, and make it the first part of its description.
 *
 * @param {HTMLElement} control
 * @param {HTMLElement} note
 */
function describe(control, note) {
  note.id = `issue-${++count}`;
  // In a group of controls the note stands below the whole group.
  const group = control.closest("[data-segments], [data-tiles] > div, [data-row], [data-control]") ?? control;
  (group.parentElement?.matches("label") ? group.parentElement : group).after(note);
  const others = control.getAttribute("aria-describedby");
  control.setAttribute("aria-describedby", others ? `${note.id} ${others}` : note.id);
}

/**
 * Show in a line beside a button that its request has failed; the next press clears the line.
 *
 * @param {HTMLElement} line
 * @param {Promise<unknown>} work
 */
export async function report(line, work) {
  line.textContent = "";
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Problem)) { throw error; }
    line.textContent = error.message;
  }
}
