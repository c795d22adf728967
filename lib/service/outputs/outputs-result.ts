// The JSON of a request with `outputs` that has ended.

import { errorBody } from "../../contract/errors/api-error.ts";
import { type Format, formatKind } from "../../contract/options/formats.ts";
import { creditFor } from "../billing/quota.ts";
import type { LinkSigning } from "../captures/capture-response.ts";
import { captureResult } from "../captures/capture-result.ts";
import { isTestCaller } from "../captures/mark-capture.ts";
import type { RenderedCapture } from "../captures/render.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { createLinks } from "../results/stored-capture.ts";
import { readBody } from "../results/stored-capture-store.ts";
import type { CreatedOutputs, EndedOutput } from "./create-outputs.ts";
import { MAX_CONTENT_BYTES, type OutputResult, type OutputsResult } from "./responses.ts";

type OutputJson = ResponseBody<typeof OutputResult>;
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
  const successes = outputs.flatMap((output) => ("result" in output ? [output] : []));
  const expiries = successes.flatMap(({ result: { stored } }) => (stored ? [stored.expires_at] : []));
  const isTest = outputs.some(({ capture }) => isTestCaller(capture.caller));
  const billed = (credit: string) =>
    isTest ? 0 : successes.filter(({ result }) => !result.fromCache && creditFor(result.format) === credit).length;
  return {
    request_id: context.requestId,
    expires_at: new Date(Math.min(...expiries)).toISOString(),
    response_time_ms: context.responseTimeMs,
    from_cache: fromCache,
    loads,
    ...(isTest && { test: true as const }),
    outputs: await Promise.all(outputs.map((output) => describeOutput(output, context))),
    billed: { screenshots: billed("screenshots"), videos: billed("videos") },
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
  const { image_size: size, ...metadata } = result.metadata;
  const wantsSize = isTrue(capture.rawOptions["metadata_image_size"]);
  const stated = { ...result, isTest: false, statesQuality: true, metadata: wantsSize ? result.metadata : metadata };
  const { url, mime_type, file_size_bytes, ...facts } = captureResult(stated, link);
  const { expires_at: _, response_time_ms: __, from_cache: ___, request_id: ____, ...further } = facts;
  const content = await textContent(result, bucket);
  return {
    name,
    status: "success",
    request_id: requestId,
    url,
    mime_type,
    file_size_bytes,
    ...(size && { width: size.width, height: size.height }),
    ...(stored.pages !== undefined && { pages: stored.pages }),
    ...further,
    ...(content !== undefined && { content }),
  };
}

/** True for an option that was sent as true, in JSON or as text. It is valid. */
function isTrue(sent: unknown): boolean {
  return ["true", "1"].includes(String(sent).toLowerCase());
}

/** The text of a result, if it has one that is short enough; undefined otherwise. */
async function textContent(result: RenderedCapture, bucket: string): Promise<string | undefined> {
  if (!isText(result.format) || result.sizeBytes > MAX_CONTENT_BYTES) return undefined;
  return (await bodyOf(result, bucket))?.toString();
}

/** True for formats in UTF-8. An MHTML document has parts in other encodings. */
export function isText(format: Format): boolean {
  return formatKind(format) === "document" && format !== "mhtml";
}

/** The bytes of a result: those that were just rendered, or else those that are stored. */
export async function bodyOf({ body, stored }: RenderedCapture, bucket: string): Promise<Buffer | undefined> {
  return body ?? (stored && (await readBody(bucket, stored)));
}
