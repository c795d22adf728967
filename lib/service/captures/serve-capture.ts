// Captures: from an HTTP request to the capture, and back to its response.

import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { showQuota } from "../billing/quota-remaining.ts";
import { watchQuota } from "../billing/quota-watch.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { notModifiedIfMatches } from "../http/conditional-response.ts";
import { captureCacheControl } from "../http/edge-cache.ts";
import { type AnsweredResult, runIdempotent } from "../http/idempotency.ts";
import type { ApiResponse, StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { acceptedResponse } from "../jobs/accepted-response.ts";
import { type EnqueueResources, enqueueCapture } from "../jobs/enqueue.ts";
import type { Environment } from "../platform/environment.ts";
import type { CreateRenderer, Renderer } from "../rendering/renderer.ts";
import { linkSecret } from "../results/link-secret.ts";
import type { StoredAnswer } from "../results/stored-answer.ts";
import { type Admission, type AdmittedCapture, admitCapture, requireCredentials } from "./admit-capture.ts";
import { readsCache } from "./cache-key.ts";
import type { ConcurrencyResources } from "./capture-concurrency.ts";
import type { CaptureResources } from "./capture-request.ts";
import { createCaptureResponse, encodeBody } from "./capture-response.ts";
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
  readonly createRenderer: CreateRenderer;
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
): Promise<StreamedResponse<CaptureBody>> {
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
  { createRenderer, env, allowed }: CaptureServiceResources,
): Promise<StreamedResponse<CaptureBody>> {
  const clock = new PhaseClock();
  const renderer = createRenderer();
  requireCredentials(request, isSigned); // a request without any costs nothing more
  const parsing = Promise.try(() => {
    const parsed = parseCaptureRequest(request, { isSigned, allowed });
    // If none is ready, Chromium launches beside the authentication, unless the cache may answer.
    if (!parsed.options.async && !parsed.options.validate && !readsCache(parsed.options)) renderer.prepare([parsed]);
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
    const { capture, running } = admitted;
    const { caller, options, rawOptions, deadline } = capture;
    const accountId = caller.account.id;
    if (!options.async) request.afterResponse(() => watchQuota(accountId)); // a job is counted when it ends
    if (running) request.afterResponse(() => running.release(), "running capture not released"); // it expires by itself
    await using _ = capture.reservation;
    using ended = new DisposableStack();
    let freeCaptures = 1; // unless something is captured: a failure, a cached result, and a replayed response are free
    ended.defer(() => showQuota(request, admitted.quotaRemaining, freeCaptures));
    let results: readonly AnsweredResult[] = [];
    const onResult = (result: RenderedCapture) => {
      results = answeredResults(result, options);
      freeCaptures = result.fromCache ? 1 : 0;
    };
    const run = async (answer?: StoredAnswer) => {
      const parts = { request, renderer, env, isSigned, onResult };
      const response = await respond({ ...admitted, capture: { ...capture, answer } }, parts);
      if (options.async) freeCaptures = 0;
      return response;
    };
    const repeatable = repeatableOptions(capture, rawOptions);
    const idempotent = { request, accountId, rawOptions: repeatable, deadline, run, results: () => results };
    const response = await runIdempotent(idempotent, env);
    const conditional = notModifiedIfMatches(response, request.headers["if-none-match"]);
    return options.response_type === "base64" ? encodeBody(conditional) : conditional;
  } finally {
    renderer.kill();
    request.afterResponse(() => renderer[Symbol.asyncDispose]());
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

/** The same request with a key for tests and with another key are two requests: one response has a mark. */
function repeatableOptions({ options }: AdmittedCapture["capture"], rawOptions: Readonly<Record<string, unknown>>) {
  return options.test_mark ? { ...rawOptions, test_mark: true } : rawOptions;
}

/** The stored result that a response links to or has the bytes of. */
function answeredResults(
  { stored, body }: RenderedCapture,
  { response_type }: AdmittedCapture["capture"]["options"],
): AnsweredResult[] {
  if (!stored) return [];
  return [
    { key: stored.key, expiresAt: stored.expires_at, isBody: body !== undefined && response_type === "by_format" },
  ];
}

interface RespondParts extends Pick<CaptureServiceResources, "env"> {
  readonly request: ApiRequest;
  readonly renderer: Renderer;
  readonly isSigned: boolean;
  readonly onResult: (result: RenderedCapture) => void;
}

/** Enqueues an asynchronous capture; creates any other one, and revalidates the stale result that answered it. */
async function respond(
  { capture, cached }: AdmittedCapture,
  { request, renderer, env, isSigned, onResult }: RespondParts,
): Promise<ApiResponse<CaptureBody>> {
  if (capture.options.async) return acceptedResponse(await enqueueCapture(capture, env), env);
  const { afterResponse } = request;
  const secret = () => linkSecret(env.ACCOUNTS_TABLE);
  // In parallel with the capture: a function's first use of it calls KMS. An error is thrown where the secret is needed.
  if (capture.options.response_type === "json") secret().catch(() => {});
  const result = await createCapture(capture, { renderer, cached, afterResponse }, env);
  onResult(result);
  const response = await createCaptureResponse(result, capture, { baseUrl: env.BASE_URL, secret });
  const { cache } = capture;
  const { staleSince } = result;
  if (cache && staleSince !== undefined)
    request.afterResponse(() => revalidate({ ...capture, cache, staleSince }, env));
  return isSigned ? withBrowserCache(response, { capture, result, linkExpiresAt: linkExpiry(request) }) : response;
}
