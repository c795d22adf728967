// The context in which the outputs of a request are captured, and that of one load of their page.

import type { FilterLists } from "../adblock/filter-lists.ts";
import type { BrowserSession } from "../browser/browser.ts";
import type { LaunchBrowser } from "../browser/browser-use.ts";
import type { WatchdogLimits } from "../browser/command-watchdog.ts";
import type { PhaseClock } from "./phase-clock.ts";
import type { LoadAttempts } from "./retry-on.ts";

/** What the capture of a request needs. */
export interface CaptureContext {
  readonly browser: {
    /** The browser of the first attempt, launched for what `browserUse` returns. */
    readonly first: Promise<BrowserSession>;
    readonly launch: LaunchBrowser;
    readonly lists: FilterLists;
  };
  /** Monotonic time in milliseconds at which the request started; the timeouts of all outputs count from here. */
  readonly startedAt: number;
  readonly clock: PhaseClock;
  /** When a DevTools command that is not answered counts as hung. @default far less than the default timeout */
  readonly watchdog?: WatchdogLimits;
}

/** The context of one load of the page. */
export interface LoadContext extends CaptureContext {
  /** Counts the attempts that `retry_on` allows, which all outputs share. */
  readonly loadAttempts: LoadAttempts;
}
