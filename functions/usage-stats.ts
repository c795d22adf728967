// GET /api/v1/usage/stats: captures per day, success rate and response times of a range of days.
import { parseStatisticsOptions } from "../lib/contract/usage-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { admit } from "../lib/runtime/admission.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { queryOptions } from "../lib/runtime/api-request.ts";
import { countDays } from "../lib/usage/day-counter.ts";
import { rangeOf, statistics } from "../lib/usage/statistics.ts";
import { queryDayCounters } from "../lib/usage/usage-store.ts";

const places = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = apiHandler(async (request) => {
  const { account } = await admit(request, "usage", places);
  const options = parseStatisticsOptions(queryOptions(request));
  const range = rangeOf(options, request.receivedAt);
  const counters = await queryDayCounters(places.USAGE_TABLE, account.id, range);
  return json(200, statistics(countDays(counters, options), range));
});
