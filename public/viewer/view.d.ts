/** What a viewer knows of its channel, as types. Nothing here runs: the file is for `deno check`. */

import type { ChannelConnection } from "./connection.js";
import type { Localizer } from "./localizer.js";
import type { Screen } from "./screen.js";
import type { Envelope, Haptic, Reason, Settings, Toast } from "./wire.d.ts";

/** A presented toast; a new object for each change. */
export interface Presented {
  toast: Toast;
  /** Seconds left when the entry was made; absent when it stays. */
  remaining?: number;
  /** The names of its holders; while there is one, its countdown stands still. */
  holders: readonly string[];
  /** Counts the changes that are announced. */
  spoken: number;
  /** The server's text to announce; absent: the viewer makes one. */
  announcement?: string;
  /** The vibration when it comes; absent: none. */
  haptic?: Haptic;
  /** Counts its moves to the newest place. */
  moves: number;
}

/** How a toast ended. */
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

/** What the element gives to the presenter. */
export interface Means {
  host: HTMLElement & { holds: string; hotkey: string; dismissAll(): void };
  root: ShadowRoot;
  screen: Screen;
  connection: ChannelConnection;
  localizer: Localizer;
  /** The server's address, if there is a server. */
  server: () => URL | undefined;
  /** Request the stream anew. */
  listen: () => void;
  /** Takes an event of the page's own toasts. */
  receive: (envelope: Envelope) => void;
  /** Dispatches an event. */
  tell: (name: string, detail: object, isCancelable?: boolean) => boolean;
}
