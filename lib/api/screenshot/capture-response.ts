// The answer of a capture: its bytes, or the JSON result that says where they are.
import { createHash } from "node:crypto";
import type { CaptureRequest, RenderedCapture } from "../../captures/render-capture.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import { contentDisposition } from "../../results/content-disposition.ts";
import { createLinks } from "../../results/stored-capture.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../response-fields.ts";
import { captureHeaders, captureResult } from "./capture-result.ts";
import type { CaptureResult } from "./responses.ts";

/** Where links lead, and what signs them. */
export interface LinkSigning {
  readonly baseUrl: string;
  readonly secret: () => Promise<string>;
}

/** True for an answer that has the bytes of the capture in it. */
export function hasBytes({ response_type }: Pick<CaptureOptions, "response_type">): boolean {
  return response_type === "by_format" || response_type === "base64";
}

/** The answer the caller asked for with `response_type`; for `json` the capture has been stored. */
export async function createCaptureResponse(
  taken: RenderedCapture,
  { options, clock, usesCache }: Pick<CaptureRequest, "options" | "clock"> & { readonly usesCache: boolean },
  { baseUrl, secret }: LinkSigning,
): Promise<ApiResponse<ResponseBody<typeof CaptureResult>>> {
  const { response_type, attachment_name } = options;
  const { body, stored } = taken;
  const facts = { ...taken, usesCache, isStale: taken.staleSince !== undefined };
  const headers = captureHeaders(facts, clock.header());
  if (response_type === "json" && stored) {
    const { link, slices } = createLinks(stored, { baseUrl, secret: await secret() });
    return json(200, captureResult(facts, link, slices), headers);
  }
  if (response_type === "empty") return { status: 204, headers: { "Cache-Control": "no-store", ...headers } };
  if (!body) throw new Error("The answer has no bytes.");
  const isText = response_type === "base64";
  const sent = isText ? Buffer.from(body.toString("base64")) : body;
  return {
    status: 200,
    headers: {
      "Content-Type": isText ? "text/plain; charset=us-ascii" : facts.mimeType,
      "Content-Length": String(sent.length),
      "Content-Disposition": contentDisposition(attachment_name),
      ETag: `"${createHash("sha256").update(sent).digest("base64url").slice(0, 22)}"`,
      ...headers,
    },
    body: sent,
  };
}
