// Plans what is prepared before the page is requested: browser, proxy, emulation, headers and cookies.

import { basicAuthorization } from "../../../egress/basic-authorization.ts";
import { upstreamProxy } from "../../../egress/upstream-proxy.ts";
import type { CaptureOptions } from "../../../options/capture-options.ts";
import { isVideoFormat } from "../../../options/formats.ts";
import type { Header } from "../../../options/groups/environment.ts";
import { frameModeFor } from "../../browser/browser-use.ts";
import { resolveEnvironment } from "../../emulation/environment.ts";
import type { TargetHeaders } from "../../emulation/request-headers.ts";
import type { PrepareStep } from "../step.ts";
import { applyStealthProfile } from "../steps/apply-stealth.ts";
import { bypassCsp } from "../steps/bypass-csp.ts";
import { emulateEnvironment } from "../steps/emulate.ts";
import { recordEvents } from "../steps/record-events.ts";
import { setCookiesStep } from "../steps/set-cookies.ts";
import { setHeaders } from "../steps/set-headers.ts";
import { startEncoder } from "../steps/start-encoder.ts";
import { startFrames } from "../steps/start-frames.ts";
import { startPageClock } from "../steps/start-page-clock.ts";
import { useProxy } from "../steps/use-proxy.ts";
import type { PlanVariant } from "./plan-variant.ts";

type Steps = Generator<PrepareStep>;

/** Frames per second of the scheduler: 30 until a video is recorded, since more would only cost time; otherwise 60. */
const VIDEO_FRAMES_PER_SECOND = 30;
const FRAMES_PER_SECOND = 60;

/** The encoder launches first: its browser starts while the page loads. */
export function* planBrowser(options: CaptureOptions): Steps {
  const { format, proxy, proxy_bypass_hosts, metadata_console: console, metadata_requests: requests } = options;
  if (format === "mp4" || format === "webm") yield startEncoder();
  if (proxy !== undefined) yield useProxy({ upstream: upstreamProxy(proxy, proxy_bypass_hosts) });
  if (console || requests) yield recordEvents({ wanted: { console, requests } });
}

export function* planVisitor(options: CaptureOptions): Steps {
  const environment = resolveEnvironment(options);
  yield emulateEnvironment({ environment });
  if (options.stealth) yield applyStealthProfile({ environment });
}

/** What goes along with the requests of the page, and the frames that paint it. */
export function* planRequests(
  options: CaptureOptions,
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
function settlesInVirtualTime({ format, javascript }: CaptureOptions): boolean {
  return !isVideoFormat(format) && javascript;
}

function pageUrl({ url, base_url }: CaptureOptions): string | undefined {
  return url ?? base_url;
}

function targetHeaders(options: CaptureOptions): TargetHeaders | undefined {
  const { http_auth_username: username, http_auth_password: password = "" } = options;
  const headers = combineHeaders(options.headers ?? []);
  const authorization = username === undefined ? options.authorization : basicAuthorization(username, password);
  const url = pageUrl(options);
  if (url === undefined || (headers.length === 0 && authorization === undefined)) return undefined;
  return { origin: new URL(url).origin, headers, ...(authorization !== undefined && { authorization }) };
}

/**
 * The headers without User-Agent, which is emulated for all requests. Chromium sends only the last header of a name, so the
 * values of a repeated one are joined to a list (RFC 9110, section 5.3).
 */
function combineHeaders(headers: readonly Header[]): Header[] {
  const byName = Map.groupBy(headers, ({ name }) => name.toLowerCase());
  byName.delete("user-agent");
  return [...byName.values()].map((lines) => ({
    name: lines[0]?.name ?? "",
    value: lines.map(({ value }) => value).join(", "),
  }));
}
