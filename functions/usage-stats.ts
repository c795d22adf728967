// GET /api/v1/usage/stats: captures per day, success rate and response times for a date range.

import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { environment } from "../lib/platform/environment.ts";
import { queryDayCounters } from "../lib/usage/counter-store.ts";
import { countDays } from "../lib/usage/day-counter.ts";
import { dayRange, statistics } from "../lib/usage/statistics.ts";
import { parseStatisticsOptions } from "../lib/usage/usage-options.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "USAGE_RETENTION_DAYS");

export const handler = streamingRouteHandler<"GET /api/v1/usage/stats">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  const options = parseStatisticsOptions(queryOptions(request));
  const range = dayRange(options, request.receivedAt);
  const view = {
    usage: env.USAGE_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: account.id,
    now: request.receivedAt,
  };
  const counters = await queryDayCounters(view, range);
  return json(200, statistics(countDays(counters, options), range));
});
