/**
 * The types of `toast-viewer.js`, for TypeScript and for editors.
 *
 * `Tests/public/types.ts` holds them against the element itself.
 */

import type { Action, Appearance, Connection, Envelope, Haptic, Placement, Progress, Reason, Role, Toast } from "./viewer/wire.d.ts";

export type * from "./viewer/wire.d.ts";

/** A toast as a page sends it; a `progress` from 0 to 1 may be a number. */
export type LocalOptions = Partial<Omit<Toast, "actions" | "channel" | "duration" | "progress" | "title">> & {
  /** In seconds; "short" is 2, "long" is 4, and 0 and Infinity are "indefinite". */
  duration?: number | "short" | "long" | "indefinite";
  /** Absent: what the channel says. */
  title?: Toast["title"] | { automatic: true };
  actions?: (Partial<Action> & { title: Action["title"]; onPress?: () => void })[];
  progress?: Progress | number;
  reuseIdentifier?: string;
  expiresAfter?: number;
};

/** What is shown while a promise is pending, and how it went. An `Error` shows its message. */
export interface Outcomes<Value> {
  loading: string | LocalOptions;
  success: string | LocalOptions | ((value: Value) => string | LocalOptions);
  error: string | Error | LocalOptions | ((error: any) => string | Error | LocalOptions);
}

/** Why the server refused what was to be published; the message names the members that are wrong. */
export interface PublishError extends Error {
  status: number;
  /** The name of the problem, as "queue-full"; absent if a proxy answered. */
  type?: string;
  /** The whole answer. */
  problem: Record<string, any>;
}

/** What a page's own style gets to draw a toast. */
export interface Configuration {
  role: Role;
  style: string;
  /** Empty when there is none. */
  title: string;
  message: string;
  /** Makes the icon that the toast names, or its role's. */
  icon: (() => SVGSVGElement | HTMLElement) | undefined;
  actions: { id: string; title: string; role?: Action["role"]; url?: string; pending: boolean; press: () => void }[];
  /** A determinate one has a `fraction` from 0 to 1. */
  progress: (Progress & { fraction?: number }) | undefined;
  /** With a URL that may be shown. */
  image: { url: string; alt: string } | undefined;
  placement: Placement;
  /** In seconds. */
  duration: number | "indefinite";
  /** The channel's appearance with that of the toast merged into it. */
  appearance: Appearance;
  data: unknown;
  /** Dismisses the toast. */
  close: () => void;
  /** The toast as received. */
  toast: Toast;
}

/** The result of a style's `render`: a node, made anew for each change, or a node and a function that changes it. */
export type Rendering = Node | { node: Node; update: (configuration: Configuration) => void };

export interface OwnStyle {
  /** The toast's content; without it the usual parts are drawn. */
  render?: (configuration: Configuration) => Rendering;
  /** A sheet, its text, or its URL. */
  stylesheet?: CSSStyleSheet | string | URL;
}

/** A toast in the history. */
export interface Memory {
  id: string;
  toast: Toast;
  /** When it came, in ms since 1970. */
  at: number;
  /** Why it was dismissed; absent while it is presented. */
  reason?: Reason;
  /** Whether it was neither on this screen nor seen in the history. */
  isNew: boolean;
}

/** The events of the element; they bubble, also out of shadow roots. */
export interface ToastViewerEventMap {
  /** A toast comes on the screen. Cancelable: prevented, it is neither shown nor announced. */
  "toast-show": CustomEvent<{ toast: Toast; haptic?: Haptic }>;
  /** A toast on the screen changed. */
  "toast-update": CustomEvent<{ toast: Toast }>;
  /** A toast leaves the screen. Cancelable when a person dismisses it: prevented, it stays. */
  "toast-dismiss": CustomEvent<{ id: string; toast: Toast; reason: Reason }>;
  /** A person pressed an action. Cancelable: prevented, it is not sent and the toast stays. */
  "toast-action": CustomEvent<{ id: string; toast: Toast; action: Action }>;
  /** The stream opened or broke. */
  "toast-connection": CustomEvent<{ state: Connection }>;
  /**
   * The server refused a stream or an answer for want of a credential (401) or a permission (403). `retry` connects at
   * once, with another token if there is one; without it the viewer tries again by itself, less and less often.
   */
  "toast-unauthorized": CustomEvent<{
    status: 401 | 403;
    channel: string;
    server: string;
    retry: (token?: string | (() => string | Promise<string>)) => void;
  }>;
  /** Each event of the server, as received. */
  "toast-event": CustomEvent<Envelope>;
}

/** `<toast-viewer channel="ops"></toast-viewer>` */
export class ToastViewer extends HTMLElement {
  /** Register a style for all viewers of the page. */
  static registerStyle(name: string, style: OwnStyle): void;
  /**
   * Set the token or key for a server that gets no cookie from this page, as on another origin. A function is called
   * for each connection and each answer, so that it can fetch a fresh one.
   */
  static authorize(server: string | URL, token: string | (() => string | Promise<string>)): void;
  /**
   * The channel, or several, separated by spaces.
   *
   * It reflects the attribute of its name, as do the settable properties below except `isPaused`.
   */
  channel: string;
  /** The server; empty for the one that the script came from. */
  src: string;
  /** Whether there is no server, and no request to one: only what the page itself shows. */
  local: boolean;
  /** "light", "dark", "system"; empty for what the page has. */
  theme: string;
  /** How many toasts are on the screen at a time, 1 to 100; empty for what the channel says, at most ten. */
  get max(): string;
  set max(value: string | number);
  /** The name of the region for assistive technology. */
  label: string;
  /** "start", "center" or "end"; empty for what the channel says. */
  align: string;
  /** "expanded", or "collapsed": several toasts of an edge are drawn as one; empty for what the channel says. */
  stack: string;
  /** "auto", "polite" or "off". */
  announce: string;
  /** "off" for a stream of this tab alone. */
  share: string;
  /** "off" for no toolbar. */
  controls: string;
  /** "off" for no settings. */
  settings: string;
  /** The language of the viewer's own words; empty for that around the element. */
  language: string;
  /** Whether hovering and focus stop a toast's time here, for everybody, or not at all; the attribute of this name. */
  get holds(): "local" | "shared" | "off";
  set holds(value: "local" | "shared" | "off");
  /** The key that brings the focus to the toasts, as "F8" or "Alt+KeyT"; empty for none; the attribute of this name. */
  get hotkey(): string;
  set hotkey(key: string);
  /** Whether shown toasts stay and new ones wait, in all tabs of this origin. */
  get isPaused(): boolean;
  set isPaused(isPaused: boolean);
  /** The state of the stream. */
  get connection(): Connection;
  /** The toasts that are presented, oldest first, also those without room on this screen. */
  get toasts(): Toast[];
  /** The toasts that came, newest first, at most 200. */
  get history(): Memory[];

  /**
   * Show a toast on this page only, by the rules of a channel; an `Error` shows its message. Returns its id, or that of
   * the toast that it repeats.
   */
  show(message: string | Error | LocalOptions, options?: LocalOptions): string;
  /** Change a toast of `show`; an undefined member is removed. Resolves to whether the toast is still there. */
  update(id: string, message: string | Error | LocalOptions, options?: LocalOptions): Promise<boolean>;
  /** Dismiss a toast, local or of a channel; without an id, all. */
  dismiss(id?: string): void;
  /** Dismiss all presented toasts, also those without room on this screen. */
  dismissAll(): void;
  /** Show the list of earlier toasts. */
  showHistory(): Promise<void>;
  /** Show the panel for a person's preferences. */
  showPreferences(): Promise<void>;

  addEventListener<Name extends keyof ToastViewerEventMap>(
    type: Name,
    listener: (this: ToastViewer, event: ToastViewerEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: HTMLElement, event: HTMLElementEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

type Show = (message: string | Error | LocalOptions, options?: LocalOptions) => string;

/** Shows toasts in the page's viewer; where there is none, in one without a server. An `Error` shows its message. */
export const toast: Show & {
  success: Show;
  error: Show;
  warning: Show;
  info: Show;
  update(id: string, message: string | Error | LocalOptions, options?: LocalOptions): Promise<boolean>;
  /** Without an id, all. */
  dismiss(id?: string): void;
  /** Show that work goes on, then its outcome. Returns the promise; a function that throws counts as a failure. */
  promise<Value>(promise: PromiseLike<Value> | (() => PromiseLike<Value> | Value), outcomes: Outcomes<Value>): Promise<Value>;
  /**
   * Publish to a channel of the server; `duration` and `progress` are as in `LocalOptions`. Rejects with a
   * `PublishError` if the server refuses, with a `TypeError` for a number that is not finite.
   */
  publish(channel: string, message: string | Error | object, options?: object): Promise<Toast>;
};

/** The element's attributes, for JSX. */
export interface ToastViewerAttributes {
  channel?: string;
  src?: string;
  local?: boolean | "";
  theme?: "light" | "dark" | "system";
  max?: number | string;
  label?: string;
  align?: "start" | "center" | "end";
  stack?: "expanded" | "collapsed";
  announce?: "auto" | "polite" | "off";
  share?: "off";
  controls?: "off";
  settings?: "off";
  hotkey?: string;
  language?: string;
  holds?: "local" | "shared" | "off";
  "top-layer"?: "off";
  assistive?: boolean | "";
  vibrate?: boolean | "";
  id?: string;
  class?: string;
  className?: string;
  lang?: string;
  style?: unknown;
  slot?: string;
  hidden?: boolean;
  children?: unknown;
  ref?: unknown;
  key?: string | number;
}

declare global {
  interface HTMLElementTagNameMap {
    "toast-viewer": ToastViewer;
  }
  /** Of Preact and others; React's is in `toast-viewer-react.d.ts`. */
  namespace JSX {
    interface IntrinsicElements {
      "toast-viewer": ToastViewerAttributes;
    }
  }
}
