// A request for a capture, from its key to its answer.
import type { Caller } from "../../accounts/account.ts";
import { cachePlan } from "../../captures/cache-plan.ts";
import { captureThroughCache, findCapture } from "../../captures/cached-capture.ts";
import { authorizeCapture, releaseReservation, requireQuota } from "../../captures/capture-admission.ts";
import { accepted, type EnqueueResources, enqueueCapture } from "../../captures/enqueue-capture.ts";
import { runOnce } from "../../captures/idempotency.ts";
import type { CaptureRequest, CaptureResources, FoundCapture } from "../../captures/render-capture.ts";
import { revalidate } from "../../captures/revalidate.ts";
import type { AllowedOrigins } from "../../egress/egress-policy.ts";
import type { LazyBrowser, StartBrowser } from "../../engine/browser/browser-launcher.ts";
import { browserUseFor } from "../../engine/browser/browser-use.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import type { Environment } from "../../platform/environment.ts";
import { DEFAULT_LIFETIME_S } from "../../results/expiry.ts";
import { linkSecret } from "../../results/link-secret.ts";
import { requireWebhookAddress } from "../../webhooks/webhook-address.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { notModifiedIfMatches } from "../http/conditional-response.ts";
import type { ApiResponse } from "../http/response.ts";
import type { RouteBody } from "../route-responses.ts";
import { createCaptureResponse, hasBytes } from "./capture-response.ts";
import { readCaptureOptions } from "./signed-request.ts";

/** The JSON of a capture by query or by body. */
type CaptureBody = RouteBody<"GET /api/v1/screenshot" | "POST /api/v1/screenshot">;

export interface CaptureServiceResources {
  readonly begin: StartBrowser;
  readonly places: CaptureResources & EnqueueResources & Pick<Environment, "ACCOUNTS_TABLE">;
  /** Where webhooks may go although it is not the public internet. */
  readonly allowed: AllowedOrigins;
}

/**
 * Captures what a request asks for, or finds it in the cache, or repeats the answer to the same request. Throws the
 * ApiError of one that is refused or fails.
 */
export async function serveCapture(
  request: ApiRequest,
  { begin, places, allowed }: CaptureServiceResources,
): Promise<ApiResponse<CaptureBody>> {
  const clock = new PhaseClock();
  const reading = Promise.try(() => readRequest(request, allowed));
  const beside = ({ account }: Caller, options: CaptureOptions) =>
    findCapture({ plan: searched(options, account.id), accountId: account.id, withBody: hasBytes(options) }, places);
  const admission = clock.measure("auth", () => authorizeCapture(request, { reading, beside }, places));

  // The browser starts beside the admission, and is dropped when that or the options are refused. Where the capture
  // may be found instead, it starts when it was not.
  let browser: LazyBrowser | undefined;
  const begunBrowser = () => {
    browser ??= begin(reading.then(({ options }) => browserUseFor(options)));
    return browser;
  };
  reading.then(({ options }) => !options.async && !searched(options, 0) && begunBrowser()).catch(() => undefined);

  try {
    const admitted = await admission;
    const read = await reading;
    const order: CaptureRequest = { ...request, ...admitted, ...read, clock };
    const serve = () => serveOrder(order, { request, browser: begunBrowser, found: admitted.found }, places);
    const deadline = request.startedAt + order.options.timeout * 1000;
    const forgo = () => releaseReservation(admitted, places);
    const repeatable = { request, accountId: order.caller.account.id, sent: order.sent, deadline, serve, forgo };
    const answer = await runOnce(repeatable, places);
    return notModifiedIfMatches(answer, request.headers["if-none-match"]);
  } finally {
    // Chromium takes its time to go, which is not the caller's.
    request.afterwards.push(browser?.[Symbol.asyncDispose]());
  }
}

interface ServedFrom {
  readonly request: ApiRequest;
  readonly browser: () => LazyBrowser;
  readonly found: FoundCapture | undefined;
}

async function serveOrder(
  order: CaptureRequest,
  { request, ...from }: ServedFrom,
  places: CaptureServiceResources["places"],
): Promise<ApiResponse<CaptureBody>> {
  const { options, caller } = order;
  if (options.async) return accepted(await enqueueCapture(order, places), places);
  const plan = cachePlan(options, caller.account.id);
  if (!plan) requireQuota(order);
  const keptSeconds = options.response_type === "json" ? DEFAULT_LIFETIME_S : undefined;
  const withBody = hasBytes(options);
  const referrer = options.response_type === "json" ? "link" : undefined;
  const taken = await captureThroughCache(order, { ...from, plan, keptSeconds, withBody, referrer }, places);
  const secret = () => linkSecret(places.ACCOUNTS_TABLE);
  const usesCache = plan !== undefined;
  const answer = await createCaptureResponse(
    taken,
    { options, usesCache, clock: order.clock },
    { baseUrl: places.BASE_URL, secret },
  );
  const { staleSince } = taken;
  const isStale = plan && staleSince !== undefined;
  if (isStale) request.afterwards.push(revalidate(request, { order, hash: plan.hash, staleSince }, places));
  return answer;
}

/** How a capture is looked for before it is taken; undefined where it is taken anyway. */
function searched(options: CaptureOptions, accountId: number) {
  const plan = options.async ? undefined : cachePlan(options, accountId);
  return plan?.isRefreshed ? undefined : plan;
}

interface ReadRequest {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly options: CaptureOptions;
}

function readRequest(request: ApiRequest, allowed: AllowedOrigins): ReadRequest {
  const read = readCaptureOptions(request);
  if (read.options.webhook_url !== undefined) requireWebhookAddress(read.options.webhook_url, allowed);
  return read;
}
