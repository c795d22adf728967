// Captures with the real Chromium, unpacked once for all test files, and asserts that nothing is left behind: once for each
// test file, and for each capture where leftovers are the subject.
import { join } from "node:path";
import { buildBlockingLayer } from "../../layers/blocking/build.ts";
import { ApiError } from "../../lib/contract/errors/api-error.ts";
import { type CaptureLimits, defaultLimits } from "../../lib/contract/options/capture-limits.ts";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { parseOutputs } from "../../lib/contract/options/outputs.ts";
import { createFilterLists, type FilterLists } from "../../lib/engine/adblock/filter-lists.ts";
import { type BrowserSession, launchBrowser } from "../../lib/engine/browser/browser.ts";
import { type BrowserUse, browserUseFor, type LaunchBrowser } from "../../lib/engine/browser/browser-use.ts";
import { BROWSER_LOCALE, type FrameMode } from "../../lib/engine/browser/chromium-flags.ts";
import type { WatchdogLimits } from "../../lib/engine/browser/command-watchdog.ts";
import type { LazyBrowser } from "../../lib/engine/browser-launcher.ts";
import { NO_ORIGINS, parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import type { Resolve } from "../../lib/engine/egress/name-resolver.ts";
import { buildInjectedScripts } from "../../lib/engine/page/build-injected-scripts.ts";
import { runBrowserAttempt } from "../../lib/engine/pipeline/browser-attempt.ts";
import { browserUse, type Captured, capture, captureOne } from "../../lib/engine/pipeline/capture.ts";
import type { CaptureOutcome } from "../../lib/engine/pipeline/capture-load.ts";
import type { Capture } from "../../lib/engine/pipeline/capture-output.ts";
import { PhaseClock } from "../../lib/engine/pipeline/phase-clock.ts";
import { planCapture } from "../../lib/engine/pipeline/plan/plan.ts";
import { createBudget } from "../../lib/engine/timing/budget.ts";
import { chromiumFiles as unpackedFiles } from "../fixtures/chromium-files.ts";
import { assertGoneAfterFile, assertNothingLeft, browserProcess, processIds, profileFolder } from "./leftovers.ts";
import { afterEachTestFile, hasWaitingTests, isInTestFile } from "./test-file.ts";

export interface CaptureTestSettings {
  /** `address:port` of servers on this machine that may be reached. */
  readonly allow?: readonly string[];
  readonly resolve?: Resolve;
  /** Addresses of DNS servers, in place of the machine's. */
  readonly nameServers?: readonly string[];
  /** Laid over those of all tests. */
  readonly limits?: Partial<CaptureLimits>;
  /** In place of the layer's. */
  readonly lists?: FilterLists;
  /** Called with each browser once it is up; `attempt` counts from 1. */
  readonly launched?: (session: BrowserSession, attempt: number) => void | Promise<void>;
  /** True where the caller's time is to be the page's alone: it counts from when the browser is up, however slow the machine is. */
  readonly isTimedFromLaunch?: boolean;
  /** True for a capture whose page keeps real time, as one whose clock cannot be taken over. There is one attempt. */
  readonly settlesInRealTime?: boolean;
  /** See `CaptureContext`. */
  readonly watchdog?: WatchdogLimits;
  /** Called when there is a capture or an error, which is before its browsers are gone. */
  readonly answered?: () => void;
  /**
   * True where leftovers are the subject: no browser is launched ahead, and the capture rejects when a process or a profile of
   * its browsers is left, regardless of its outcome. @default false: the end of the test file asserts it for all captures
   */
  readonly assertsCleanup?: boolean;
}

/** Captures with options as a caller sends them. Rejects with an ApiError. */
export function captureWith(
  options: Readonly<Record<string, unknown>>,
  settings: CaptureTestSettings = {},
): Promise<Capture> {
  const { lists = filterLists(), isTimedFromLaunch, settlesInRealTime, watchdog } = settings;
  const parsed = parseCaptureOptions(options);
  return withBrowsers(settings, async (launch) => {
    const first = launch(browserUseFor(parsed));
    if (isTimedFromLaunch) await first;
    const [startedAt, clock] = [performance.now(), new PhaseClock()];
    if (!settlesInRealTime) {
      const context = { browser: { first, launch, lists }, startedAt, clock };
      return await captureOne(parsed, { ...context, ...(watchdog && { watchdog }) });
    }
    const variant = { settlesInRealTime };
    const plan = planCapture(parsed, variant);
    const budget = createBudget(startedAt, parsed.timeout);
    const browser = { browser: first, launch, lists };
    const [only] = await runBrowserAttempt({ options: parsed, plan, variant, ...browser, budget, clock, startedAt });
    return only;
  });
}

/** The outcomes of outputs with their names. */
export interface NamedOutcomes extends Pick<Captured, "loads"> {
  readonly outputs: readonly (CaptureOutcome & { readonly name: string })[];
}

/** Captures several outputs, with `outputs` and the shared options as a caller sends them. Otherwise like `captureWith`. */
export function captureOutputsWith(
  options: Readonly<Record<string, unknown>>,
  settings: CaptureTestSettings = {},
): Promise<NamedOutcomes> {
  const requested = parseOutputs(options);
  return withBrowsers(settings, async (launch) => {
    const browser = { first: launch(browserUse(requested)), launch, lists: settings.lists ?? filterLists() };
    const context = { browser, startedAt: performance.now(), clock: new PhaseClock() };
    const { loads, outputs } = await capture(requested, context);
    return { loads, outputs: outputs.map((outcome, index) => ({ ...outcome, name: requested[index]?.name ?? "" })) };
  });
}

/** Captures that run now: a browser that is launched ahead would take their time. */
let running = 0;

/** Runs `work` with browsers that it launches, each of them for this capture alone. */
async function withBrowsers<T>(settings: CaptureTestSettings, work: (launch: LaunchBrowser) => Promise<T>): Promise<T> {
  const { launched, answered, assertsCleanup = !isInTestFile() } = settings;
  await chromiumFiles();
  buildInjectedScripts(); // not in the time of the capture
  const profiles: string[] = [];
  const processesBefore = assertsCleanup ? new Set(processIds()) : undefined;
  const uses: BrowserUse[] = [];
  const launch = async (requested: BrowserUse) => {
    uses.push(requested);
    const mayTakeReady = !assertsCleanup && isOrdinary(requested, settings);
    const session =
      (mayTakeReady ? await takeReady(requested.frameMode, settings.allow) : undefined) ??
      (await launchFor(requested, settings));
    profiles.push(profileFolder(session));
    if (!assertsCleanup) assertGoneAfterFile(session);
    await launched?.(session, profiles.length);
    return session;
  };
  running++;
  try {
    return await work(launch);
  } finally {
    running--;
    answered?.();
    if (processesBefore) await assertNothingLeft(profiles, processesBefore);
    const [use] = uses;
    const isNextExpected = running === 0 && hasWaitingTests();
    if (isNextExpected && !assertsCleanup && use && isOrdinary(use, settings)) launchReady(use.frameMode);
  }
}

async function launchFor(
  { frameMode, locale }: BrowserUse,
  { allow = [], resolve, nameServers, limits }: CaptureTestSettings,
): Promise<BrowserSession> {
  return launchBrowser({
    files: await chromiumFiles(),
    allowed: parseAllowedOrigins(allow.join(",")),
    limits: { ...testLimits, ...limits },
    frameMode,
    ...(locale && { locale }),
    ...(resolve && { resolve }),
    ...(nameServers && { nameServers }),
  });
}

interface ReadyTestBrowser {
  readonly session: Promise<BrowserSession>;
  /** What its egress proxy allows, which the capture that takes it decides. */
  readonly allowed: Set<string>;
}

/** Browsers launched ahead, one for each frame mode: a capture takes it, as the product's captures take theirs. */
const readyBrowsers = new Map<FrameMode, ReadyTestBrowser>();

/** True for a capture whose browser differs from others in its frame mode and its allowed origins alone. */
function isOrdinary(use: BrowserUse, { resolve, nameServers, limits }: CaptureTestSettings): boolean {
  return (use.locale ?? BROWSER_LOCALE) === BROWSER_LOCALE && !resolve && !nameServers && !limits;
}

function launchReady(frameMode: FrameMode): void {
  if (readyBrowsers.has(frameMode)) return;
  const allowed = new Set<string>();
  const launch = async () => {
    const files = await chromiumFiles();
    const session = await launchBrowser({ files, allowed, limits: testLimits, frameMode, isIdle: true });
    assertGoneAfterFile(session);
    return session;
  };
  const launching = launch();
  launching.catch(() => undefined); // the capture that takes it launches another one
  readyBrowsers.set(frameMode, { session: launching, allowed });
}

/** The browser launched ahead, for one capture; undefined when there is none, or it did not start. */
async function takeReady(frameMode: FrameMode, allow: readonly string[] = []): Promise<BrowserSession | undefined> {
  const ready = readyBrowsers.get(frameMode);
  if (!ready) return undefined;
  readyBrowsers.delete(frameMode);
  for (const origin of parseAllowedOrigins(allow.join(","))) ready.allowed.add(origin);
  const session = await ready.session.catch(() => undefined);
  session?.monitor();
  return session;
}

afterEachTestFile(async () => {
  for (const { session } of readyBrowsers.values()) await session.then((each) => each.close()).catch(() => undefined);
  readyBrowsers.clear();
});

/** A real browser whose first launch is for what `use` resolves to. `allowed` are private origins that its pages may reach. */
export function realBrowser(use: Promise<BrowserUse>, allowed = NO_ORIGINS): LazyBrowser {
  const launch = async ({ frameMode }: BrowserUse) =>
    launchBrowser({ files: await chromiumFiles(), allowed, limits: testLimits, frameMode });
  const first = use.then(launch);
  return {
    first,
    launch,
    lists: noLists,
    egressRefusals: () => 0,
    kill: () => undefined,
    [Symbol.asyncDispose]: async () => (await first).close(),
  };
}

/** The limits of captures in tests: the default ones, in less memory than the machine has. */
export const testLimits: CaptureLimits = { ...defaultLimits, memory_megabytes: 1_500 };

/** The error a capture fails with; throws when it does not fail. */
export async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const outcome = await work.then(
    () => new Error("It did not fail."),
    (error) => error,
  );
  if (outcome instanceof ApiError) return outcome;
  throw outcome;
}

/** Kills a browser as the kernel would: without a word. */
export function killBrowser(session: BrowserSession): void {
  process.kill(browserProcess(session).pid ?? 0, "SIGKILL");
}

/** For captures that block nothing. */
export const noLists: FilterLists = {
  engine: () => Promise.reject(new Error("There are no lists here.")),
  consent: () => Promise.reject(new Error("There are no rules here.")),
};

let built: FilterLists | undefined;

/** The filter lists of the layer, built if they are not there yet. */
export function filterLists(): FilterLists {
  built ??= createFilterLists(join(buildBlockingLayer(), "blocking"));
  return built;
}

/** The browser's files, which stay in the project's `.local` for the next run. */
export const chromiumFiles = unpackedFiles;
