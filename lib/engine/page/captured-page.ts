// The page of a capture, and what every access to it needs: its DevTools session, its activity and the time that is left.

import type { BrowserSession } from "../browser/browser.ts";
import type { PageEnvironment } from "../emulation/emulation.ts";
import type { FrameScheduler } from "../rendering/frame-scheduler.ts";
import type { Budget } from "../timing/budget.ts";
import type { PageActivity } from "./page-activity.ts";

export interface CapturedPage {
  readonly session: BrowserSession;
  readonly activity: PageActivity;
  readonly budget: Budget;
  /** Monotonic time in milliseconds, the clock of `budget`. */
  readonly now: () => number;
  readonly window: PageWindow;
  /** Collects what was degraded, one sentence each. */
  readonly warnings: string[];
  /** Paints the page where frames are controlled by `HeadlessExperimental.beginFrame`; undefined in continuous mode. */
  readonly frameScheduler?: FrameScheduler;
  /** True when the page's own JavaScript is disabled. */
  readonly isJavaScriptDisabled?: boolean;
}

/** The window as its page sees it: its inner size in CSS pixels, and the device pixels per CSS pixel. */
export type PageWindow = Pick<PageEnvironment, "width" | "height" | "scale" | "mobile" | "screenMetrics">;
