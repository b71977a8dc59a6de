/**
 * Whether toast-viewer.d.ts is true: checked by `deno check` in `make lint`, never run.
 */

import type { OwnStyle as RealStyle, Configuration as RealConfiguration } from "../../public/viewer/lazy/parts.js";
import { ToastViewer as Real } from "../../public/viewer/element.js";
import type { Configuration, OwnStyle, Toast, toast, ToastViewer, ToastViewerEventMap } from "../../public/toast-viewer.d.ts";

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** What the browser calls, not the page. */
type Lifecycle = "connectedCallback" | "disconnectedCallback" | "connectedMoveCallback" | "attributeChangedCallback";

/** The element has all that is declared, as it is declared. */
export const declared = (element: Real): Omit<ToastViewer, "addEventListener"> => element;

/** All that the element has is declared. */
export const complete: Same<Exclude<keyof Real, Lifecycle | keyof ToastViewer>, never> = true;

/** What a page reads is what the element gives, in both directions. */
type Members = Exclude<keyof ToastViewer, keyof HTMLElement>;
export const same: Same<Pick<ToastViewer, Members>, Pick<Real, Members>> = true;

/** Styles are what the viewer takes. */
export const configuration: Same<Configuration, RealConfiguration> = true;
export const style: Same<OwnStyle, RealStyle> = true;
Real.registerStyle satisfies (name: string, style: OwnStyle) => void;
Real.authorize satisfies (server: string, token: () => Promise<string>) => void;

/** A page reads what it should be able to read. */
export function use(document: Document): void {
  const viewer = document.querySelector("toast-viewer");
  viewer?.addEventListener("toast-show", ({ detail }) => detail.toast satisfies Toast);
  viewer?.addEventListener("toast-connection", ({ detail }) => detail.state satisfies "connecting" | "open" | "offline" | "closed");
  viewer?.addEventListener("click", (event) => event.clientX satisfies number);
  if (viewer) { viewer.holds = "shared"; }
  // @ts-expect-error: there is no such way to hold.
  if (viewer) { viewer.holds = "sometimes"; }
}

/** What failed can be shown as it is. */
export function tell(page: typeof toast, work: Promise<number>): void {
  work.catch(page.error);
  page.promise(work, { loading: "Saving", success: "Saved", error: (error) => error });
}

/** Every event of the element's documentation. */
export const events: Record<keyof ToastViewerEventMap, true> = {
  "toast-show": true, "toast-update": true, "toast-dismiss": true, "toast-action": true, "toast-connection": true, "toast-unauthorized": true,
  "toast-event": true,
};
