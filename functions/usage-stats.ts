// GET /api/v1/usage/stats: captures per day, success rate and response times of a range of days.
import { presentedKey } from "../lib/accounts/authenticate.ts";
import { parseStatisticsOptions } from "../lib/contract/usage-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { credentialsOf, queryOptions } from "../lib/runtime/api-request.ts";
import { callerOf } from "../lib/runtime/caller.ts";
import { countDays } from "../lib/usage/day-counter.ts";
import { rangeOf, statistics } from "../lib/usage/statistics.ts";
import { queryDayCounters } from "../lib/usage/usage-store.ts";

const { ACCOUNTS_TABLE, USAGE_TABLE } = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = apiHandler(async (request) => {
  const caller = await callerOf(presentedKey(credentialsOf(request)), "usage", request, ACCOUNTS_TABLE);
  const options = parseStatisticsOptions(queryOptions(request));
  const range = rangeOf(options, request.receivedAt);
  const counters = await queryDayCounters(USAGE_TABLE, caller.account_id, range);
  return json(200, statistics(countDays(counters, options), range));
});
