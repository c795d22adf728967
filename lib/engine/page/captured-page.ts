// The page of a capture, and what every access to it needs: its DevTools session, its activity and the time that is left.

import type { BrowserSession } from "../browser/browser.ts";
import type { RatedProblem } from "../problems/problem-record.ts";
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
  /** Collects what is wrong with the capture. */
  readonly problems: RatedProblem[];
  /** Paints the page where frames are controlled by `HeadlessExperimental.beginFrame`; undefined in continuous mode. */
  readonly frameScheduler?: FrameScheduler;
  /** True when the page's clock is taken over once it has loaded, so that what it waits for comes as fast as the machine can. */
  readonly settlesInVirtualTime?: boolean;
  /** Set where frames scroll in place of the page, and have been laid out in full height. */
  readonly framing?: PageFraming;
  /** True when the page's own JavaScript is disabled. */
  readonly isJavaScriptDisabled?: boolean;
}

/** How frames scroll in place of a page: those of a frameset are as large as its window, regardless of its styles. */
export type PageFraming = "frames" | "frameset";

/** The window as its page sees it. */
export interface PageWindow {
  /** Viewport size in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device scale factor: device pixels per CSS pixel. */
  readonly scale: number;
  /** The screen around the window. By default a screen at least as large as the window, without bars. */
  readonly screenMetrics?: ScreenMetrics;
  /** Mobile layout: honours `<meta name=viewport>`, and lays pages without one out at 980 px width, as phones do. */
  readonly mobile: boolean;
}

/** A screen and the bars on it, in CSS pixels. */
export interface ScreenMetrics {
  readonly screen: { readonly width: number; readonly height: number };
  /** Heights of the browser's own bars above the page, and of the desktop's taskbar. */
  readonly toolbar: number;
  readonly taskbar: number;
}
