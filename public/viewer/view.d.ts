/** What a viewer knows of its channel, as types. Nothing here runs: the file is for `deno check`. */

import type { ChannelConnection } from "./connection.js";
import type { Localizer } from "./localizer.js";
import type { Screen } from "./screen.js";
import type { Envelope, Haptic, Reason, Settings, Toast } from "./wire.d.ts";

/** One toast on the screen; a new object whenever something about it changed. */
export interface Presented {
  toast: Toast;
  /** Seconds left when the entry was made; absent when it stays. */
  remaining?: number;
  /** Who holds it; while somebody does, its countdown stands still. */
  holders: readonly string[];
  /** Counts the changes that are worth telling somebody who cannot see them. */
  spoken: number;
  /** What is told, in the server's words. */
  announcement?: string;
  /** What a hand is to feel when it comes. */
  haptic?: Haptic;
  /** Counts its moves to the newest place. */
  moves: number;
}

/** How a toast went. */
export interface Exit {
  id: string;
  /** Seconds that its exit takes; absent when the server did not say. */
  exit?: number;
  reason: Reason;
}

export interface ViewState {
  settings: Settings;
  /** Oldest first. */
  presented: readonly Presented[];
  /** Newest first, at most 20. */
  exits: readonly Exit[];
  /** As the last snapshot said it. */
  queuedCount: number;
}

/** What the element gives to what shows its toasts. */
export interface Means {
  host: HTMLElement & { holds: string; hotkey: string; dismissAll(): void };
  root: ShadowRoot;
  screen: Screen;
  connection: ChannelConnection;
  localizer: Localizer;
  /** Its address, if there is one. */
  server: () => URL | undefined;
  /** Ask for the stream anew. */
  listen: () => void;
  /** Takes an event of the page's own toasts. */
  receive: (envelope: Envelope) => void;
  /** Dispatches an event. */
  tell: (name: string, detail: object, isCancelable?: boolean) => boolean;
}
