// GET /api/v1/account: the plan of the account, what of it is used in this billing period, and what that costs.
import { accountState } from "../lib/accounts/account-state.ts";
import { periodAt } from "../lib/accounts/billing-period.ts";
import { readCounts } from "../lib/accounts/period-store.ts";
import { parseNothing } from "../lib/contract/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { admit } from "../lib/runtime/admission.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { queryOptions } from "../lib/runtime/api-request.ts";

const places = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = apiHandler(async (request) => {
  const { account } = await admit(request, "usage", places);
  parseNothing(queryOptions(request));
  const period = periodAt(account, request.receivedAt);
  const counts = await readCounts(places.USAGE_TABLE, account.id, period);
  return json(200, accountState(account, { period, counts, now: request.receivedAt }));
});
