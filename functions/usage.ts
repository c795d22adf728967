// GET /api/v1/usage: a page of the account's capture logs, newest first.
import { presentedKey } from "../lib/accounts/authenticate.ts";
import { parseListOptions } from "../lib/contract/usage-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { credentialsOf, queryOptions } from "../lib/runtime/api-request.ts";
import { callerOf } from "../lib/runtime/caller.ts";
import { countDays, locatePage } from "../lib/usage/day-counter.ts";
import { usagePage } from "../lib/usage/usage-page.ts";
import { queryDayCounters, queryLogs } from "../lib/usage/usage-store.ts";

const { ACCOUNTS_TABLE, USAGE_TABLE, ACTIVITY_TABLE, BASE_URL } = environment(
  "ACCOUNTS_TABLE",
  "USAGE_TABLE",
  "ACTIVITY_TABLE",
  "BASE_URL",
);

export const handler = apiHandler(async (request) => {
  const caller = await callerOf(presentedKey(credentialsOf(request)), "usage", request, ACCOUNTS_TABLE);
  const options = parseListOptions(queryOptions(request));
  const accountId = caller.account_id;
  const days = countDays(await queryDayCounters(USAGE_TABLE, accountId, options), options);
  const { total, slices } = locatePage(days, { page: options.page, perPage: options.per_page });
  const logs = await Promise.all(
    slices.map((slice) => queryLogs(ACTIVITY_TABLE, { accountId, filter: options, ...slice })),
  );
  return json(200, usagePage(logs.flat(), { total, options, baseUrl: BASE_URL }));
});
