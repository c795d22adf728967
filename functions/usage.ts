// GET /api/v1/usage: a page of the account's capture logs, newest first.
import { parseListOptions } from "../lib/contract/usage-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { admit } from "../lib/runtime/admission.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { queryOptions } from "../lib/runtime/api-request.ts";
import { countDays, locatePage } from "../lib/usage/day-counter.ts";
import { usagePage } from "../lib/usage/usage-page.ts";
import { queryDayCounters, queryLogs } from "../lib/usage/usage-store.ts";

const places = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "BASE_URL");

export const handler = apiHandler(async (request) => {
  const { account } = await admit(request, "usage", places);
  const options = parseListOptions(queryOptions(request));
  const accountId = account.id;
  const days = countDays(await queryDayCounters(places.USAGE_TABLE, accountId, options), options);
  const { total, slices } = locatePage(days, { page: options.page, perPage: options.per_page });
  const logs = await Promise.all(
    slices.map((slice) => queryLogs(places.ACTIVITY_TABLE, { accountId, filter: options, ...slice })),
  );
  return json(200, usagePage(logs.flat(), { total, options, baseUrl: places.BASE_URL }));
});
