// GET /api/v1/usage/{id}: a capture of the log with its times by phase, its warnings, and its stored result.
import { queryOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { streamingRouteHandler } from "../lib/api/http/route-handler.ts";
import { captureDetails } from "../lib/api/usage/capture-details.ts";
import { ApiError } from "../lib/errors/api-error.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { idTime, parseId } from "../lib/platform/ids.ts";
import { linkSecret } from "../lib/results/link-secret.ts";
import { fromLogItem } from "../lib/usage/capture-log-item.ts";
import { findLogItem } from "../lib/usage/log-search.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE", "USAGE_RETENTION_DAYS", "BASE_URL");

export const handler = streamingRouteHandler<"GET /api/v1/usage/{id}">(async (request) => {
  const { account, key } = await authorize(request, "usage", env);
  parseNothing(queryOptions(request));
  const now = request.receivedAt;
  const view = {
    activity: env.ACTIVITY_TABLE,
    retentionDays: env.USAGE_RETENTION_DAYS,
    accountId: account.id,
    now,
  };
  const id = parseId(request.pathParameters["id"] ?? "");
  const item = Number.isNaN(id) ? undefined : await findLogItem(view, id, idTime(id));
  if (!item)
    throw new ApiError("NOT_FOUND", "The account has no capture of this id. List them with GET /api/v1/usage.");
  const secret = key.scopes.includes("capture") ? await linkSecret(env.ACCOUNTS_TABLE) : undefined;
  const links = secret === undefined ? undefined : { baseUrl: env.BASE_URL, secret };
  return json(200, captureDetails(fromLogItem(item), item["details"], { links, now }));
});
