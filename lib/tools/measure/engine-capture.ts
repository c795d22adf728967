// Captures a page with the product's engine, in this process: the whole pipeline, with its egress proxy and its limits.
import { join } from "node:path";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import { chromiumFiles } from "../../../test/fixtures/chromium-files.ts";
import { defaultLimits } from "../../contract/options/capture-limits.ts";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { parseOutputs } from "../../contract/options/outputs.ts";
import { createFilterLists, type FilterLists } from "../../engine/adblock/filter-lists.ts";
import { type BrowserSession, type BrowserSettings, launchBrowser } from "../../engine/browser/browser.ts";
import { type BrowserUse, browserUseFor } from "../../engine/browser/browser-use.ts";
import { parseAllowedOrigins } from "../../engine/egress/egress-policy.ts";
import type { Resolve } from "../../engine/egress/name-resolver.ts";
import { browserUse, type Captured, capture, captureOne } from "../../engine/pipeline/capture.ts";
import type { CaptureContext } from "../../engine/pipeline/capture-context.ts";
import type { Capture } from "../../engine/pipeline/capture-output.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";

/** Options as a caller sends them. */
export type PageOptions = Readonly<Record<string, unknown>>;

export type EngineImage = Pick<Capture, "body" | "warnings">;

/** Captures a page with options as a caller sends them. Rejects with an ApiError. */
export type CapturePage<Result = EngineImage> = (options: PageOptions) => Promise<Result>;

export interface EngineCaptureSettings {
  /** `address:port` of servers on this machine that may be reached. */
  readonly allow: readonly string[];
  /** True where a name other than this machine's has no address. */
  readonly isOffline: boolean;
  /** @default - of its own for each capture */
  readonly clock?: PhaseClock;
  /** Changes the settings of each browser. */
  readonly adaptSettings?: (settings: BrowserSettings) => BrowserSettings;
  /** Is given each browser when it is launched, and returns what the capture gets. */
  readonly onLaunch?: (session: BrowserSession) => Promise<BrowserSession>;
}

const resolveNothing: Resolve = (host) => Promise.reject(new Error(`${host} has no address here`));

/** Captures, each in browsers of its own, which are gone when the capture settles. */
export function engineCapture(engine: EngineCaptureSettings): CapturePage<Capture> {
  return (raw) => {
    const options = parseCaptureOptions(raw);
    return withBrowsers(engine, browserUseFor(options), (context) => captureOne(options, context));
  };
}

/** Like `engineCapture`, for a request with `outputs`. */
export function engineOutputs(engine: EngineCaptureSettings): CapturePage<Captured> {
  return (raw) => {
    const outputs = parseOutputs(raw);
    return withBrowsers(engine, browserUse(outputs), (context) => capture(outputs, context));
  };
}

async function withBrowsers<T>(
  {
    allow,
    isOffline,
    adaptSettings = (settings) => settings,
    onLaunch,
    clock = new PhaseClock(),
  }: EngineCaptureSettings,
  use: BrowserUse,
  work: (context: CaptureContext) => Promise<T>,
): Promise<T> {
  const allowed = parseAllowedOrigins(allow.join(","));
  const files = await chromiumFiles();
  const sessions: BrowserSession[] = [];
  const launch = async ({ frameMode }: BrowserUse) => {
    const limits = { ...defaultLimits, memory_megabytes: MEMORY_MEGABYTES };
    const settings = { files, allowed, limits, frameMode, ...(isOffline && { resolve: resolveNothing }) };
    const launched = await launchBrowser(adaptSettings(settings));
    const session = (await onLaunch?.(launched)) ?? launched;
    sessions.push(session);
    return session;
  };
  const startedAt = performance.now();
  try {
    return await work({ browser: { first: launch(use), launch, lists }, startedAt, clock });
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

/** As much as a function of the service leaves to its browser. */
const MEMORY_MEGABYTES = 1_488;

let built: FilterLists | undefined;
const filterLists = () => {
  built ??= createFilterLists(join(buildBlockingLayer(), "blocking"));
  return built;
};

/** Those of the layer, which is built only for a capture that blocks something. */
const lists: FilterLists = {
  engine: (purpose) => filterLists().engine(purpose),
  consent: () => filterLists().consent(),
};
