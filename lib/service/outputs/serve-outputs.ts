// Requests with `outputs`: from an HTTP request to several captures of one page, and back to their response.

import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { showQuota } from "../billing/quota-remaining.ts";
import { watchQuota } from "../billing/quota-watch.ts";
import { requireCredentials } from "../captures/admit-capture.ts";
import { readsCache } from "../captures/cache-key.ts";
import { archiveBytes } from "../captures/response-size.ts";
import type { CaptureAccepted } from "../captures/responses.ts";
import type { CaptureServiceResources } from "../captures/serve-capture.ts";
import { parseOutputsRequest } from "../captures/signed-request.ts";
import { type ApiRequest, rawOptions } from "../http/api-request.ts";
import { type AnsweredResult, runIdempotent } from "../http/idempotency.ts";
import { idempotencyKey } from "../http/idempotency-key.ts";
import { type ApiResponse, json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { acceptedResponse } from "../jobs/accepted-response.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { linkSecret } from "../results/link-secret.ts";
import type { StoredAnswer } from "../results/stored-answer.ts";
import { admitOutputs } from "./admit-outputs.ts";
import { type CreatedOutputs, createOutputs } from "./create-outputs.ts";
import { enqueueOutputs } from "./enqueue-outputs.ts";
import type { OutputsRequest } from "./output-request.ts";
import { archiveFiles, zipStream } from "./outputs-archive.ts";
import { type OutputsJson, outputsResult } from "./outputs-result.ts";
import { isAsync } from "./plan-outputs.ts";
import type { OutputsValidation } from "./responses.ts";
import { validateOutputs } from "./validate-outputs.ts";

/** The JSON of a request with `outputs`. */
export type OutputsBody = OutputsJson | ResponseBody<typeof CaptureAccepted | typeof OutputsValidation>;

/** Answers a request with `outputs`. Throws the `ApiError` of a request that is refused, and that of the first output if all fail. */
export async function serveOutputs(
  request: ApiRequest,
  { createRenderer, env, allowed }: CaptureServiceResources,
): Promise<StreamedResponse<OutputsBody>> {
  const clock = new PhaseClock();
  const renderer = createRenderer();
  requireCredentials(request, false);
  const parsing = Promise.try(() => {
    const outputs = parseOutputsRequest(request, { allowed });
    const [first] = outputs;
    // If none is ready, Chromium launches beside the authentication, unless the cache may answer.
    if (first && !first.options.async && !first.options.validate && !readsCache(first.options))
      renderer.prepare(outputs);
    return { outputs, rawOptions: rawOptions(request) };
  });
  const isValidation = await parsing.then(
    ({ outputs }) => outputs.some(({ options }) => options.validate),
    () => false,
  ); // errors are for authenticated callers
  try {
    if (isValidation) return await validateOutputs(request, parsing, env);
    const admitted = await clock.measure("auth", () => admitOutputs(request, { parsing, clock }, env));
    const { outputs, running } = admitted;
    await using reservations = new AsyncDisposableStack();
    for (const { capture } of outputs) reservations.use(capture.reservation);
    const [first] = outputs;
    if (!first) throw new Error("A request with outputs has none.");
    const { caller, deadline, options } = first.capture;
    const accountId = caller.account.id;
    if (!options.async) request.afterResponse(() => watchQuota(accountId)); // a job is counted when it ends
    if (running) request.afterResponse(() => running.release(), "running capture not released"); // it expires by itself
    let freeCaptures = outputs.length; // unless something is captured: a failure, a cached result, and a replayed response are free
    reservations.defer(() => showQuota(request, admitted.quotaRemaining, freeCaptures));
    let results: readonly AnsweredResult[] = [];
    const onCreated = (created: CreatedOutputs) => {
      results = answeredResults(created);
      freeCaptures = created.outputs.filter((output) => created.fromCache || !("result" in output)).length;
    };
    const run = async (answer?: StoredAnswer) => {
      const response = await respond(withAnswer(admitted, answer), { request, renderer, clock, onCreated }, env);
      if (options.async) freeCaptures = 0;
      return response;
    };
    if (idempotencyKey(request) === undefined) return await run();
    const repeatable = options.test_mark ? { ...admitted.rawOptions, test_mark: true } : admitted.rawOptions;
    const once = async (answer?: StoredAnswer) => buffered(await run(answer));
    const idempotent = { request, accountId, rawOptions: repeatable, deadline, run: once, results: () => results };
    return await runIdempotent(idempotent, env);
  } finally {
    renderer.kill();
    request.afterResponse(() => renderer[Symbol.asyncDispose]());
  }
}

/** Each of the captures refers to the response, so that it is deleted with any of them. */
function withAnswer(admitted: OutputsRequest, answer: StoredAnswer | undefined): OutputsRequest {
  const outputs = admitted.outputs.map((output) => ({ ...output, capture: { ...output.capture, answer } }));
  return { ...admitted, outputs };
}

function answeredResults({ outputs }: CreatedOutputs): AnsweredResult[] {
  const stored = outputs.flatMap((output) => ("result" in output ? (output.result.stored ?? []) : []));
  return stored.map(({ key, expires_at }) => ({ key, expiresAt: expires_at, isBody: false }));
}

/** A response that can be stored and replayed. */
async function buffered<Json>({ body, ...response }: StreamedResponse<Json>): Promise<ApiResponse<Json>> {
  if (body === undefined || typeof body === "string" || Buffer.isBuffer(body))
    return { ...response, ...(body && { body }) };
  return { ...response, body: Buffer.concat(await body.toArray()) };
}

interface RespondParts {
  readonly request: ApiRequest;
  readonly renderer: Renderer;
  readonly clock: PhaseClock;
  readonly onCreated: (created: CreatedOutputs) => void;
}

async function respond(
  admitted: OutputsRequest,
  { request, renderer, clock, onCreated }: RespondParts,
  env: CaptureServiceResources["env"],
): Promise<StreamedResponse<OutputsBody>> {
  if (isAsync(admitted.outputs.map(({ capture }) => capture)))
    return acceptedResponse(await enqueueOutputs(admitted, env), env);
  const { afterResponse, requestId, startedAt } = request;
  const secret = () => linkSecret(env.ACCOUNTS_TABLE);
  secret().catch(() => {}); // in parallel with the captures; an error is thrown where the secret is needed
  const created = await createOutputs(admitted, { renderer, afterResponse }, env);
  onCreated(created);
  requireSuccess(created);
  const responseTimeMs = Math.round(performance.now() - startedAt);
  const links = { baseUrl: env.BASE_URL, secret };
  const result = await outputsResult(created, { requestId, responseTimeMs, bucket: env.RESULTS_BUCKET, links });
  const headers = {
    "X-Response-Time": String(responseTimeMs),
    "X-Cache": cacheStatus(admitted, created),
    "Server-Timing": clock.header(),
  };
  if (admitted.responseType === "json") return json(200, result, headers);
  const [first] = admitted.outputs;
  const maxBytes = first ? archiveBytes(first.capture) : 0;
  const files = await archiveFiles(created, result, { bucket: env.RESULTS_BUCKET, maxBytes });
  return {
    status: 200,
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="captures-${requestId}.zip"`,
      "Cache-Control": "no-store",
      ...headers,
    },
    body: zipStream(files, Date.now()),
  };
}

/** Throws the first error if no output has succeeded. */
function requireSuccess({ outputs }: CreatedOutputs): void {
  const [first] = outputs;
  if (first && "error" in first && outputs.every((output) => "error" in output)) throw first.error;
}

function cacheStatus({ outputs }: OutputsRequest, { fromCache }: CreatedOutputs): string {
  if (outputs.some(({ capture }) => !capture.cache)) return "BYPASS";
  return fromCache ? "HIT" : "MISS";
}
