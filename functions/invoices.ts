// GET /api/v1/account/invoices: the cost of each billing period, newest first.

import { invoicesOf } from "../lib/api/account/invoice-list.ts";
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = streamingRouteHandler<"GET /api/v1/account/invoices">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  parseNothing(queryOptions(request));
  return json(200, { data: await invoicesOf(env.USAGE_TABLE)(account, request.receivedAt) });
});
