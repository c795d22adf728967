// GET|HEAD|POST /api/v1/screenshot: from an HTTP request to the capture, and back to its response.
import { readsCache } from "../../captures/cache-key.ts";
import { CaptureBrowser } from "../../captures/capture-browser.ts";
import type { ConcurrencyResources } from "../../captures/capture-concurrency.ts";
import type { CaptureResources } from "../../captures/capture-request.ts";
import { createCapture } from "../../captures/create-capture.ts";
import { type EnqueueResources, enqueueCapture } from "../../captures/enqueue.ts";
import { watchQuota } from "../../captures/quota-watch.ts";
import { revalidate } from "../../captures/revalidate.ts";
import type { AllowedOrigins } from "../../egress/egress-policy.ts";
import type { StartBrowser } from "../../engine/browser-launcher.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { Environment } from "../../platform/environment.ts";
import { logError } from "../../platform/log.ts";
import { linkSecret } from "../../results/link-secret.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { notModifiedIfMatches } from "../http/conditional-response.ts";
import { edgeCacheControl } from "../http/edge-cache.ts";
import { runIdempotent } from "../http/idempotency.ts";
import type { ApiResponse } from "../http/response.ts";
import { acceptedResponse } from "../jobs/accepted-response.ts";
import type { RouteBody } from "../route-responses.ts";
import { type AdmittedCapture, admitCapture, requireCredentials } from "./admit-capture.ts";
import { createCaptureResponse } from "./capture-response.ts";
import { isSignedLink, parseCaptureRequest } from "./signed-request.ts";

/** The JSON of a capture by query or by body. */
type CaptureBody = RouteBody<"GET /api/v1/screenshot" | "POST /api/v1/screenshot">;

export interface CaptureServiceResources {
  readonly startBrowser: StartBrowser;
  readonly env: CaptureResources &
    EnqueueResources &
    ConcurrencyResources &
    Pick<Environment, "ACCOUNTS_TABLE" | "BASE_URL" | "MAX_STREAMED_RESULT_BYTES">;
  /** Private origins to which webhooks may be sent. */
  readonly allowed: AllowedOrigins;
}

/** Answers a request for a capture. Throws the `ApiError` of a request that is refused or fails. */
export async function serveCapture(
  request: ApiRequest,
  { startBrowser, env, allowed }: CaptureServiceResources,
): Promise<ApiResponse<CaptureBody>> {
  const clock = new PhaseClock();
  const browser = new CaptureBrowser(startBrowser, request.responded.promise);
  const isSigned = isSignedLink(request);
  requireCredentials(request, isSigned); // a request without any costs nothing more
  const parsing = Promise.try(() => {
    const parsed = parseCaptureRequest(request, { isSigned, allowed });
    // If none is ready, Chromium launches beside the authentication, unless the cache may answer.
    if (!parsed.options.async && !readsCache(parsed.options)) browser.prepare(parsed.options);
    return parsed;
  });
  try {
    const admitted = await clock.measure("auth", () => admitCapture(request, { parsing, isSigned, clock }, env));
    const { caller, rawOptions, deadline, reservation } = admitted.capture;
    await using _ = reservation;
    using _watching = watchAfterwards(admitted.capture, request.afterwards);
    using _running = releaseAfterwards(admitted.running, request.afterwards);
    const run = () => respond(admitted, { browser, env }, request.afterwards);
    const response = await runIdempotent({ request, accountId: caller.account.id, rawOptions, deadline, run }, env);
    const cacheable = isSigned ? withEdgeCache(response, admitted.capture, request) : response;
    return notModifiedIfMatches(cacheable, request.headers["if-none-match"]);
  } finally {
    request.afterwards.push(browser[Symbol.asyncDispose]()); // the client does not wait for it
  }
}

/** CloudFront may answer a signed link to a cached capture for a while, but not after the link has expired. */
function withEdgeCache(
  response: ApiResponse<CaptureBody>,
  { cache, options }: AdmittedCapture["capture"],
  { query, receivedAt }: ApiRequest,
): ApiResponse<CaptureBody> {
  const { status, headers = {} } = response;
  if (!cache || status !== 200 || "Cache-Control" in headers) return response;
  const linkExpiresAt = Number(query.find(([name]) => name === "expires")?.[1]) * 1000;
  const cacheControl = edgeCacheControl(Math.min(linkExpiresAt, receivedAt + options.cache_ttl * 1000), receivedAt);
  return cacheControl === undefined
    ? response
    : { ...response, headers: { ...headers, "Cache-Control": cacheControl } };
}

/** Releases a running capture when it is disposed of; the client does not wait for that. */
function releaseAfterwards(running: AdmittedCapture["running"], afterwards: ApiRequest["afterwards"]): Disposable {
  const release = () => running?.release().catch((error) => logError("running capture not released", error)); // it expires by itself
  return { [Symbol.dispose]: () => void afterwards.push(Promise.resolve(release())) };
}

/** Has the quotas of the account checked when it is disposed of; the client does not wait for that. */
function watchAfterwards(
  { caller, options }: AdmittedCapture["capture"],
  afterwards: ApiRequest["afterwards"],
): Disposable {
  const isCounted = !options.async; // a job is counted when it ends
  return { [Symbol.dispose]: () => void (isCounted && afterwards.push(watchQuota(caller.account.id))) };
}

/** Enqueues an asynchronous capture; creates any other one, and revalidates the stale result that answered it. */
async function respond(
  { capture, cached }: AdmittedCapture,
  { browser, env }: Pick<CaptureServiceResources, "env"> & { readonly browser: CaptureBrowser },
  afterwards: ApiRequest["afterwards"],
): Promise<ApiResponse<CaptureBody>> {
  if (capture.options.async) return acceptedResponse(await enqueueCapture(capture, env), env);
  const result = await createCapture(capture, { browser, cached }, env);
  const secret = () => linkSecret(env.ACCOUNTS_TABLE);
  const response = await createCaptureResponse(result, capture, { baseUrl: env.BASE_URL, secret });
  const { cache } = capture;
  const { staleSince } = result;
  if (cache && staleSince !== undefined) {
    afterwards.push(revalidate({ ...capture, cache, staleSince }, env));
  }
  return response;
}
