/** Compares src/index.d.ts with the code: checked by `deno check` in `make lint`, never run. */

import * as Real from "../src/index.js";
import type * as Declared from "../src/index.d.ts";

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

export const names: Same<keyof typeof Real, keyof typeof Declared> = true;
export const members: [
  Same<keyof Real.ToastClient, keyof Declared.ToastClient>,
  Same<keyof Real.ChannelClient, keyof Declared.ChannelClient>,
  Same<keyof Real.ToastStream, keyof Declared.ToastStream>,
] = [true, true, true];

/** Each method takes and gives what is declared. */
type Methods<Class> = { [Name in keyof Class]: Class[Name] };
export const channel = (real: Real.ChannelClient): Omit<Methods<Declared.ChannelClient>, "stream"> => real;
export const stream = (real: Real.ToastStream): Methods<Declared.ToastStream> => real;
export const problem = (real: Real.ProblemError): Declared.ProblemError => real;
export const client = (real: Real.ToastClient): Omit<Methods<Declared.ToastClient>, "channel" | "stream"> => real;
export const unexpected = (real: Real.UnexpectedAnswer): Declared.UnexpectedAnswer => real;

/** Members that the server sends or takes. */
export const toast = ({ reuseIdentifier, expiresAfter, warnings, progress }: Declared.Toast): unknown[] =>
  [reuseIdentifier, expiresAfter, warnings, progress && "value" in progress && progress.dismissAfter];
export const ratio = ({ warnings = [] }: Declared.Toast): (number | undefined)[] => warnings.map((it) => it.ratio);
export function seconds(event: Declared.Envelope): unknown {
  switch (event.type) {
    case "held": return event.lease + (event.remaining ?? 0);
    case "released": return event.held;
    case "configured": return event.defaults;
    case "snapshot": return event.presented.map(({ toast, remaining }) => [toast.reuseIdentifier, remaining]);
    case "updated": return event.toast.reuseIdentifier;
    case "shutdown": return event.retry;
    default: return event.cursor;
  }
}
export const cleared: Parameters<Declared.ChannelClient["patch"]>[1] = {
  duration: null, role: null, actions: null, reuseIdentifier: null, icon: null, style: null, haptic: null,
};
/** A receipt has no content. */
export const role = (shown: Declared.ShownToast): Declared.Role | undefined => shown.role;
export const whole = (shown: Declared.ShownToast): Declared.Toast | undefined => shown.role && shown;
export const draft: Declared.Draft = { message: "Go on?", actions: [{ id: "yes", title: "Yes", dismisses: true }] };
