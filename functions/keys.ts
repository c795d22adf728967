// GET|HEAD|POST /api/v1/keys: lists the API keys of the account, and creates one.
import type { Caller } from "../lib/accounts/account.ts";
import { readKeyRing, updateKeyRing } from "../lib/accounts/account-store.ts";
import { requireGrantableScopes } from "../lib/accounts/authenticate.ts";
import { issueKey } from "../lib/accounts/issue-key.ts";
import { lastKey, withKey } from "../lib/accounts/key-ring.ts";
import { queryLastUses } from "../lib/accounts/rate-limit-store.ts";
import { type ApiRequest, rawOptions } from "../lib/api/http/api-request.ts";
import { authorize, requestKey } from "../lib/api/http/authorize.ts";
import { runIdempotent } from "../lib/api/http/idempotency.ts";
import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import { parseNewKey } from "../lib/api/keys/key-options.ts";
import { issuedKeyResource, keyResource } from "../lib/api/keys/key-resource.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE");

export const handler = routeHandler<"GET /api/v1/keys" | "POST /api/v1/keys">(async (request) => {
  const caller = await authorize(request, "keys", env);
  return request.method === "POST" ? create(request, caller) : list(request, caller.account);
});

async function list(request: ApiRequest, { id }: Caller["account"]) {
  parseNothing(rawOptions(request));
  const [{ keys }, lastUses] = await Promise.all([
    readKeyRing(env.ACCOUNTS_TABLE, id),
    queryLastUses(env.USAGE_TABLE, id),
  ]);
  return json(200, { data: keys.map((key) => keyResource(key, lastUses)) });
}

async function create(request: ApiRequest, caller: Caller) {
  const { id } = caller.account;
  const sentOptions = rawOptions(request);
  const options = parseNewKey(sentOptions, request.receivedAt);
  requireGrantableScopes(caller, options.scopes, "create");
  const run = async () => {
    const { test: isTest, ...facts } = options;
    const { key, apiKey } = issueKey({ account_id: id, ...facts, isTest }, request.receivedAt);
    const ring = await updateKeyRing(env.ACCOUNTS_TABLE, id, (current) => withKey(current, apiKey));
    return json(201, issuedKeyResource({ key, apiKey: lastKey(ring) }, new Map()));
  };
  return runIdempotent(
    { request, accountId: id, rawOptions: sentOptions, run, encryptionKey: requestKey(request) },
    env,
  );
}
