/**
 * The documents of the API. The types of the viewer are in `viewer/`; these extend them by members that only publishers
 * need.
 */

import type {
  Action, Alignment, Envelope as Viewed, Haptic, PersonsReason, Placement, Role, Settings, Text, Toast as ViewedToast,
} from "../viewer/viewer/wire.d.ts";

export type { Action, Alignment, Haptic, PersonsReason, Placement, Role, Text };

export type Progress =
  | { value: number; total: number; /** Seconds that the toast stays after completion. */ dismissAfter?: number }
  | { indeterminate: true };

export interface Toast extends ViewedToast {
  progress?: Progress;
  reuseIdentifier?: string;
  /** Seconds that the toast may be queued. */
  expiresAfter?: number;
  /** Notes about accepted members, most often about ones without effect; only in the answer to a request. */
  warnings?: Warning[];
}

type ReceiptMember =
  | "id" | "channel" | "revision" | "state" | "createdAt" | "presentedAt" | "dismissedAt" | "dismissReason" | "action"
  | "warnings";

/** A toast without its content, for a client that lacks the scope `subscribe`. */
export type ToastReceipt = Pick<Toast, ReceiptMember> & { [Name in Exclude<keyof Toast, ReceiptMember>]?: undefined };

/** A toast, as far as the client may see it. */
export type ShownToast = Toast | ToastReceipt;

/** An event with its members that the viewer does not use. */
type Whole<Event extends Viewed> =
  Event extends { type: "snapshot" }
  ? Omit<Event, "presented"> & { presented: (Event["presented"][number] & { toast: Toast })[] }
  : Event extends { toast: ViewedToast } ? Event & { toast: Toast }
  : Event extends { type: "configured" } ? Event & { /** Absent if the server has none. */ defaults?: Settings }
  : Event extends { type: "held" | "released" }
  ? Event & ({ type: "held"; /** Seconds until the hold ends by itself. */ lease: number }
    | { type: "released"; /** There are other holds. */ held?: true })
  : Event;

export type Envelope = Whole<Viewed>;

/** A button to publish. */
export interface ActionDraft {
  id: string;
  title: Text;
  role?: "destructive" | "cancel" | null;
  url?: string | null;
  /** True by default. `whenDone`: the publisher dismisses the toast when the work is complete. */
  dismisses?: boolean | "whenDone" | null;
  /** The action was pressed, and its work continues; only with `whenDone`. */
  pending?: boolean | null;
}

/**
 * The members that a publisher sets. `null` is the same as an absent member; in a patch it removes the member. A number
 * that is not finite is a `TypeError`: a toast that stays has the duration `indefinite`.
 */
export interface Draft {
  message?: Text | null;
  title?: Text | { automatic: true } | null;
  role?: Role | null;
  duration?: number | "short" | "long" | "indefinite" | null;
  style?: string | null;
  placement?: Placement | null;
  align?: Alignment | null;
  icon?: string | null;
  actions?: ActionDraft[] | null;
  progress?: { value: number; total?: number; dismissAfter?: number | null } | { indeterminate: true } | null;
  image?: { url: string; alt?: string } | null;
  link?: string | null;
  haptic?: Haptic | null;
  expiresAfter?: number | null;
  requiresInteraction?: boolean | null;
  dimsBackground?: boolean | null;
  appearance?: object | null;
  reuseIdentifier?: string | null;
  /** A date and time (RFC 3339) before which the toast does not join the queue. */
  notBefore?: string | null;
  /** `replace`: a queued or presented toast with the same `reuseIdentifier` is updated to this one. */
  whenPresent?: "replace" | null;
  data?: unknown;
}

export interface ToastPage {
  cursor: string;
  toasts: Toast[];
  next?: string;
}

/** Toasts that were published together. The pointers of the warnings begin with the index of the toast. */
export interface ToastBatch {
  toasts: ShownToast[];
  warnings?: Warning[];
}

/** Toasts that were changed together. `toasts` has as many of them as fit into 256 KiB, and at least one. */
export interface UpdatedToasts {
  updatedCount: number;
  toasts: ShownToast[];
  warnings?: Warning[];
}

/** Selects the toasts that match all of these members. */
export interface Filter {
  reuseIdentifier?: string;
  title?: string;
  message?: string;
  placement?: Placement;
}

export interface Warning {
  pointer: string;
  detail: string;
  /** For two colours, their contrast, 1 to 21. */
  ratio?: number;
}

/** The results of a publish to several channels, in their order. */
export interface PublicationResults {
  summary: { channelCount: number; acceptedCount: number; refusedCount: number };
  results: {
    channel: string;
    status: number;
    toast?: ShownToast;
    warnings?: Warning[];
    problem?: Record<string, unknown>;
  }[];
  warnings?: Warning[];
}

export interface Hold {
  id: string;
  holder: string;
  lease: number;
  remaining?: number;
}
