// The response to a request for one result: its bytes, or a JSON result with a link to them.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { creditFor } from "../billing/quota.ts";
import { captureCacheControl } from "../http/edge-cache.ts";
import { redirectResponse } from "../http/redirect-response.ts";
import { type ApiResponse, json, type StreamedResponse } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { createLinks } from "../results/stored-capture.ts";
import type { AnswerContext, LinkSigning } from "./answer-context.ts";
import { type CaptureRequest, isAnsweredWithBody } from "./capture-request.ts";
import { captureHeaders, captureResult, statesQuality } from "./capture-result.ts";
import type { CreatedCaptures, RenderedCapture, SucceededCapture } from "./rendered-capture.ts";
import type { CaptureResult, CaptureValidation } from "./responses.ts";
import { resolvedOptions, type ValidRequest } from "./valid-request.ts";

const billedAs = { screenshots: "screenshot", videos: "video" } as const;

/** The response to `validate=true`. */
export function describeValid({ outputs, isTest }: ValidRequest): ResponseBody<typeof CaptureValidation> {
  const [output] = outputs;
  const billed = isTest ? null : billedAs[creditFor(output.options.format)];
  return { valid: true, billed_as: billed, options: resolvedOptions(output) };
}

/**
 * The response with the only capture of a request, which has succeeded, as `response_type` asks for it; `encodeBody` makes the text of
 * `base64`. For `json`, and for a result without bytes, the capture has been stored.
 */
export async function createResponse(
  { captures: [ended] }: CreatedCaptures,
  context: OneContext,
): Promise<ApiResponse<ResponseBody<typeof CaptureResult>>> {
  if (!ended || !("result" in ended)) throw new Error("The capture has no result.");
  const response = await createResultResponse(ended, context);
  const { linkExpiresAt } = context;
  return linkExpiresAt === undefined ? response : withBrowserCache(response, { ...ended, linkExpiresAt });
}

type OneContext = Pick<AnswerContext, "links" | "serverTiming" | "linkExpiresAt">;

interface OneResult extends Pick<SucceededCapture, "result"> {
  readonly capture: Pick<CaptureRequest, "options" | "cache" | "job">;
}

/** The response with one result, without a `Cache-Control` for browsers. */
export async function createResultResponse(
  { result, capture: { options, cache, job } }: OneResult,
  { links: { baseUrl, secret }, serverTiming }: Omit<OneContext, "linkExpiresAt">,
): Promise<ApiResponse<ResponseBody<typeof CaptureResult>>> {
  const { body, stored } = result;
  const facts = {
    ...result,
    usesCache: cache !== undefined,
    isStale: result.staleSince !== undefined,
    isTest: options.test_mark === true,
    statesQuality: statesQuality(options),
  };
  const headers = captureHeaders(facts, serverTiming());
  const isDescribed = options.response_type === "json" || (result.storageError && options.response_type === "empty");
  if (isDescribed && stored) {
    const { link, slices } = createLinks(stored, { baseUrl, secret: await secret() });
    return json(200, captureResult(facts, link, slices), headers);
  }
  if (!isAnsweredWithBody({ options, job }))
    return { status: 204, headers: { "Cache-Control": "no-store", ...headers } };
  if (!body) return redirectToResult(result, headers, { baseUrl, secret });
  return {
    status: 200,
    headers: {
      "Content-Type": facts.mimeType,
      "Content-Length": String(body.length),
      "Content-Disposition": contentDisposition(options.attachment_name),
      ETag: entityTag(body, options.response_type),
      ...headers,
    },
    body,
  };
}

/** By the bytes of the result. Their text is another representation. */
function entityTag(body: Buffer, responseType: string): string {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return responseType === "base64" ? `"${hash}-base64"` : `"${hash}"`;
}

const BASE64_TYPE = "text/plain; charset=us-ascii";

/**
 * The response with its bytes as base64, which are encoded as they are sent: the text of a large result would take more memory than the
 * function has. A response that is such a text already, or has no bytes, stays as it is.
 */
export function encodeBody<Json>(response: StreamedResponse<Json>): StreamedResponse<Json> {
  const { status, headers = {}, body } = response;
  if (status !== 200 || !Buffer.isBuffer(body) || headers["Content-Type"] === BASE64_TYPE) return response;
  const length = 4 * Math.ceil(body.length / 3);
  return {
    ...response,
    headers: { ...headers, "Content-Type": BASE64_TYPE, "Content-Length": String(length) },
    body: Readable.from(encodeInChunks(body)),
  };
}

/** A multiple of 3 bytes, so that only the last chunk is padded. */
const CHUNK_BYTES = 3 * 64 * 1024;

function* encodeInChunks(body: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < body.length; offset += CHUNK_BYTES)
    yield Buffer.from(body.toString("base64", offset, offset + CHUNK_BYTES), "latin1");
}

/** 303: clients repeat the request as GET, also when it was a POST. The link needs no API key. */
async function redirectToResult(
  { stored, sizeBytes }: Pick<RenderedCapture, "stored" | "sizeBytes">,
  headers: Readonly<Record<string, string>>,
  { baseUrl, secret }: LinkSigning,
): Promise<ApiResponse<never>> {
  if (!stored) throw new Error("A response without bytes needs a stored result.");
  const { link } = createLinks(stored, { baseUrl, secret: await secret() });
  return redirectResponse({
    status: 303,
    location: link.url,
    sizeBytes,
    validity: `until ${new Date(link.expiresAt).toISOString()}`,
    advice: "Follow the redirect (with curl, add -L), or send response_type=json to get the address as JSON.",
    headers,
  });
}

interface LinkedCapture extends SucceededCapture {
  readonly linkExpiresAt: number;
}

/** The response to a signed link: browsers keep a cached capture as long as the cache does, but not after the link has expired. */
function withBrowserCache<Json>(
  response: ApiResponse<Json>,
  { capture: { cache, startedAt }, result, linkExpiresAt }: LinkedCapture,
): ApiResponse<Json> {
  const { status, headers = {} } = response;
  if (!cache || status !== 200 || "Cache-Control" in headers) return response;
  const now = Date.now();
  const receivedAt = now - (performance.now() - startedAt);
  const { freshUntil = receivedAt + cache.ttlSeconds * 1000 } = result;
  const cacheControl = captureCacheControl(Math.min(linkExpiresAt, freshUntil), now);
  return { ...response, headers: { ...headers, "Cache-Control": cacheControl } };
}
