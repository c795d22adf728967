// A screen of the dashboard: its address, its title, and its component.
import type { ComponentType } from "preact";
import type { SessionState } from "./session.ts";

export interface ScreenProps {
  readonly session: SessionState;
}

export interface Screen {
  readonly path: string;
  readonly title: string;
  readonly component: ComponentType<ScreenProps>;
}
