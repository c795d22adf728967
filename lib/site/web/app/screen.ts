// A screen of the dashboard: its address, its title, and its component.
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
  readonly component: ComponentType<ScreenProps>;
}
