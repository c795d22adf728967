// The response to a capture: its bytes, or a JSON result with a link to them.
import { createHash } from "node:crypto";
import { redirectResponse } from "../http/redirect-response.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { createLinks } from "../results/stored-capture.ts";
import { type CaptureRequest, isAnsweredWithBody } from "./capture-request.ts";
import { captureHeaders, captureResult } from "./capture-result.ts";
import type { RenderedCapture } from "./render.ts";
import type { CaptureResult } from "./responses.ts";

/** The origin of links to results, and the secret that signs them. */
export interface LinkSigning {
  readonly baseUrl: string;
  readonly secret: () => Promise<string>;
}

/** The response that `response_type` asks for. For `json`, and for a result without bytes, the capture has been stored. */
export async function createCaptureResponse(
  result: RenderedCapture,
  { options, cache, clock, job }: Pick<CaptureRequest, "options" | "cache" | "clock" | "job">,
  { baseUrl, secret }: LinkSigning,
): Promise<ApiResponse<ResponseBody<typeof CaptureResult>>> {
  const { body, stored } = result;
  const facts = {
    ...result,
    usesCache: cache !== undefined,
    isStale: result.staleSince !== undefined,
    isTest: options.test_mark === true,
    statesQuality: statesQuality(options),
  };
  const headers = captureHeaders(facts, clock.header());
  if (options.response_type === "json" && stored) {
    const { link, slices } = createLinks(stored, { baseUrl, secret: await secret() });
    return json(200, captureResult(facts, link, slices), headers);
  }
  if (!isAnsweredWithBody({ options, job }))
    return { status: 204, headers: { "Cache-Control": "no-store", ...headers } };
  if (!body) return redirectToResult(result, headers, { baseUrl, secret });
  const isBase64 = options.response_type === "base64";
  const payload = isBase64 ? Buffer.from(body.toString("base64")) : body;
  return {
    status: 200,
    headers: {
      "Content-Type": isBase64 ? "text/plain; charset=us-ascii" : facts.mimeType,
      "Content-Length": String(payload.length),
      "Content-Disposition": contentDisposition(options.attachment_name),
      ETag: `"${createHash("sha256").update(payload).digest("base64url").slice(0, 22)}"`,
      ...headers,
    },
    body: payload,
  };
}

/** True where the quality of a capture without problems is stated, too. */
export function statesQuality(options: Readonly<Record<string, unknown>>): boolean {
  return options["min_quality"] !== undefined || options["metadata_report"] === true;
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
