// A screen of the dashboard: its address, its title, and what stands for it until it has loaded.
import type { ComponentType } from "preact";
import type { SessionState } from "./session.ts";

export interface ScreenProps {
  readonly session: SessionState;
  /** Reads the session again, after a change of its account. */
  readonly reloadSession: () => void;
}

export interface Screen {
  readonly path: string;
  readonly title: string;
  /** True for a screen whose heading is known once it has loaded. */
  readonly hasOwnHeading?: boolean;
  /** Of the size of the screen. */
  readonly skeleton: ComponentType;
  /** Name of its script in `entries/`. */
  readonly entry: EntryName;
}

/** The scripts of the dashboard. A document loads the one of its screen, and the others follow when the browser has nothing else to do. */
export const entryNames = [
  "overview",
  "keys",
  "captures",
  "capture",
  "webhooks",
  "usage",
  "billing",
  "account",
  "visitor",
] as const;
export type EntryName = (typeof entryNames)[number];
