// The OpenAPI operation of bulk requests.
import type { JsonSchema } from "../../options/option.ts";
import { bodyErrors, errorResponses } from "../openapi/error-responses.ts";
import { idempotencyKeyParameter } from "../openapi/idempotency-parameter.ts";
import { jsonResponses } from "../openapi/success-responses.ts";
import { MAX_BULK_REQUESTS } from "./bulk-options.ts";

export const captureBulk = (): JsonSchema => ({
  operationId: "captureBulk",
  tags: ["Captures"],
  summary: `Capture up to ${MAX_BULK_REQUESTS} pages with one request`,
  description:
    "All captures are asynchronous, as with `async=true`. If an option of any capture is invalid, none is captured; " +
    "`details` names the option, for example `requests.3.url` (the first capture is number 0). Each capture counts as one " +
    "request for the rate limit. A capture that exceeds the quota, the rate limit, or the number of simultaneous captures " +
    "is `refused` in its place in the list; the others are captured. Requires an API key with the scope `capture`.",
  parameters: [
    idempotencyKeyParameter(
      "A repeated request returns the current status of the same captures, including those that were refused. If all were " +
        "refused, a repeated request starts again.",
    ),
  ],
  requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Bulk" } } } },
  responses: {
    ...jsonResponses(
      "POST /api/v1/bulk",
      {
        200: "The captures, after all have ended or after about three and a half minutes.",
        202:
          "The captures that were started, each with its `status_url`. Returned with `execute=false`, and when too many " +
          "other bulk requests wait for their captures.",
      },
      ["Idempotent-Replayed"],
    ),
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "CONFLICT", ...bodyErrors),
  },
});
