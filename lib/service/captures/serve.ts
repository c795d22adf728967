// Captures: from an HTTP request to the captures of its page, and back to their response.

import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { showQuota } from "../billing/quota-remaining.ts";
import { watchQuota } from "../billing/quota-watch.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { notModifiedIfMatches } from "../http/conditional-response.ts";
import { type AnsweredResult, runIdempotent } from "../http/idempotency.ts";
import { idempotencyKey } from "../http/idempotency-key.ts";
import { buffered, json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { acceptedResponse } from "../jobs/accepted-response.ts";
import { type EnqueueResources, enqueueCaptures } from "../jobs/enqueue.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import type { CreateRenderer, Renderer } from "../rendering/renderer.ts";
import { linkSecret } from "../results/link-secret.ts";
import type { StoredAnswer } from "../results/stored-answer.ts";
import { type Admission, type AdmittedRequest, admitRequest, isAsync, requireCredentials } from "./admit.ts";
import { readsCache } from "./cache-key.ts";
import type { ConcurrencyResources } from "./capture-concurrency.ts";
import type { CaptureRequest, CaptureResources } from "./capture-request.ts";
import { createCaptures } from "./create.ts";
import { fallbackResponse, isProvedLink, requestedFallback } from "./fallback-image.ts";
import type { CaptureMetadataResponse } from "./metadata-responses.ts";
import type { OutputsResult, OutputsValidation } from "./output-responses.ts";
import { isSignedLink, parseRequest, type RequestedOutputs } from "./parse.ts";
import type { CommittedCapture, CreatedCaptures } from "./rendered-capture.ts";
import * as many from "./respond-many.ts";
import * as one from "./respond-one.ts";
import type { CaptureAccepted, CaptureResult, CaptureValidation } from "./responses.ts";
import { revalidate } from "./revalidate.ts";
import { validateRequest } from "./validate.ts";

/** The JSON of captures by query or by body. */
export type CaptureBody = ResponseBody<
  | typeof CaptureResult
  | typeof CaptureMetadataResponse
  | typeof CaptureValidation
  | typeof CaptureAccepted
  | typeof OutputsResult
  | typeof OutputsValidation
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

/** Answers a request for captures. Throws the `ApiError` of a request that is refused, and that of the first capture if all fail. */
export async function serveCaptures(
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
    const parsed = parseRequest(request, { isSigned, allowed });
    const { options } = parsed.outputs[0];
    // If none is ready, Chromium launches during the authentication, unless the cache may answer.
    if (!options.async && !options.validate && !readsCache(options)) renderer.prepare(parsed.outputs);
    return parsed;
  });
  const isValidation = await parsing.then(
    ({ outputs }) => outputs.some(({ options }) => options.validate),
    () => false,
  ); // errors are for authenticated callers
  try {
    if (isValidation) {
      const valid = await validateRequest(request, { parsing, isSigned }, env);
      return json(200, answersTo(valid).describeValid(valid));
    }
    const admitted = await clock.measure("auth", () =>
      admitRequest(request, { parsing, isSigned, clock, onAuthenticated }, env),
    );
    const response = await runAdmitted(admitted, { request, renderer, env });
    const conditional = notModifiedIfMatches(response, request.headers["if-none-match"]);
    return admitted.responseType === "base64" ? one.encodeBody(conditional) : conditional;
  } finally {
    renderer.kill();
    request.afterResponse(() => renderer[Symbol.asyncDispose]());
  }
}

/** How a request is answered: with its only result, or with those of its `outputs`. */
const answersTo = ({ isGroup }: Pick<RequestedOutputs, "isGroup">) => (isGroup ? many : one);

interface RunParts extends Pick<CaptureServiceResources, "env"> {
  readonly request: ApiRequest;
  readonly renderer: Renderer;
}

/** Runs an admitted request, once if it has an `Idempotency-Key`, and states how much quota remains. */
async function runAdmitted(admitted: AdmittedRequest, parts: RunParts): Promise<StreamedResponse<CaptureBody>> {
  const { captures, running, rawOptions } = admitted;
  const { request, env } = parts;
  const [{ caller, deadline, options }] = captures;
  const accountId = caller.account.id;
  if (!options.async) request.afterResponse(() => watchQuota(accountId)); // a job is counted when it ends
  if (running) request.afterResponse(() => running.release(), "running capture not released"); // it expires by itself
  await using reservations = new AsyncDisposableStack();
  for (const { reservation } of captures) reservations.use(reservation);
  let freeCaptures = captures.length; // unless something is captured: a failure, a cached result, and a replayed response are free
  reservations.defer(() => showQuota(request, admitted.quotaRemaining, freeCaptures));
  let results: readonly AnsweredResult[] = [];
  const onCreated = (created: CreatedCaptures) => {
    results = answeredResults(created);
    freeCaptures = created.captures.filter((ended) => created.fromCache || !("result" in ended)).length;
  };
  const run = async (stored?: StoredAnswer) => {
    // Each of the captures refers to the response, so that it is deleted with any of them.
    const withAnswer = (capture: CaptureRequest) => ({ ...capture, answer: stored });
    const [first, ...others] = captures;
    const answered = [withAnswer(first), ...others.map(withAnswer)] as const;
    const response = await respond({ ...admitted, captures: answered }, { ...parts, onCreated });
    if (options.async) freeCaptures = 0;
    return response;
  };
  if (idempotencyKey(request) === undefined) return await run();
  // Test keys mark results, so that the kind of the key is part of the fingerprint of an idempotent request.
  const repeatable = options.test_mark ? { ...rawOptions, test_mark: true } : rawOptions;
  const runBuffered = async (stored?: StoredAnswer) => buffered(await run(stored));
  const idempotent = { request, accountId, rawOptions: repeatable, deadline, run: runBuffered, results: () => results };
  return await runIdempotent(idempotent, env);
}

/** The stored results that a response links to or has the bytes of. */
function answeredResults({ captures }: CreatedCaptures): AnsweredResult[] {
  return captures.flatMap((ended) => {
    if (!("result" in ended) || !ended.result.stored) return [];
    const { stored, body } = ended.result;
    const isBody = body !== undefined && ended.capture.options.response_type === "by_format";
    return [{ key: stored.key, expiresAt: stored.expires_at, isBody }];
  });
}

/** Enqueues asynchronous captures. Creates any others, and revalidates the stale result that answered one. */
async function respond(
  admitted: AdmittedRequest,
  { request, renderer, env, onCreated }: RunParts & { readonly onCreated: (created: CreatedCaptures) => void },
): Promise<StreamedResponse<CaptureBody>> {
  const { captures, responseType, isSigned } = admitted;
  if (isAsync(captures)) return acceptedResponse(await enqueueCaptures(admitted, env), env);
  const { afterResponse, requestId, startedAt } = request;
  const [{ options, clock }] = captures;
  const secret = () => linkSecret(env.ACCOUNTS_TABLE);
  // In parallel with the captures: a function's first use of it calls KMS. An error is thrown where the secret is needed.
  if (options.response_type === "json") secret().catch(() => {});
  const created = await createCaptures(admitted, { renderer, afterResponse }, env);
  onCreated(created);
  requireSuccess(created);
  const response = await answersTo(admitted).createResponse(created, {
    requestId,
    startedAt,
    responseType,
    serverTiming: () => clock.header(),
    bucket: env.RESULTS_BUCKET,
    links: { baseUrl: env.BASE_URL, secret },
    linkExpiresAt: isSigned ? linkExpiry(request) : undefined,
  });
  for (const ended of created.captures) revalidateIfStale(ended, request, env);
  return response;
}

/** Throws the first error if no capture has succeeded. Logs the other faults of the service, which are in a response that succeeds. */
function requireSuccess({ captures }: CreatedCaptures): void {
  const failed = captures.flatMap((ended) => ("error" in ended ? [ended] : []));
  const [first] = failed;
  const isFailure = first !== undefined && failed.length === captures.length;
  const faults = failed.filter(({ error }) => error.blame === "us" && !(isFailure && error === first.error));
  for (const { error, requestId } of faults) logError("capture failed", error, { request_id: requestId });
  if (isFailure) throw first.error;
}

/** Captures a stale result again, after the response. */
function revalidateIfStale(
  ended: CommittedCapture,
  { afterResponse }: ApiRequest,
  env: CaptureServiceResources["env"],
) {
  if (!("result" in ended)) return;
  const { capture, result } = ended;
  const { cache } = capture;
  const { staleSince } = result;
  if (cache && staleSince !== undefined) afterResponse(() => revalidate({ ...capture, cache, staleSince }, env));
}

/** When a signed link expires, in milliseconds since 1970. Its signature and the form of its parameters are verified. */
function linkExpiry({ query }: ApiRequest): number {
  return Number(query.find(([name]) => name === "expires")?.[1]) * 1000;
}
