// Plans what is prepared before the page is requested: browser, proxy, emulation, headers and cookies.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { isVideoFormat } from "../../../contract/options/formats.ts";
import type { Cookie } from "../../../contract/options/values/set-cookie.ts";
import { frameModeFor } from "../../browser/browser-use.ts";
import { type UpstreamProxy, upstreamProxy } from "../../egress/upstream-proxy.ts";
import { setCookies } from "../../emulation/cookies.ts";
import { startDeterminism } from "../../emulation/determinism.ts";
import { emulate, type PageEnvironment } from "../../emulation/emulation.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import { sendTargetHeaders, type TargetHeaders } from "../../emulation/request-headers.ts";
import { applyStealth } from "../../emulation/stealth.ts";
import { recordTimings } from "../../formats/report/request-timings.ts";
import { prepareEncoderPage } from "../../formats/video/web-codecs-encoder.ts";
import { recordPageErrors } from "../../page/error-recorder.ts";
import { recordPage } from "../../page/page-record.ts";
import { type PrepareStep, prepareStep } from "../step.ts";
import { startFrames } from "../steps/start-frames.ts";
import type { PlanVariant } from "./plan-variant.ts";
import { pageUrl, targetHeaders } from "./target-headers.ts";

type Steps = Generator<PrepareStep>;

/** Frames per second of the scheduler: 30 until a video is recorded, since more would only cost time; otherwise 60. */
const VIDEO_FRAMES_PER_SECOND = 30;
const FRAMES_PER_SECOND = 60;

/** The encoder launches first: its browser starts while the page loads. */
export function* planBrowser(options: EngineOptions): Steps {
  const { format, proxy, proxy_bypass_hosts, metadata_requests: requests, metadata_report: report } = options;
  const console = options.metadata_console || report;
  if (format === "mp4" || format === "webm") yield startEncoder();
  if (proxy !== undefined) yield useProxy({ upstream: upstreamProxy(proxy, proxy_bypass_hosts) });
  if (console || requests) yield recordEvents({ wanted: { console, requests } });
  if (report) yield recordTimingsStep();
  if (options.javascript) yield recordPageErrorsStep();
}

export function* planVisitor(options: EngineOptions): Steps {
  const environment = resolveEnvironment(options);
  yield emulateEnvironment({ environment });
  if (options.stealth) yield applyStealthProfile({ environment });
}

/** What goes along with the requests of the page, and the frames that paint it. */
export function* planRequests(
  options: EngineOptions,
  { isRealTime, settlesInRealTime }: Required<Pick<PlanVariant, "isRealTime" | "settlesInRealTime">>,
): Steps {
  const { bypass_csp, cookies, format } = options;
  if (bypass_csp) yield bypassCsp();
  const headers = targetHeaders(options);
  if (headers) yield setHeaders({ headers });
  if (cookies) yield setCookiesStep({ cookies, url: pageUrl(options) ?? `https://${cookies[0]?.domain}/` });
  if (isRealTime || frameModeFor(options) !== "begin-frame-control") return;
  const framesPerSecond = isVideoFormat(format) ? VIDEO_FRAMES_PER_SECOND : FRAMES_PER_SECOND;
  yield startFrames({ framesPerSecond, settlesInVirtualTime: !settlesInRealTime && settlesInVirtualTime(options) });
  if (options.deterministic) yield startPageClock({ startsAt: Date.parse(options.page_clock) });
}

/** A video has a clock of its own, and a page without scripts has nothing to wait for. */
function settlesInVirtualTime({ format, javascript }: EngineOptions): boolean {
  return !isVideoFormat(format) && javascript;
}

/** Launches the second browser that encodes an MP4 or WebM video. */
const startEncoder = prepareStep({
  name: "start-encoder",
  run: async ({ launch }) => {
    // It launches while the page loads; a failure is reported when the encoder is used.
    const encoder = launch({ frameMode: "continuous", recordsVideo: false });
    encoder.then(prepareEncoderPage).catch(() => undefined);
    return { encoder };
  },
});

/** Routes the requests of the page through the caller's own proxy. */
const useProxy = prepareStep<{ readonly upstream: UpstreamProxy }>({
  name: "use-proxy",
  run: async ({ session }, { upstream }) => {
    session.proxy.routeThrough(upstream);
  },
});

/** Records when each request started and ended, for the report. */
const recordTimingsStep = prepareStep({
  name: "record-timings",
  run: async ({ session }) => ({ timings: recordTimings(session.cdp) }),
});

/** Records errors of the page's scripts. */
const recordPageErrorsStep = prepareStep({
  name: "record-page-errors",
  run: async ({ session }) => ({ errorRecorder: await recordPageErrors(session.cdp) }),
});

/** Records the console messages and the requests of the page, for its metadata. */
const recordEvents = prepareStep<{ readonly wanted: { readonly console: boolean; readonly requests: boolean } }>({
  name: "record-events",
  run: async ({ session }, { wanted }) => ({ record: await recordPage(session, wanted) }),
});

/** Emulates the visitor's environment: window, device, language, time zone, media features and geolocation. */
const emulateEnvironment = prepareStep<{ readonly environment: PageEnvironment }>({
  name: "emulate",
  run: ({ session }, { environment }) => emulate(session, environment),
});

/** Makes the browser look like desktop Chrome with a person in front of it. */
const applyStealthProfile = prepareStep<{ readonly environment: PageEnvironment }>({
  name: "apply-stealth",
  run: (page, { environment }) => applyStealth(page, environment),
});

/** Disables the page's Content Security Policy. */
const bypassCsp = prepareStep({
  name: "bypass-csp",
  run: async ({ session }) => {
    await session.cdp.send("Page.setBypassCSP", { enabled: true });
  },
});

/** Adds the caller's request headers to requests to the origin of the page. */
const setHeaders = prepareStep<{ readonly headers: TargetHeaders }>({
  name: "set-headers",
  run: async ({ session }, { headers }) => {
    await sendTargetHeaders(session.cdp, headers);
  },
});

interface SetCookies {
  readonly cookies: readonly Cookie[];
  /** The page for which a cookie without a domain is set. */
  readonly url: string;
}

/** Sets the caller's cookies. */
const setCookiesStep = prepareStep<SetCookies>({
  name: "set-cookies",
  run: async ({ session }, { cookies, url }) => {
    await setCookies(session.cdp, cookies, url);
  },
});

interface StartPageClock {
  /** What the clock shows when the page is requested, in milliseconds since 1970. */
  readonly startsAt: number;
}

/** Starts the page's clock of a deterministic capture, before the page is requested. */
const startPageClock = prepareStep<StartPageClock>({
  name: "start-page-clock",
  run: (page, { startsAt }) => startDeterminism(page, startsAt),
});
