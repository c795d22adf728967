// GET /api/v1/usage/export: all captures that match, as a stream of CSV or NDJSON.
import { Readable } from "node:stream";
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { environment } from "../lib/platform/environment.ts";
import { contentDisposition } from "../lib/results/content-disposition.ts";
import { exportLines, exportMediaTypes } from "../lib/usage/log-rows.ts";
import { allLogs } from "../lib/usage/log-search.ts";
import { parseExportOptions } from "../lib/usage/usage-options.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "USAGE_RETENTION_DAYS");

export const handler = streamingRouteHandler<"GET /api/v1/usage/export">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  const { output, ...filter } = parseExportOptions(queryOptions(request));
  const now = request.receivedAt;
  const headers = {
    "Content-Type": exportMediaTypes[output],
    "Content-Disposition": contentDisposition(`captures-${new Date(now).toISOString().slice(0, 10)}.${output}`),
    "Cache-Control": "no-store",
  };
  if (request.method === "HEAD") return { status: 200, headers };
  const view = {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: account.id,
    now,
  };
  const lines = exportLines(allLogs(view, filter), output);
  return { status: 200, headers, body: Readable.from(lines, { objectMode: false }) };
});
