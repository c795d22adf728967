// Captures: from an HTTP request to the capture, and back to its response.

import type { StartBrowser } from "../../engine/browser-launcher.ts";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { watchQuota } from "../billing/quota-watch.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { notModifiedIfMatches } from "../http/conditional-response.ts";
import { captureCacheControl } from "../http/edge-cache.ts";
import { runIdempotent } from "../http/idempotency.ts";
import type { ApiResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { acceptedResponse } from "../jobs/accepted-response.ts";
import { type EnqueueResources, enqueueCapture } from "../jobs/enqueue.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { linkSecret } from "../results/link-secret.ts";
import { type Admission, type AdmittedCapture, admitCapture, requireCredentials } from "./admit-capture.ts";
import { readsCache } from "./cache-key.ts";
import { CaptureBrowser } from "./capture-browser.ts";
import type { ConcurrencyResources } from "./capture-concurrency.ts";
import type { CaptureResources } from "./capture-request.ts";
import { createCaptureResponse } from "./capture-response.ts";
import { createCapture } from "./create-capture.ts";
import { fallbackResponse, isProvedLink, requestedFallback } from "./fallback-image.ts";
import type { CaptureMetadataResponse } from "./metadata-responses.ts";
import type { RenderedCapture } from "./render.ts";
import type { CaptureAccepted, CaptureResult, CaptureValidation } from "./responses.ts";
import { revalidate } from "./revalidate.ts";
import { isSignedLink, parseCaptureRequest } from "./signed-request.ts";
import { validateCapture } from "./validate-capture.ts";

/** The JSON of a capture by query or by body. */
export type CaptureBody = ResponseBody<
  typeof CaptureResult | typeof CaptureMetadataResponse | typeof CaptureValidation | typeof CaptureAccepted
>;

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
  resources: CaptureServiceResources,
): Promise<ApiResponse<CaptureBody>> {
  const isSigned = isSignedLink(request);
  const fallback = isSigned ? requestedFallback(request) : undefined;
  let isAuthenticated = false;
  const onAuthenticated = () => {
    isAuthenticated = true;
  };
  try {
    return await answer(request, { isSigned, onAuthenticated }, resources);
  } catch (error) {
    if (fallback === undefined || !(isAuthenticated || isProvedLink(error))) throw error;
    return fallbackResponse(error, fallback, request);
  }
}

async function answer(
  request: ApiRequest,
  { isSigned, onAuthenticated }: Pick<Admission, "isSigned" | "onAuthenticated">,
  { startBrowser, env, allowed }: CaptureServiceResources,
): Promise<ApiResponse<CaptureBody>> {
  const clock = new PhaseClock();
  const browser = new CaptureBrowser(startBrowser, request.responded.promise);
  requireCredentials(request, isSigned); // a request without any costs nothing more
  const parsing = Promise.try(() => {
    const parsed = parseCaptureRequest(request, { isSigned, allowed });
    // If none is ready, Chromium launches beside the authentication, unless the cache may answer.
    if (!parsed.options.async && !parsed.options.validate && !readsCache(parsed.options))
      browser.prepare(parsed.options);
    return parsed;
  });
  const isValidation = await parsing.then(
    ({ options }) => options.validate,
    () => false,
  ); // errors are for authenticated callers
  try {
    if (isValidation) return await validateCapture(request, { parsing, isSigned, clock }, env);
    const admitted = await clock.measure("auth", () =>
      admitCapture(request, { parsing, isSigned, clock, onAuthenticated }, env),
    );
    const { caller, rawOptions, deadline, reservation } = admitted.capture;
    await using _ = reservation;
    using _watching = watchAfterwards(admitted.capture, request.afterwards);
    using _running = releaseAfterwards(admitted.running, request.afterwards);
    showQuota(request, admitted);
    const linkExpiresAt = isSigned ? linkExpiry(request) : undefined;
    const run = () => respond(admitted, { browser, env, linkExpiresAt }, request.afterwards);
    const response = await runIdempotent(
      {
        request,
        accountId: caller.account.id,
        rawOptions: repeatableOptions(admitted.capture, rawOptions),
        deadline,
        run,
      },
      env,
    );
    return notModifiedIfMatches(response, request.headers["if-none-match"]);
  } finally {
    request.afterwards.push(browser[Symbol.asyncDispose]()); // the client does not wait for it
  }
}

/** When a signed link expires, in milliseconds since 1970. Its signature and the form of its parameters are verified. */
function linkExpiry({ query }: ApiRequest): number {
  return Number(query.find(([name]) => name === "expires")?.[1]) * 1000;
}

interface LinkedCapture {
  readonly capture: AdmittedCapture["capture"];
  readonly result: RenderedCapture;
  readonly linkExpiresAt: number;
}

/** Browsers keep a cached capture as long as the cache does, but not after the link has expired. */
function withBrowserCache(
  response: ApiResponse<CaptureBody>,
  { capture: { cache, startedAt }, result, linkExpiresAt }: LinkedCapture,
): ApiResponse<CaptureBody> {
  const { status, headers = {} } = response;
  if (!cache || status !== 200 || "Cache-Control" in headers) return response;
  const now = Date.now();
  const receivedAt = now - (performance.now() - startedAt);
  const { freshUntil = receivedAt + cache.ttlSeconds * 1000 } = result;
  const cacheControl = captureCacheControl(Math.min(linkExpiresAt, freshUntil), now);
  return { ...response, headers: { ...headers, "Cache-Control": cacheControl } };
}

/** States how much of a capped quota remains, where the reservation has found out. A cached result gives its reservation back. */
function showQuota({ responseHeaders }: ApiRequest, { capture, cached }: AdmittedCapture): void {
  const { remaining, isGranted } = capture.reservation;
  if (remaining === undefined) return;
  responseHeaders.set("X-Quota-Remaining", String(remaining + (cached && isGranted ? 1 : 0)));
}

/** The same request with a key for tests and with another key are two requests: one response has a mark. */
function repeatableOptions({ options }: AdmittedCapture["capture"], rawOptions: Readonly<Record<string, unknown>>) {
  return options.test_mark ? { ...rawOptions, test_mark: true } : rawOptions;
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

interface RespondParts extends Pick<CaptureServiceResources, "env"> {
  readonly browser: CaptureBrowser;
  /** When the signed link that asks for it expires, in milliseconds since 1970. */
  readonly linkExpiresAt: number | undefined;
}

/** Enqueues an asynchronous capture; creates any other one, and revalidates the stale result that answered it. */
async function respond(
  { capture, cached }: AdmittedCapture,
  { browser, env, linkExpiresAt }: RespondParts,
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
  return linkExpiresAt === undefined ? response : withBrowserCache(response, { capture, result, linkExpiresAt });
}
