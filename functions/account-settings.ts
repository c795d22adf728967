// GET|HEAD|PATCH /api/v1/account/settings: the name of the account, the plan that its owner asks for, and alerts. Only the owner
// changes them.
import type { Account } from "../lib/accounts/account.ts";
import { readKeyRing, updateKeyRing } from "../lib/accounts/account-store.ts";
import { parseAccountChanges } from "../lib/api/account/account-options.ts";
import { type ApiRequest, queryOptions, rawOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { type ApiResponse, json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import type { RouteBody } from "../lib/api/route-responses.ts";
import { guardedRoutes } from "../lib/api/session/guard.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = routeHandler<"GET /api/v1/account/settings">((request) =>
  request.method === "PATCH" ? change(request, env) : read(request),
);

async function read(request: ApiRequest) {
  const { account } = await authorize(request, "usage", env);
  parseNothing(queryOptions(request));
  return json(200, settings((await readKeyRing(env.ACCOUNTS_TABLE, account.id)).account));
}

const change = guardedRoutes<"account-settings", typeof env, ApiResponse<RouteBody<"GET /api/v1/account/settings">>>({
  "PATCH /api/v1/account/settings": async (request, { caller }, { ACCOUNTS_TABLE }) => {
    const changes = parseAccountChanges(rawOptions(request));
    const ring = await updateKeyRing(ACCOUNTS_TABLE, caller.account.id, (current) => ({
      ...current,
      account: { ...current.account, ...changes },
    }));
    return json(200, settings(ring.account));
  },
});

function settings({ id, label, email, plan, requested_plan, quota_alerts }: Account) {
  return { id, label, email, plan, requested_plan, quota_alerts };
}
