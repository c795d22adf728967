// The answer of a capture: its bytes, or the JSON result that says where they are.
import { createHash } from "node:crypto";
import type { PhaseClock } from "../capture/phase-clock.ts";
import type { CaptureOptions } from "../contract/capture-options.ts";
import { mimeTypes } from "../contract/formats.ts";
import { captureHeaders, captureResult, contentDisposition } from "../contract/results.ts";
import { type Answer, json } from "./answer.ts";
import type { Taken } from "./take-capture.ts";

/** The answer the caller asked for with `response_type`. */
export function captureAnswer(
  taken: Taken,
  { response_type, attachment_name }: CaptureOptions,
  clock: PhaseClock,
): Answer {
  const { facts, body, link, slices } = taken;
  const headers = captureHeaders(facts, clock.header());
  if (link) return json(200, captureResult(facts, link, slices), headers);
  if (response_type === "empty") return { status: 204, headers: { "Cache-Control": "no-store", ...headers } };
  const isText = response_type === "base64";
  const sent = isText ? Buffer.from(body.toString("base64")) : body;
  return {
    status: 200,
    headers: {
      "Content-Type": isText ? "text/plain; charset=us-ascii" : facts.mimeType,
      "Content-Length": String(sent.length),
      "Content-Disposition": contentDisposition(attachment_name),
      ...(isDocument(facts.mimeType) && !isText && { "Content-Security-Policy": "sandbox; default-src 'none'" }),
      ETag: `"${createHash("sha256").update(sent).digest("base64url").slice(0, 22)}"`,
      ...headers,
    },
    body: sent,
  };
}

/**
 * A captured document must not run its scripts as part of this service. Pictures and sheets have none, and with such a
 * policy Chrome refuses to show a pdf.
 */
function isDocument(mimeType: string): boolean {
  return !mimeType.startsWith("image/") && mimeType !== mimeTypes.pdf;
}
