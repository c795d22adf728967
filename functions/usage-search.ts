// GET /api/v1/usage/search: captures that match, newest first, a limited number read at once.
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { environment } from "../lib/platform/environment.ts";
import { idTime } from "../lib/platform/ids.ts";
import { searchLogs } from "../lib/usage/log-search.ts";
import { parseSearchOptions } from "../lib/usage/usage-options.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "USAGE_RETENTION_DAYS");

export const handler = streamingRouteHandler<"GET /api/v1/usage/search">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  const { before, limit, ...filter } = parseSearchOptions(queryOptions(request));
  const view = {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: account.id,
    now: request.receivedAt,
  };
  const { logs, next } = await searchLogs(view, filter, { before, limit });
  const searched_until = next === undefined ? null : new Date(idTime(next)).toISOString();
  return json(200, { data: logs, next_before: next ?? null, searched_until });
});
