// The answer of a capture: its bytes, or the JSON result that says where they are.
import { createHash } from "node:crypto";
import type { PhaseClock } from "../capture/phase-clock.ts";
import { captureHeaders, captureResult } from "../contract/results.ts";
import { type Answer, json } from "./answer.ts";
import type { Taken } from "./take-capture.ts";

export function captureAnswer({ facts, body, link }: Taken, clock: PhaseClock): Answer {
  const headers = captureHeaders(facts, clock.header());
  if (link) return json(200, captureResult(facts, link), headers);
  return {
    status: 200,
    headers: {
      "Content-Type": facts.mimeType,
      "Content-Length": String(body.length),
      "Content-Disposition": "inline",
      ETag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
      ...headers,
    },
    body,
  };
}
