// Captures a page with the product's engine, in this process: the whole pipeline, with its egress proxy and its limits.
import { join } from "node:path";
import { buildBlockingLayer } from "../../../../layers/blocking/build.ts";
import { chromiumFiles } from "../../../../test/fixtures/chromium-files.ts";
import { defaultLimits } from "../../../contract/options/capture-limits.ts";
import { parseCaptureOptions } from "../../../contract/options/capture-options.ts";
import { createFilterLists, type FilterLists } from "../../../engine/adblock/filter-lists.ts";
import { type BrowserSession, launchBrowser } from "../../../engine/browser/browser.ts";
import { type BrowserUse, browserUseFor } from "../../../engine/browser/browser-use.ts";
import { parseAllowedOrigins } from "../../../engine/egress/egress-policy.ts";
import type { Resolve } from "../../../engine/egress/name-resolver.ts";
import { capture } from "../../../engine/pipeline/capture.ts";
import { PhaseClock } from "../../../engine/pipeline/phase-clock.ts";

/** Options as a caller sends them. */
export type PageOptions = Readonly<Record<string, unknown>>;

export interface EngineImage {
  /** A PNG, unless the options say otherwise. */
  readonly body: Buffer;
  readonly warnings: readonly string[];
}

/** Captures a page with options as a caller sends them. Rejects with an ApiError. */
export type CapturePage = (options: PageOptions) => Promise<EngineImage>;

export interface EngineCaptureSettings {
  /** `address:port` of servers on this machine that may be reached. */
  readonly allow: readonly string[];
  /** True where a name other than this machine's has no address. */
  readonly isOffline: boolean;
}

const resolveNothing: Resolve = (host) => Promise.reject(new Error(`${host} has no address here`));

/** Captures, each in browsers of its own, which are gone when the capture settles. */
export function engineCapture({ allow, isOffline }: EngineCaptureSettings): CapturePage {
  const allowed = parseAllowedOrigins(allow.join(","));
  return async (raw) => {
    const options = parseCaptureOptions(raw);
    const files = await chromiumFiles();
    const sessions: BrowserSession[] = [];
    const launch = async ({ frameMode }: BrowserUse) => {
      const settings = { files, allowed, limits: { ...defaultLimits, memory_megabytes: MEMORY_MEGABYTES }, frameMode };
      const session = await launchBrowser({ ...settings, ...(isOffline && { resolve: resolveNothing }) });
      sessions.push(session);
      return session;
    };
    const [startedAt, clock] = [performance.now(), new PhaseClock()];
    try {
      const browser = { first: launch(browserUseFor(options)), launch, lists };
      return await capture(options, { browser, startedAt, clock });
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  };
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
