// Unpacks Chromium at startup and launches a fresh browser for each capture, ahead of it where possible.

import { existsSync } from "node:fs";
import type { CaptureLimits } from "../contract/options/capture-limits.ts";
import { createFilterLists, type FilterLists } from "./adblock/filter-lists.ts";
import { type BrowserExit, type BrowserSession, launchBrowser } from "./browser/browser.ts";
import type { BrowserUse, LaunchBrowser } from "./browser/browser-use.ts";
import { BROWSER_LOCALE } from "./browser/chromium-flags.ts";
import { closeProcess } from "./browser/protection.ts";
import { ReadyBrowser } from "./browser/ready-browser.ts";
import { isSandboxTainted, markSandboxTainted } from "./browser/tainted-sandbox.ts";
import { type PackedFiles, unpackedChromium } from "./browser/unpacked-chromium.ts";
import { watchdog } from "./browser/watchdog.ts";
import type { AllowedOrigins } from "./egress/egress-policy.ts";

/**
 * A browser whose launch may start ahead of its use. Disposing kills it and all browsers that `launch` returned, used or
 * not, and launches the ready browser of the next capture, which would slow the response of this one down; it resolves when
 * that is done and nothing is left of the others, which takes up to a second, and never rejects.
 */
export interface LazyBrowser extends AsyncDisposable {
  readonly first: Promise<BrowserSession>;
  /** Launches another browser. */
  readonly launch: LaunchBrowser;
  readonly lists: FilterLists;
  /** Requests of its pages that the egress proxy has refused so far, in all browsers. */
  egressRefusals(): number;
  /** Starts to kill all of its browsers, as disposing does, which waits for their end. */
  kill(): void;
}

/**
 * Memory of the function itself, measured after a thousand captures of all kinds, and of the second browser that
 * encodes a recording.
 */
const FUNCTION_MEGABYTES = 560;
const ENCODER_MEGABYTES = 400;

/** What most captures launch their browser for, and so the ready browser. */
const READY_USE: BrowserUse = { frameMode: "begin-frame-control", recordsVideo: false };

/** Longest launch of a browser for which a capture waits, the unpacking of Chromium included. */
const MAX_LAUNCH_MS = 20_000;

/** No browser is launched ahead after a longer capture: Lambda ends the function after 120 s. */
const MAX_CAPTURE_MS = 100_000;

/** What the engine has of the function that runs it: no table, bucket, queue or role. */
export interface EngineSettings {
  readonly packedFiles: PackedFiles;
  /** Folder of the filter lists. */
  readonly blockingFiles: string;
  readonly limits: CaptureLimits;
  readonly functionMegabytes: number;
  /** False where no browser is kept ready for the next capture. */
  readonly launchesAhead: boolean;
  /** Path of a file that exists while a browser may be kept ready; undefined where it always may. */
  readonly readyPermit: string | undefined;
  /** "open" where tools on the same machine read the memory and the descriptors of this process. */
  readonly processAccess: "open" | "closed";
  /** Where pages may go although it is not the public internet. */
  readonly allowed: AllowedOrigins;
}

export interface StartBrowser {
  /** Returns a browser that is the ready one or launches once `go` resolves to its purpose, and not at all when `go` rejects. */
  (go: Promise<BrowserUse>): LazyBrowser;
  /**
   * Launches the browser of a capture that may still be refused, unless one is ready: it stays for the next capture then.
   * Resolves when it is ready or there is none. Never rejects.
   */
  readonly prepare?: (use: BrowserUse) => Promise<void>;
}

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
 * Starts unpacking Chromium, closes this process to it, and returns the function that launches browsers.
 */
export function createBrowserLauncher(settings: EngineSettings): StartBrowser {
  const { packedFiles, allowed, launchesAhead, readyPermit } = settings;
  closeProcess(packedFiles.chromium, settings.processAccess);
  const mayKeepReady = () => launchesAhead && (readyPermit === undefined || existsSync(readyPermit));
  const lists = createFilterLists(settings.blockingFiles);
  unpackedChromium(packedFiles).catch(() => undefined); // logged, and retried at the next launch
  const memoryMegabytes = (use: BrowserUse) =>
    Math.min(settings.limits.memory_megabytes, browserMemoryMegabytes(settings.functionMegabytes, use));
  const launch = async (use: BrowserUse, signal: AbortSignal, { isIdle = false } = {}) => {
    const limits = { ...settings.limits, memory_megabytes: memoryMegabytes(use) };
    const { frameMode, locale } = use;
    try {
      return await launchBrowser({
        files: await unpackedChromium(packedFiles),
        allowed,
        limits,
        frameMode,
        ...(locale && { locale }),
        isIdle,
        onLeftover: reportLeftover,
        signal,
      });
    } catch (error) {
      // The next process unpacks Chromium again, in a sandbox without any state of this one.
      if (!signal.aborted) markSandboxTainted("browser did not start", error);
      throw error;
    }
  };
  const ready = new ReadyBrowser((signal) => launch(READY_USE, signal, { isIdle: true }));
  const isReadyFor = (use: BrowserUse) =>
    use.frameMode === READY_USE.frameMode &&
    (use.locale ?? BROWSER_LOCALE) === BROWSER_LOCALE &&
    memoryMegabytes(use) === memoryMegabytes(READY_USE);
  const prepare = async (use: BrowserUse) => {
    if (isReadyFor(use) && mayKeepReady()) await ready.prepare({ timeoutMs: MAX_LAUNCH_MS, isAhead: false });
  };
  const start = (go: Promise<BrowserUse>): LazyBrowser => {
    const startedAt = performance.now();
    const disposal = new AbortController();
    const launched: Promise<BrowserSession>[] = [];
    const sessions: BrowserSession[] = [];
    const track = (starting: Promise<BrowserSession>) => {
      starting.then(
        (session) => sessions.push(session),
        () => undefined, // the user of the session gets the error
      );
      launched.push(starting);
      return starting;
    };
    let killing: Promise<KilledBrowser[]> | undefined;
    const kill = () => {
      disposal.abort(); // cancels launches that are no longer needed
      killing ??= Promise.all(launched.map(killLaunched));
      return killing;
    };
    return {
      first: track(
        go.then(async (use) => {
          if (!isReadyFor(use)) void ready.discard(); // there is memory for one of them
          return (await ready.take()) ?? launch(use, disposal.signal);
        }),
      ),
      lists,
      launch: (use) => track(launch(use, disposal.signal)),
      egressRefusals: () => sessions.reduce((sum, { proxy }) => sum + proxy.traffic().refusals, 0),
      kill: () => void kill(),
      async [Symbol.asyncDispose]() {
        const killed = await kill();
        const gone = Promise.all(killed.map((each) => each.gone));
        watchdog.start();
        const hasTime = performance.now() - startedAt < MAX_CAPTURE_MS;
        const isHealthy = killed.every(({ exit }) => exit === undefined) && !isSandboxTainted();
        // A killed browser frees its memory sooner than the next one fills it, so both are never larger than the first.
        if (hasTime && isHealthy && mayKeepReady()) await ready.prepare();
        await gone;
        if (isSandboxTainted()) await ready.discard();
      },
    };
  };
  return Object.assign(start, { prepare });
}

interface KilledBrowser {
  /** Why it had ended before it was killed, or that it did not start; undefined when it was running. */
  readonly exit: BrowserExit | undefined;
  /** Resolves when it is cleaned up. */
  readonly gone: Promise<void>;
}

async function killLaunched(launched: Promise<BrowserSession>): Promise<KilledBrowser> {
  const session = await launched.catch(() => undefined);
  if (!session) return { exit: "crashed", gone: Promise.resolve() };
  const exit = await Promise.race([session.exitReason, undefined]);
  return { exit, gone: session.close() };
}
