// The routes of usage: the list of captures, their search, export, and details, and statistics of them.
import type { JsonSchema } from "../../contract/options/option.ts";
import { atMost } from "../../contract/options/wording.ts";
import { defineRoute } from "../http/define-route.ts";
import { DescribedCaptureResponse, UsageBreakdown, UsagePage, UsageSearch, UsageStatistics } from "./responses.ts";
import {
  exportEntries,
  listEntries,
  MAX_READ,
  MAX_SPAN_DAYS,
  MAX_STREAMED_EXPORT,
  parseExportOptions,
  parseListOptions,
  parseSearchOptions,
  parseStatisticsOptions,
  searchEntries,
  statisticsEntries,
} from "./usage-options.ts";

const handlers = () => import("./serve-usage.ts");

const ofUsage = { method: "GET", access: "usage" } as const;

const tag = "Usage";

const logVariables = ["ACTIVITY_TABLE", "USAGE_RETENTION_DAYS"] as const;

const text: JsonSchema = { type: "string" };

export const listCapturesRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage",
  functionName: "api",
  env: [...logVariables, "BASE_URL"],
  options: { entries: listEntries, parse: parseListOptions },
  operation: {
    id: "listCaptures",
    tag,
    summary: "List your captures, newest first",
    description:
      "Lists captures that were attempted, but not requests that were rejected before. A capture must match all filters that " +
      "you send. `total` is exact, and every page is equally fast. Requires an API key with the scope `usage`.",
    queryType: "CaptureFilter",
  },
  responses: { 200: { description: "A page of the list.", json: [UsagePage] } },
  handler: async () => (await handlers()).listCaptures,
});

export const usageStatisticsRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage/stats",
  functionName: "api",
  env: ["USAGE_RETENTION_DAYS"],
  options: { entries: statisticsEntries, parse: parseStatisticsOptions },
  operation: {
    id: "getUsageStatistics",
    tag,
    summary: "Get successes, failures, and response times per day",
    description:
      `Covers the last \`days\`, or the range from \`from\` to \`to\`, ${atMost(MAX_SPAN_DAYS, "days")}. ` +
      "Requires an API key with the scope `usage`.",
    queryType: "StatisticsFilter",
  },
  responses: { 200: { description: "The days and their totals.", json: [UsageStatistics] } },
  handler: async () => (await handlers()).usageStatistics,
});

export const usageBreakdownRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage/breakdown",
  functionName: "api",
  env: logVariables,
  options: { entries: statisticsEntries, parse: parseStatisticsOptions },
  operation: {
    id: "getUsageBreakdown",
    tag,
    summary: "Get captures by format, host, and API key, with percentiles",
    description:
      `Reads the newest captures of the range, ${atMost(MAX_READ, "captures")}: \`is_complete\` tells whether these are all. Requires an API key ` +
      "with the scope `usage`.",
    queryType: "BreakdownFilter",
  },
  responses: { 200: { description: "The breakdown.", json: [UsageBreakdown] } },
  handler: async () => (await handlers()).usageBreakdown,
});

export const searchCapturesRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage/search",
  functionName: "api",
  env: [...logVariables, "BASE_URL"],
  options: { entries: searchEntries, parse: parseSearchOptions },
  operation: {
    id: "searchCaptures",
    tag,
    summary: "Search your captures by error, problem, format, cache, and address",
    description:
      "Finds what the list can't filter by, from the newest capture on. There is no total: follow `next_before` until it is " +
      "`null`. Requires an API key with the scope `usage`.",
    queryType: "SearchFilter",
  },
  responses: { 200: { description: "A part of what matches.", json: [UsageSearch] } },
  handler: async () => (await handlers()).searchCaptures,
});

export const exportCapturesRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage/export",
  functionName: "api",
  deadlineSeconds: 300, // for as long as the log is
  env: [...logVariables, "BASE_URL"],
  options: { entries: exportEntries, parse: parseExportOptions },
  operation: {
    id: "exportCaptures",
    tag,
    summary: "Export your captures as CSV or NDJSON",
    description:
      `Streams all captures that match, newest first, if there are ${atMost(MAX_STREAMED_EXPORT, "captures")} in the days from \`from\` to ` +
      "`to`, whether they match or not. For more, use `POST /usage/exports`. In CSV, a text that a spreadsheet would run as a formula begins with an " +
      "apostrophe. Requires an API key with the scope `usage`.",
    queryType: "ExportFilter",
  },
  responses: {
    200: {
      description: "The captures, one a line.",
      content: { "text/csv": text, "application/x-ndjson": text },
      headers: ["Content-Disposition"],
    },
  },
  handler: async () => (await handlers()).exportCaptures,
});

const pathParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The `id` of the capture.", schema: { type: "integer" } },
];

export const getCaptureDetailsRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage/{id}",
  functionName: "api",
  env: [...logVariables, "BASE_URL"],
  operation: {
    id: "getCaptureDetails",
    tag,
    pathParameters,
    summary: "Get a capture of the list with its times, warnings, and stored result",
    description: "Requires an API key with the scope `usage`.",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The capture.", json: [DescribedCaptureResponse] } },
  handler: async () => (await handlers()).getCaptureDetails,
});

export const deleteCaptureRoute = defineRoute({
  method: "DELETE",
  access: "capture",
  path: "/api/v1/usage/{id}",
  functionName: "api",
  env: [...logVariables, "RESULTS_BUCKET"],
  operation: {
    id: "deleteCapture",
    tag,
    pathParameters,
    summary: "Delete what a capture has stored",
    description:
      "Deletes the stored result, the report, and the thumbnail, and ends their links. The capture stays in the list and in the " +
      "statistics, without them. A capture that the cache answered has those of the capture that made them, which stay: delete that " +
      "one, and the cache no longer answers with its result. For an asynchronous capture, the file is deleted as with " +
      "`DELETE /screenshot/{id}`. Deleting again has no effect. Requires an API key with the scope `capture`.",
    errors: ["NOT_FOUND"],
  },
  responses: { 204: { description: "Nothing of the capture is stored any more." } },
  handler: async () => (await import("./delete-capture.ts")).deleteCapture,
});

export const getThumbnailRoute = defineRoute({
  ...ofUsage,
  path: "/api/v1/usage/{id}/thumbnail",
  functionName: "api",
  sessionLimit: "thumbnails",
  env: [...logVariables, "RESULTS_BUCKET"],
  operation: {
    id: "getThumbnail",
    tag,
    pathParameters,
    summary: "Get the thumbnail of a capture",
    description:
      "A WebP of at most 320 × 400 pixels and 15 kB, the top of a tall result. It is stored for 30 days after the capture, unless " +
      "`store_thumbnail` or the account's setting `store_thumbnails` turns it off. Images have one, and videos of their first frame. " +
      "Requires an API key with the scope `usage`.",
    errors: ["NOT_FOUND"],
  },
  responses: {
    200: {
      description: "The thumbnail.",
      content: { "image/webp": { type: "string", format: "binary" } },
      headers: ["Cache-Control"],
    },
  },
  handler: async () => (await import("./serve-thumbnail.ts")).getThumbnail,
});
