// The route of bulk requests.
import { defineRoute } from "../http/define-route.ts";
import { BULK_DEADLINE_S, bulkEntries, MAX_BULK_REQUESTS } from "./bulk-options.ts";
import { BulkCaptures } from "./responses.ts";

const handlers = () => import("./serve-bulk.ts");

export const captureBulkRoute = defineRoute({
  method: "POST",
  path: "/api/v1/bulk",
  functionName: "api",
  access: "capture",
  deadlineSeconds: BULK_DEADLINE_S,
  env: ["ACTIVITY_TABLE", "RESULTS_BUCKET", "RENDER_QUEUE_URL", "BASE_URL", "MAX_WAITING_BULKS"],
  idempotency: {
    description:
      "A repeated request returns the current status of the same captures, including those that were refused. If all were " +
      "refused, a repeated request starts again.",
    isOwn: true,
  },
  options: { entries: bulkEntries, parse: async (rawOptions) => (await handlers()).parseCaptures(rawOptions) },
  operation: {
    id: "captureBulk",
    tag: "Captures",
    summary: `Capture up to ${MAX_BULK_REQUESTS} pages with one request`,
    description:
      "All captures are asynchronous, as with `async=true`. If an option of any capture is invalid, none is captured; " +
      "`details` names the option, for example `requests.3.url` (the first capture is number 0). Each capture counts as one " +
      "request for the rate limit. A capture that exceeds the quota, the rate limit, or the number of simultaneous captures " +
      "is `refused` in its place in the list; the others are captured. Requires an API key with the scope `capture`.",
    body: {
      name: "Bulk",
      required: ["requests"],
      isJsonOnly: true,
      examples: [
        {
          options: { format: "webp", full_page: true },
          requests: [{ url: "https://example.com" }, { url: "https://example.org", format: "pdf", full_page: false }],
        },
      ],
    },
  },
  responses: {
    200: {
      description: "The captures, after all have ended or after about three and a half minutes.",
      json: [BulkCaptures],
    },
    202: {
      description:
        "The captures that were started, each with its `status_url`. Returned with `execute=false`, and when too many " +
        "other bulk requests wait for their captures.",
      json: [BulkCaptures],
    },
  },
  handler: async () => (await handlers()).captureBulk,
});
