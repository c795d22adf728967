// GET /api/v1/account/invoices: the cost of each billing period, newest first.

import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import { invoice } from "../lib/billing/invoice.ts";
import { readPeriods } from "../lib/billing/period-store.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = routeHandler<"GET /api/v1/account/invoices">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  parseNothing(queryOptions(request));
  const now = request.receivedAt;
  const records = await readPeriods(env.USAGE_TABLE, account, now);
  return json(200, { data: records.map(({ period, ...record }) => invoice(period, { ...record, now })) });
});
