/** What publishers send, and what the server says. The element's copy of these types comes with it, in `viewer/`. */

import type {
  Action, Alignment, Envelope, Haptic, PersonsReason, Placement, Role, Text, Toast,
} from "../viewer/viewer/wire.d.ts";

export type { Action, Alignment, Envelope, Haptic, PersonsReason, Placement, Role, Text, Toast };

export interface Draft {
  message?: Text;
  title?: Text | { automatic: true } | null;
  role?: Role;
  duration?: number | "short" | "long" | "indefinite";
  style?: string;
  placement?: Placement;
  align?: Alignment;
  icon?: string;
  actions?: Omit<Action, "pending">[];
  progress?: { value: number; total?: number; dismissAfter?: number } | { indeterminate: true } | null;
  image?: { url: string; alt?: string } | null;
  link?: string | null;
  haptic?: Haptic;
  expiresAfter?: number | null;
  requiresInteraction?: boolean;
  dimsBackground?: boolean;
  appearance?: object | null;
  reuseIdentifier?: string;
  /** A date and time (RFC 3339) before which the toast does not join the queue. */
  notBefore?: string | null;
  /** `replace`: the living toast with the same `reuseIdentifier` becomes this one. */
  whenPresent?: "replace" | null;
  data?: unknown;
}

export interface ToastPage {
  cursor: string;
  toasts: Toast[];
  next?: string;
}

export interface Warning {
  pointer: string;
  detail: string;
}

/** What became of a toast in several channels, in their order. */
export interface PublicationResults {
  summary: { channelCount: number; acceptedCount: number; refusedCount: number };
  results: { channel: string; status: number; toast?: Toast; warnings?: Warning[]; problem?: Record<string, unknown> }[];
  warnings?: Warning[];
}

export interface Hold {
  id: string;
  holder: string;
  lease: number;
  remaining?: number;
}
