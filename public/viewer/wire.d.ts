/** What the server says, as types. Nothing here runs: the file is for `deno check` and for embedders. */

export type Role = "success" | "error" | "warning" | "info";
export type Placement = "top" | "center" | "bottom";
export type Haptic = "automatic" | "success" | "warning" | "error" | "light" | "medium" | "heavy" | "none";
export type Reason = "timeout" | "api" | "cleared" | "replaced" | "expired" | "action" | PersonsReason;
/** A person's own ways to dismiss a toast. */
export type PersonsReason = "swipe" | "close" | "tap" | "escape" | "key";

/** A string is shown as it is; a localized text carries the server's rendering in `text`. */
export type Text = string | { key: string; arguments?: unknown[]; default?: string; text?: string };

export interface Action {
  id: string;
  title: Text;
  role?: "destructive" | "cancel";
  url?: string;
}

export type Progress = { value: number; total: number } | { indeterminate: true };

export interface Toast {
  id: string;
  channel: string;
  revision: number;
  state: "queued" | "presented" | "dismissed";
  role: Role;
  /** Absent: the role's own title. Null: none. */
  title?: Text | null;
  message?: Text;
  icon?: string;
  style: string;
  placement: Placement;
  duration: number | "indefinite";
  haptic?: Haptic;
  actions?: Action[];
  progress?: Progress;
  image?: { url: string; alt?: string };
  requiresInteraction?: boolean;
  dimsBackground?: boolean;
  data?: unknown;
  createdAt: string;
  presentedAt?: string;
  dismissedAt?: string;
  dismissReason?: Reason;
  action?: string;
}

export interface Settings {
  mode?: string;
  style?: string;
  placement?: Placement;
  duration?: number | "indefinite";
  [name: string]: unknown;
}

interface Common {
  channel: string;
  cursor: string;
  at: string;
}

export type Envelope =
  | (Common & { type: "enqueued"; toast: Toast })
  | (Common & { type: "presented"; toast: Toast; remaining?: number })
  | (Common & { type: "updated"; toast: Toast; changed: string[]; remaining?: number })
  | (Common & { type: "acted"; id: string; action: string; data?: unknown })
  | (Common & { type: "dismissed"; id: string; reason: Reason; action?: string; exit: number; data?: unknown })
  | (Common & { type: "held" | "released"; id: string; holder: string; remaining?: number })
  | (Common & { type: "configured"; settings: Settings })
  | (Common & {
    type: "snapshot";
    settings: Settings;
    presented: { toast: Toast; remaining?: number; held?: boolean }[];
    queueLength: number;
    reset: boolean;
  })
  | (Common & { type: "resumed" })
  | { type: "shutdown"; at: string; retry: number };

export type Connection = "connecting" | "open" | "offline" | "closed";
