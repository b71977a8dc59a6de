/**
 * Compares toast-viewer.d.ts with the element: checked by `deno check` in `make lint`, never run.
 */

import type { OwnStyle as RealStyle, Configuration as RealConfiguration } from "../../public/viewer/lazy/parts.js";
import { ToastViewer as Real } from "../../public/viewer/element.js";
import type { Configuration, OwnStyle, Toast, toast, ToastViewer, ToastViewerEventMap } from "../../public/toast-viewer.d.ts";

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** Members that the browser calls, not the page. */
type Lifecycle = "connectedCallback" | "disconnectedCallback" | "connectedMoveCallback" | "attributeChangedCallback";

/** The element has every declared member, with its type. */
export const declared = (element: Real): Omit<ToastViewer, "addEventListener"> => element;

/** Every member of the element is declared. */
export const complete: Same<Exclude<keyof Real, Lifecycle | keyof ToastViewer>, never> = true;

/** Getters have the declared types exactly. */
type Members = Exclude<keyof ToastViewer, keyof HTMLElement>;
export const same: Same<Pick<ToastViewer, Members>, Pick<Real, Members>> = true;

/** The viewer accepts declared styles. */
export const configuration: Same<Configuration, RealConfiguration> = true;
export const style: Same<OwnStyle, RealStyle> = true;
Real.registerStyle satisfies (name: string, style: OwnStyle) => void;
Real.authorize satisfies (server: string, token: () => Promise<string>) => void;

/** Uses of the declarations in a page. */
export function use(document: Document): void {
  const viewer = document.querySelector("toast-viewer");
  viewer?.addEventListener("toast-show", ({ detail }) => detail.toast satisfies Toast);
  viewer?.addEventListener("toast-connection", ({ detail }) => detail.state satisfies "connecting" | "open" | "offline" | "closed");
  viewer?.addEventListener("click", (event) => event.clientX satisfies number);
  if (viewer) { viewer.holds = "shared"; }
  // @ts-expect-error: no value of `holds`.
  if (viewer) { viewer.holds = "sometimes"; }
}

/** A caught error can be passed on as a message. */
export function tell(page: typeof toast, work: Promise<number>): void {
  work.catch(page.error);
  page.promise(work, { loading: "Saving", success: "Saved", error: (error) => error });
}

/** Every documented event of the element. */
export const events: Record<keyof ToastViewerEventMap, true> = {
  "toast-show": true, "toast-update": true, "toast-dismiss": true, "toast-action": true, "toast-connection": true, "toast-unauthorized": true,
  "toast-event": true,
};
