// GET /api/v1/usage: a page of the account's capture logs, newest first.

import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { usagePage } from "../lib/api/usage/usage-page.ts";
import { environment } from "../lib/platform/environment.ts";
import { listCaptures } from "../lib/usage/list-store.ts";
import { parseListOptions } from "../lib/usage/usage-options.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "USAGE_RETENTION_DAYS", "BASE_URL");

export const handler = streamingRouteHandler<"GET /api/v1/usage">(async (request) => {
  const { account } = await authorize(request, "usage", env);
  const options = parseListOptions(queryOptions(request));
  const view = {
    activity: env.ACTIVITY_TABLE,
    usage: env.USAGE_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: account.id,
    now: request.receivedAt,
  };
  const { total, logs } = await listCaptures(view, options);
  return json(200, usagePage(logs, { total, options, baseUrl: env.BASE_URL }));
});
