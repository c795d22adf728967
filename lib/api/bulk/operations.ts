// The operation that takes several captures, as OpenAPI shows it.

import type { JsonSchema } from "../../options/option.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { idempotencyKeyParameter, withIdempotencyKey } from "../openapi/idempotency-parameter.ts";
import { json } from "../openapi/other-operations.ts";
import { MAX_BULK_REQUESTS } from "./bulk-options.ts";

const captures = { $ref: "#/components/schemas/BulkCaptures" };

export const captureBulk = (): JsonSchema => ({
  operationId: "captureBulk",
  tags: ["Captures"],
  summary: `Capture up to ${MAX_BULK_REQUESTS} pages with one request`,
  description:
    "All of them are taken in the background, as with `async`. When an option of one is wrong, none is taken, and " +
    "`details` names it like `requests.3.url`, where the first request is number 0. Each capture counts as a request " +
    "for the rate limit; one for which that, the quota or the captures at once leave no room is told as `refused` in its " +
    "place, and the others are taken. Needs a key with the scope `capture`.",
  parameters: [
    idempotencyKeyParameter(
      "The same captures are told as they are then, and none is taken again, those neither that were refused; where all " +
        "were refused, the next request is carried out.",
    ),
  ],
  requestBody: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Bulk" } } } },
  responses: {
    "200": withIdempotencyKey(json("All are over, or so many as were after about three and a half minutes.", captures)),
    "202": withIdempotencyKey(json("With `execute` false: how it stands with them now.", captures)),
    ...errorResponses(
      "BAD_REQUEST",
      "VALIDATION_ERROR",
      "UNAUTHORIZED",
      "FORBIDDEN",
      "CONFLICT",
      "BODY_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
    ),
  },
});
