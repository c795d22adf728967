// GET /api/v1/usage/breakdown: the newest captures of a range by format, host, and API key, with percentiles of their times.
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { environment } from "../lib/platform/environment.ts";
import { breakDown } from "../lib/usage/breakdown.ts";
import { searchLogs } from "../lib/usage/log-search.ts";
import { dayRange } from "../lib/usage/statistics.ts";
import { MAX_READ, parseStatisticsOptions } from "../lib/usage/usage-options.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "USAGE_RETENTION_DAYS");

export const handler = streamingRouteHandler<"GET /api/v1/usage/breakdown">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  const options = parseStatisticsOptions(queryOptions(request));
  const { status, api_key_id } = options;
  const view = {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: account.id,
    now: request.receivedAt,
  };
  const filter = { status, api_key_id, ...dayRange(options, request.receivedAt) };
  const { logs, next } = await searchLogs(view, filter, { before: undefined, limit: MAX_READ });
  return json(200, { ...breakDown(logs), is_complete: next === undefined });
});
