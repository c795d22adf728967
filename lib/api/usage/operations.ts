// The OpenAPI operations of usage reports.
import type { JsonSchema } from "../../options/option.ts";
import { listEntries, statisticsEntries } from "../../usage/usage-options.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { queryParameters } from "../openapi/option-schemas.ts";
import { jsonResponses } from "../openapi/success-responses.ts";

const tags = ["Usage"];

const errors = errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN");

export const listCaptures = (): JsonSchema => ({
  operationId: "listCaptures",
  tags,
  summary: "List your captures, newest first",
  description:
    "Lists captures that were attempted, but not requests that were rejected before. A capture must match all filters that " +
    "you send. `total` is exact, and every page is equally fast. Requires an API key with the scope `usage`.",
  parameters: queryParameters(listEntries),
  responses: { ...jsonResponses("GET /api/v1/usage", { 200: "A page of the list." }), ...errors },
});

export const usageStatistics = (): JsonSchema => ({
  operationId: "getUsageStatistics",
  tags,
  summary: "Get successes, failures, and response times per day",
  description:
    "Covers the last `days`, or the range from `from` to `to`. Send `from` and `to` together; they can span at most 90 " +
    "days. Requires an API key with the scope `usage`.",
  parameters: queryParameters(statisticsEntries),
  responses: { ...jsonResponses("GET /api/v1/usage/stats", { 200: "The days and their totals." }), ...errors },
});
