// Unpacks Chromium at startup and launches a fresh browser for each capture.

import { allowedOrigins } from "../../platform/allowed-origins.ts";
import { environment } from "../../platform/environment.ts";
import { createFilterLists, type FilterLists } from "../adblock/filter-lists.ts";
import { type BrowserSession, launchBrowser } from "./browser.ts";
import type { BrowserUse, LaunchBrowser } from "./browser-use.ts";
import { markSandboxTainted } from "./tainted-sandbox.ts";
import { unpackedChromium } from "./unpacked-chromium.ts";

/**
 * A browser whose launch may start ahead of its use. Disposing closes it and all browsers launched beside it, used or
 * not; it resolves when they are cleaned up, which takes up to half a second, and never rejects.
 */
export interface LazyBrowser extends AsyncDisposable {
  readonly first: Promise<BrowserSession>;
  /** Launches another browser. */
  readonly launch: LaunchBrowser;
  readonly lists: FilterLists;
}

/**
 * Memory of the function itself, measured after a thousand captures of all kinds, and of the second browser that
 * encodes a recording.
 */
const FUNCTION_MEGABYTES = 560;
const ENCODER_MEGABYTES = 400;

/** Returns a browser that launches once `go` resolves to its purpose, and not at all when `go` rejects. */
export type StartBrowser = (go: Promise<BrowserUse>) => LazyBrowser;

/** Memory left for a browser, in megabytes, in a function with `functionMegabytes`. */
export function browserMemoryMegabytes(
  functionMegabytes: number,
  { recordsVideo }: Pick<BrowserUse, "recordsVideo">,
): number {
  return functionMegabytes - FUNCTION_MEGABYTES - (recordsVideo ? ENCODER_MEGABYTES : 0);
}

function reportLeftover(what: string): void {
  markSandboxTainted("browser left something behind", new Error(what));
}

/**
 * Starts unpacking Chromium and returns the function that launches browsers. Throws when the environment is invalid.
 */
export function createBrowserLauncher(): StartBrowser {
  const { BLOCKING_FILES, CAPTURE_LIMITS, AWS_LAMBDA_FUNCTION_MEMORY_SIZE } = environment(
    "BLOCKING_FILES",
    "CAPTURE_LIMITS",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  );
  const allowed = allowedOrigins();
  const lists = createFilterLists(BLOCKING_FILES);
  unpackedChromium().catch(() => undefined); // logged, and retried at the next launch
  const launch = async (use: BrowserUse, signal: AbortSignal) => {
    const free = browserMemoryMegabytes(AWS_LAMBDA_FUNCTION_MEMORY_SIZE, use);
    const limits = { ...CAPTURE_LIMITS, memory_megabytes: Math.min(CAPTURE_LIMITS.memory_megabytes, free) };
    const { frameMode } = use;
    try {
      return await launchBrowser({
        files: await unpackedChromium(),
        allowed,
        limits,
        frameMode,
        onLeftover: reportLeftover,
        signal,
      });
    } catch (error) {
      // The next process unpacks Chromium again, in a sandbox without any state of this one.
      if (!signal.aborted) markSandboxTainted("browser did not start", error);
      throw error;
    }
  };
  return (go) => {
    const disposal = new AbortController();
    const launched: Promise<BrowserSession>[] = [];
    const track = (starting: Promise<BrowserSession>) => {
      starting.catch(() => undefined); // the user of the session gets the error
      launched.push(starting);
      return starting;
    };
    return {
      first: track(go.then((use) => launch(use, disposal.signal))),
      lists,
      launch: (use) => track(launch(use, disposal.signal)),
      async [Symbol.asyncDispose]() {
        disposal.abort(); // cancels launches that are no longer needed
        await Promise.allSettled(launched.map((starting) => starting.then((session) => session.close())));
      },
    };
  };
}
