// The OpenAPI operations of usage reports.
import type { JsonSchema } from "../../options/option.ts";
import { atMost } from "../../options/wording.ts";
import {
  exportEntries,
  listEntries,
  MAX_READ,
  MAX_SPAN_DAYS,
  searchEntries,
  statisticsEntries,
} from "../../usage/usage-options.ts";
import { errorResponses } from "../openapi/error-responses.ts";
import { headerRefs, standardHeaders } from "../openapi/headers.ts";
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

export const usageBreakdown = (): JsonSchema => ({
  operationId: "getUsageBreakdown",
  tags,
  summary: "Get captures by format, host, and API key, with percentiles",
  description:
    `Reads the newest captures of the range, ${atMost(MAX_READ, "captures")}: \`is_complete\` tells whether these are all. Requires an API key ` +
    "with the scope `usage`.",
  parameters: queryParameters(statisticsEntries),
  responses: { ...jsonResponses("GET /api/v1/usage/breakdown", { 200: "The breakdown." }), ...errors },
});

export const searchCaptures = (): JsonSchema => ({
  operationId: "searchCaptures",
  tags,
  summary: "Search your captures by format, cache, and address",
  description:
    "Finds what the list can't filter by, from the newest capture on. There is no total: follow `next_before` until it is " +
    "`null`. Requires an API key with the scope `usage`.",
  parameters: queryParameters(searchEntries),
  responses: { ...jsonResponses("GET /api/v1/usage/search", { 200: "A part of what matches." }), ...errors },
});

export const exportCaptures = (): JsonSchema => ({
  operationId: "exportCaptures",
  tags,
  summary: "Export your captures as CSV or NDJSON",
  description:
    "Streams all captures that match, newest first. In CSV, a text that a spreadsheet would run as a formula begins with an " +
    "apostrophe. Requires an API key with the scope `usage`.",
  parameters: queryParameters(exportEntries),
  responses: {
    "200": {
      description: "The captures, one a line.",
      headers: headerRefs(...standardHeaders, "Content-Disposition"),
      content: {
        "text/csv": { schema: { type: "string" } },
        "application/x-ndjson": { schema: { type: "string" } },
      },
    },
    ...errors,
  },
});

/** The path parameters of a capture. */
export const captureParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The `id` of the capture.", schema: { type: "integer" } },
];

export const getCaptureDetails = (): JsonSchema => ({
  operationId: "getCaptureDetails",
  tags,
  summary: "Get a capture of the list with its times, warnings, and stored result",
  description: "Requires an API key with the scope `usage`.",
  responses: {
    ...jsonResponses("GET /api/v1/usage/{id}", { 200: "The capture." }),
    ...errorResponses("VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"),
  },
});

export const usageStatistics = (): JsonSchema => ({
  operationId: "getUsageStatistics",
  tags,
  summary: "Get successes, failures, and response times per day",
  description:
    `Covers the last \`days\`, or the range from \`from\` to \`to\`, ${atMost(MAX_SPAN_DAYS, "days")}. ` +
    "Requires an API key with the scope `usage`.",
  parameters: queryParameters(statisticsEntries),
  responses: { ...jsonResponses("GET /api/v1/usage/stats", { 200: "The days and their totals." }), ...errors },
});
