// The response to a request with `outputs`: the JSON of its results, or a ZIP archive with them.

import { errorBody } from "../../contract/errors/api-error.ts";
import { json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { supportAddress } from "../platform/operator-identity.ts";
import { createLinks } from "../results/stored-capture.ts";
import { readBody } from "../results/stored-capture-store.ts";
import type { AnswerContext } from "./answer-context.ts";
import { cacheStatus } from "./capture-result.ts";
import { billedCredits, describeStored, hasContent, type OutputJson } from "./describe-output.ts";
import type { OutputsResult, OutputsValidation } from "./output-responses.ts";
import type { CommittedCapture, CreatedCaptures, RenderedCapture } from "./rendered-capture.ts";
import { archiveBytes } from "./response-size.ts";
import { isTestCaller } from "./test-caller.ts";
import { resolvedOptions, type ValidRequest } from "./valid-request.ts";
import { archiveFiles, zipStream } from "./zip-archive.ts";

type OutputsJson = ResponseBody<typeof OutputsResult>;

/** The response to `validate=true`. */
export function describeValid({ outputs, isTest }: ValidRequest): ResponseBody<typeof OutputsValidation> {
  const planned = outputs.map(({ options }) => ({ format: options.format, fromCache: false }));
  return {
    valid: true,
    billed: billedCredits(planned, isTest),
    outputs: outputs.map((output) => ({ name: output.group?.output ?? "", options: resolvedOptions(output) })),
  };
}

/** The response with the outputs of a request. At least one of them has succeeded. */
export async function createResponse(
  created: CreatedCaptures,
  context: AnswerContext,
): Promise<StreamedResponse<OutputsJson>> {
  const { requestId, responseType, bucket, startedAt, serverTiming } = context;
  const responseTimeMs = Math.round(performance.now() - startedAt);
  const result = await describeOutputs(created, responseTimeMs, context);
  const usesCache = created.captures.every(({ capture }) => capture.cache);
  const headers = {
    "X-Response-Time": String(responseTimeMs),
    "X-Cache": cacheStatus({ usesCache, fromCache: created.fromCache, isStale: false }),
    "Server-Timing": serverTiming(),
  };
  if (responseType !== "zip") return json(200, result, headers);
  const successes = created.captures.flatMap((ended) =>
    "result" in ended
      ? [{ name: outputName(ended), result: ended.result, readBody: () => bodyOf(ended.result, bucket) }]
      : [],
  );
  const [first] = created.captures;
  const files = await archiveFiles(successes, result, first ? archiveBytes(first.capture) : 0);
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

async function describeOutputs(
  { loads, fromCache, captures }: CreatedCaptures,
  responseTimeMs: number,
  context: AnswerContext,
): Promise<OutputsJson> {
  const successes = captures.flatMap((ended) => ("result" in ended ? [ended.result] : []));
  const expiries = successes.flatMap(({ stored }) => (stored ? [stored.expires_at] : []));
  const isTest = captures.some(({ capture }) => isTestCaller(capture.caller));
  return {
    request_id: context.requestId,
    expires_at: new Date(Math.min(...expiries)).toISOString(),
    response_time_ms: responseTimeMs,
    from_cache: fromCache,
    loads,
    ...(isTest && { test: true as const }),
    outputs: await Promise.all(captures.map((ended) => describeOutput(ended, context))),
    billed: billedCredits(successes, isTest),
  };
}

async function describeOutput(ended: CommittedCapture, { bucket, links }: AnswerContext): Promise<OutputJson> {
  const name = outputName(ended);
  if ("error" in ended) {
    const { error, requestId } = ended;
    return { name, status: "failed", request_id: requestId, error: errorBody(error, requestId, supportAddress()) };
  }
  const { result, capture } = ended;
  const { stored, requestId } = result;
  if (!stored) throw new Error("The result of an output is not stored.");
  const { link } = createLinks(stored, { baseUrl: links.baseUrl, secret: await links.secret() });
  const content = hasContent(result) ? (await bodyOf(result, bucket))?.toString() : undefined;
  return describeStored(stored, { name, requestId, options: capture.rawOptions, url: link.url, content });
}

function outputName({ capture }: CommittedCapture): string {
  return capture.group?.output ?? "";
}

/** The bytes of a result: those that were just rendered, or else those that are stored. */
async function bodyOf({ body, stored }: RenderedCapture, bucket: string): Promise<Buffer | undefined> {
  return body ?? (stored && (await readBody(bucket, stored)));
}
