// GET /api/v1/account/invoices: what each billing period of the account cost, newest first.
import { invoice } from "../lib/accounts/invoice.ts";
import { readPeriods } from "../lib/accounts/period-store.ts";
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
  const now = request.receivedAt;
  const records = await readPeriods(places.USAGE_TABLE, account, now);
  return json(200, { data: records.map(({ period, ...record }) => invoice(period, { ...record, now })) });
});
