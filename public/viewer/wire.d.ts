/** The types of the server's events. Nothing here runs: the file is for `deno check` and for embedders. */

export type Role = "success" | "error" | "warning" | "info";
export type Placement = "top" | "center" | "bottom";
export type Alignment = "start" | "center" | "end";
export type Direction = "up" | "down" | "left" | "right";
export type Haptic = "automatic" | "success" | "warning" | "error" | "light" | "medium" | "heavy" | "none";
export type Reason = "timeout" | "api" | "cleared" | "replaced" | "expired" | "completed" | "action" | PersonsReason;
/** A person's own ways to dismiss a toast. */
export type PersonsReason = "swipe" | "close" | "tap" | "escape" | "key";

/** A string is shown as it is; a localized text carries the server's rendering in `text`. */
export type Text = string | { key: string; arguments?: unknown[]; default?: string; text?: string };

export interface Action {
  id: string;
  title: Text;
  role?: "destructive" | "cancel";
  url?: string;
  /** Absent: a press dismisses the toast. False: it does not. "whenDone": the publisher does, when the work is done. */
  dismisses?: false | "whenDone";
  /** It was pressed, and its work goes on. */
  pending?: true;
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
  /** Along its edge; absent: that of the page, else of the channel. */
  align?: Alignment;
  duration: number | "indefinite";
  haptic?: Haptic;
  actions?: Action[];
  progress?: Progress;
  image?: { url: string; alt?: string };
  /** What a tap on the toast's body opens. */
  link?: string;
  requiresInteraction?: boolean;
  dimsBackground?: boolean;
  /** The instant (RFC 3339) at which it enters the queue. */
  notBefore?: string;
  /** Merged into the channel's, member by member. */
  appearance?: Appearance;
  data?: unknown;
  createdAt: string;
  presentedAt?: string;
  dismissedAt?: string;
  dismissReason?: Reason;
  action?: string;
}

/** Seconds, and a curve. A spring with a `response` is SwiftUI's, one without is UIKit's. */
export interface Motion {
  duration: number;
  delay?: number;
  curve: "linear" | "easeIn" | "easeOut" | "easeInOut" | "spring";
  response?: number;
  damping?: number;
  velocity?: number;
}

/** `threshold`: pixels of a drag that dismisses; `predictedThreshold`: pixels of the predicted glide that do, too. */
export interface Swipe {
  directions: Direction[];
  threshold: number;
  predictedThreshold?: number;
}

/** "#RRGGBB" or "#RRGGBBAA". */
export type Color = string;

export interface Label {
  color?: Color;
  colorDark?: Color;
  font?: { size?: number; weight?: number };
}

/**
 * The look of a toast, for styles that can be changed; lengths in points. A colour holds in dark mode, too, unless
 * there is one for dark mode.
 */
export interface Appearance {
  title?: Label;
  message?: Label;
  backgroundColor?: Color;
  backgroundColorDark?: Color;
  borderColor?: Color;
  borderColorDark?: Color;
  borderWidth?: number;
  elevation?: { x?: number; y?: number; blur?: number; spread?: number; color?: Color; opacity?: number };
  /** The layer over the page behind a toast that dims it; `opacity` from 0 to 1. */
  dimming?: { color?: Color; colorDark?: Color; opacity?: number };
  layout?: { inset?: number; labelSpacing?: number; iconSpacing?: number; cornerRadius?: number; iconSize?: number };
}

export type ThemeKey =
  | "background" | "backgroundDark" | "textColor" | "textColorDark" | "subtextColor" | "subtextColorDark"
  | "errorColor" | "warningColor" | "infoColor" | "successColor";

/** Pixels between toasts and each edge of the screen. */
export type Insets = { top?: number; bottom?: number; leading?: number; trailing?: number };

/** A channel's effective settings, times in seconds and lengths in points. An older server leaves some out. */
export interface Settings {
  mode?: string;
  style?: string;
  placement?: Placement;
  align?: Alignment;
  stack?: "expanded" | "collapsed";
  duration?: number | "indefinite";
  animations?: { enter?: Motion; move?: Motion; exit?: Motion };
  layout?: { spacing?: number; inset?: number | Insets; maximumWidth?: number | "style" | "unlimited" };
  gestures?: { swipe?: Partial<Record<Placement, Swipe>>; tap?: "none" | "dismiss" };
  closeButton?: boolean;
  theme?: Partial<Record<ThemeKey, string>>;
  appearance?: Appearance;
  [name: string]: unknown;
}

/** Vibration and announcement of a toast that comes; an older server sends neither. */
interface Perceived {
  /** Resolved, so never "automatic"; absent when there is none. */
  haptic?: Haptic;
  announcement?: string;
}

interface Common {
  channel: string;
  cursor: string;
  at: string;
}

export type Envelope =
  | (Common & { type: "enqueued"; toast: Toast })
  | (Common & Perceived & { type: "presented"; toast: Toast; remaining?: number })
  | (Common & {
    type: "updated";
    toast: Toast;
    changed: string[];
    remaining?: number;
    /** The toast is held, so `remaining` does not run. */
    held?: true;
    /** It has moved to the newest place. */
    moved?: true;
    /** Only when there is something new to say. */
    announcement?: string;
  })
  | (Common & { type: "acted"; id: string; action: string; data?: unknown })
  | (Common & { type: "dismissed"; id: string; dismissReason: Reason; action?: string; exit: number; data?: unknown })
  | (Common & { type: "held" | "released"; id: string; holder: string; remaining?: number; /** By others. */ held?: true })
  | (Common & { type: "configured"; effective: Settings; own: Settings })
  | (Common & {
    type: "snapshot";
    effective: Settings;
    presented: { toast: Toast; remaining?: number; held?: boolean; announcement?: string }[];
    queuedCount: number;
    reset: boolean;
  })
  | (Common & { type: "resumed" })
  | { type: "shutdown"; at: string; retry: number };

export type Connection = "connecting" | "open" | "offline" | "closed";
