// GET|HEAD|PATCH|DELETE /api/v1/keys/{id}: reads, changes or revokes an API key.
import type { Caller, KeyRing } from "../lib/accounts/account.ts";
import { readKeyRing, updateKeyRing } from "../lib/accounts/account-store.ts";
import { requireGrantableScopes, requireTestScopes } from "../lib/accounts/authenticate.ts";
import { findKey, widensUse, withChangedKey, withRevokedKey } from "../lib/accounts/key-ring.ts";
import { queryLastUses } from "../lib/accounts/rate-limit-store.ts";
import { type ApiRequest, rawOptions } from "../lib/api/http/api-request.ts";
import { authorize } from "../lib/api/http/authorize.ts";
import { json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import { parseKeyChanges } from "../lib/api/keys/key-options.ts";
import { keyResource } from "../lib/api/keys/key-resource.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { parseId } from "../lib/platform/ids.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = routeHandler<"GET /api/v1/keys/{id}" | "PATCH /api/v1/keys/{id}" | "DELETE /api/v1/keys/{id}">(
  async (request) => {
    const caller = await authorize(request, "keys", env);
    const id = parseId(request.pathParameters["id"] ?? "");
    const [ring, lastUses] = await Promise.all([
      applyRequest(request, caller, id),
      queryLastUses(env.USAGE_TABLE, caller.account.id),
    ]);
    return json(200, keyResource(findKey(ring, id), lastUses));
  },
);

/** Changes, revokes or reads the key. Throws `VALIDATION_ERROR`, `FORBIDDEN`, `NOT_FOUND` or `CONFLICT`. */
async function applyRequest(request: ApiRequest, caller: Caller, id: number): Promise<KeyRing> {
  const accountId = caller.account.id;
  const options = rawOptions(request);
  if (request.method === "PATCH") {
    const changes = parseKeyChanges(options, request.receivedAt);
    return updateKeyRing(env.ACCOUNTS_TABLE, accountId, (ring) => {
      const key = findKey(ring, id);
      const given = (changes.scopes ?? []).filter((scope) => !key.scopes.includes(scope));
      requireGrantableScopes(caller, given, "change");
      requireTestScopes(key, changes.scopes);
      if (widensUse(key, changes)) requireGrantableScopes(caller, key.scopes, "widen");
      return withChangedKey(ring, id, changes);
    });
  }
  parseNothing(options);
  if (request.method !== "DELETE") return readKeyRing(env.ACCOUNTS_TABLE, accountId);
  const now = new Date(request.receivedAt).toISOString();
  return updateKeyRing(env.ACCOUNTS_TABLE, accountId, (ring) => withRevokedKey(ring, id, now));
}
