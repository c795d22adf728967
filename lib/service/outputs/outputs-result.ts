// The JSON of a request with `outputs` that has ended.

import { errorBody } from "../../contract/errors/api-error.ts";
import type { LinkSigning } from "../captures/capture-response.ts";
import type { RenderedCapture } from "../captures/render.ts";
import { isTestCaller } from "../captures/test-caller.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { createLinks } from "../results/stored-capture.ts";
import { readBody } from "../results/stored-capture-store.ts";
import type { CreatedOutputs, EndedOutput } from "./create-outputs.ts";
import { billedCredits, describeStored, hasContent, type OutputJson } from "./describe-output.ts";
import type { OutputsResult } from "./responses.ts";

export type OutputsJson = ResponseBody<typeof OutputsResult>;

export interface ResultContext {
  readonly requestId: number;
  readonly responseTimeMs: number;
  readonly bucket: string;
  readonly links: LinkSigning;
}

/** Describes the outputs of a request, of which at least one has succeeded. */
export async function outputsResult(created: CreatedOutputs, context: ResultContext): Promise<OutputsJson> {
  const { loads, fromCache, outputs } = created;
  const successes = outputs.flatMap((output) => ("result" in output ? [output.result] : []));
  const expiries = successes.flatMap(({ stored }) => (stored ? [stored.expires_at] : []));
  const isTest = outputs.some(({ capture }) => isTestCaller(capture.caller));
  return {
    request_id: context.requestId,
    expires_at: new Date(Math.min(...expiries)).toISOString(),
    response_time_ms: context.responseTimeMs,
    from_cache: fromCache,
    loads,
    ...(isTest && { test: true as const }),
    outputs: await Promise.all(outputs.map((output) => describeOutput(output, context))),
    billed: billedCredits(successes, isTest),
  };
}

async function describeOutput(output: EndedOutput, { bucket, links }: ResultContext): Promise<OutputJson> {
  const { name, capture } = output;
  if ("error" in output) {
    const { error, requestId } = output;
    return { name, status: "failed", request_id: requestId, error: errorBody(error, requestId) };
  }
  const { result } = output;
  const { stored, requestId } = result;
  if (!stored) throw new Error("The result of an output is not stored.");
  const { link } = createLinks(stored, { baseUrl: links.baseUrl, secret: await links.secret() });
  const isContent = hasContent({ format: result.format, sizeBytes: result.sizeBytes });
  const content = isContent ? (await bodyOf(result, bucket))?.toString() : undefined;
  return describeStored(stored, { name, requestId, options: capture.rawOptions, url: link.url, content });
}

/** The bytes of a result: those that were just rendered, or else those that are stored. */
export async function bodyOf({ body, stored }: RenderedCapture, bucket: string): Promise<Buffer | undefined> {
  return body ?? (stored && (await readBody(bucket, stored)));
}
