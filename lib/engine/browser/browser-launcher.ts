// Chromium, made ready while the function starts and launched anew for each capture.

import { allowedOrigins } from "../../platform/allowed-origins.ts";
import { environment } from "../../platform/environment.ts";
import { createFilterLists, type FilterLists } from "../adblock/filter-lists.ts";
import { type BrowserSession, launchBrowser } from "./browser.ts";
import type { BrowserUse, LaunchBrowser } from "./browser-use.ts";
import { markSandboxTainted } from "./tainted-sandbox.ts";
import { unpackedChromium } from "./unpacked-chromium.ts";

/**
 * A browser that was begun ahead of its use. Disposing of it closes it, used or not, and all that were launched beside
 * it, and resolves when nothing is left of them, which takes Chromium up to half a second; it never rejects.
 */
export interface LazyBrowser extends AsyncDisposable {
  readonly first: Promise<BrowserSession>;
  /** Launches another. */
  readonly launch: LaunchBrowser;
  readonly lists: FilterLists;
}

/**
 * Memory the function itself needs beside the browser, where it levels off after a thousand captures of all kinds; and a
 * second browser beside one that is filmed.
 */
const FUNCTION_MEGABYTES = 560;
const ENCODER_MEGABYTES = 400;

/** Begins a browser, which starts once `go` resolves to what it is for, and not at all when that rejects. */
export type StartBrowser = (go: Promise<BrowserUse>) => LazyBrowser;

/** Megabytes of memory that are left for a browser in a function of so many. */
export function browserMemoryMegabytes(functionMegabytes: number, { isFilmed }: Pick<BrowserUse, "isFilmed">): number {
  return functionMegabytes - FUNCTION_MEGABYTES - (isFilmed ? ENCODER_MEGABYTES : 0);
}

function leftBehind(what: string): void {
  markSandboxTainted("browser left something behind", new Error(what));
}

/** Begins to unpack Chromium at once and returns the way to begin a browser. Throws when the environment is not usable. */
export function createBrowserLauncher(): StartBrowser {
  const { BLOCKING_FILES, CAPTURE_LIMITS, AWS_LAMBDA_FUNCTION_MEMORY_SIZE } = environment(
    "BLOCKING_FILES",
    "CAPTURE_LIMITS",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  );
  const allowed = allowedOrigins();
  const lists = createFilterLists(BLOCKING_FILES);
  unpackedChromium().catch(() => undefined); // it is logged, and tried again when a browser is launched
  const launch = async (use: BrowserUse, signal: AbortSignal) => {
    const free = browserMemoryMegabytes(AWS_LAMBDA_FUNCTION_MEMORY_SIZE, use);
    const limits = { ...CAPTURE_LIMITS, memory_megabytes: Math.min(CAPTURE_LIMITS.memory_megabytes, free) };
    const { painting } = use;
    try {
      return await launchBrowser({ files: await unpackedChromium(), allowed, limits, painting, leftBehind, signal });
    } catch (error) {
      // The next process unpacks Chromium anew, in a sandbox with nothing of this one.
      if (!signal.aborted) markSandboxTainted("browser did not start", error);
      throw error;
    }
  };
  return (go) => {
    const disposal = new AbortController();
    const launched: Promise<BrowserSession>[] = [];
    const begin = (starting: Promise<BrowserSession>) => {
      starting.catch(() => undefined); // whoever uses it is told
      launched.push(starting);
      return starting;
    };
    return {
      first: begin(go.then((use) => launch(use, disposal.signal))),
      lists,
      launch: (use) => begin(launch(use, disposal.signal)),
      async [Symbol.asyncDispose]() {
        disposal.abort(); // nobody need wait for a browser to start that nobody will use
        await Promise.allSettled(launched.map((starting) => starting.then((session) => session.close())));
      },
    };
  };
}
