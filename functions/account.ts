// GET /api/v1/account: the plan, the usage of this billing period and its cost.
import { accountState } from "../lib/api/account/account-state.ts";
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import { periodAt } from "../lib/billing/billing-period.ts";
import { readCounts } from "../lib/billing/period-store.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = routeHandler<"GET /api/v1/account">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  parseNothing(queryOptions(request));
  const period = periodAt(account, request.receivedAt);
  const counts = await readCounts(env.USAGE_TABLE, account.id, period);
  return json(200, accountState(account, { period, counts, now: request.receivedAt }));
});
