// The routes of exports of captures that go on after the response, for as many captures as there are.
import type { JsonSchema } from "../../contract/options/option.ts";
import { defineRoute } from "../http/define-route.ts";
import { exportEntries, parseExportOptions } from "../usage/usage-options.ts";
import { EXPORT_DAYS } from "./data-export.ts";
import { DataExportResponse } from "./responses.ts";

const handlers = () => import("./serve-exports.ts");

const PATH = "/api/v1/usage/exports";

const ofUsage = {
  functionName: "api",
  access: "usage",
  env: ["ACTIVITY_TABLE", "BASE_URL", "ACCOUNT_DATA_QUEUE_URL"],
} as const;

const pathParameters: readonly JsonSchema[] = [
  { name: "id", in: "path", required: true, description: "The `id` of the export.", schema: { type: "integer" } },
];

export const startCaptureExportRoute = defineRoute({
  ...ofUsage,
  method: "POST",
  path: PATH,
  options: { entries: exportEntries, parse: parseExportOptions },
  idempotency: { description: "However often you repeat the request, one export is started." },
  operation: {
    id: "startCaptureExport",
    tag: "Usage",
    summary: "Start an export of any number of captures",
    description:
      "Writes the captures that match, newest first, to a file: CSV or NDJSON, compressed with gzip. Captures that begin later aren't in " +
      "it. Get the export until its `status` is `ready`, then download the file from its `download_url`. A thousand captures take a second " +
      "or two, ten million about half an hour. One export of captures can run at a time; the file is kept for " +
      `${EXPORT_DAYS} days. Requires an API key with the scope \`usage\`.`,
    body: { name: "ExportRequest", isRequired: false, examples: [{ output: "ndjson", status: "failed" }] },
    errors: ["CONFLICT"],
  },
  responses: {
    202: { description: "The export was started.", json: [DataExportResponse], headers: ["Location"] },
  },
  handler: async () => (await handlers()).startCaptureExport,
});

export const getCaptureExportRoute = defineRoute({
  ...ofUsage,
  method: "GET",
  path: `${PATH}/{id}`,
  operation: {
    id: "getCaptureExport",
    tag: "Usage",
    pathParameters,
    summary: "Get the state of an export, and the link to its file",
    description: "Ask again after a second at first, then after longer. Requires an API key with the scope `usage`.",
    errors: ["NOT_FOUND"],
  },
  responses: { 200: { description: "The export.", json: [DataExportResponse] } },
  handler: async () => (await handlers()).getCaptureExport,
});
