// POST /api/v1/keys/{id}/rotate: rotates an API key: a new key text and signing secret.
import type { Caller } from "../lib/accounts/account.ts";
import { updateKeyRing } from "../lib/accounts/account-store.ts";
import { isTestPrefix } from "../lib/accounts/api-key.ts";
import { requireGrantableScopes } from "../lib/accounts/authenticate.ts";
import { issueSecrets } from "../lib/accounts/issue-key.ts";
import { findKey, withRotatedKey } from "../lib/accounts/key-ring.ts";
import { queryLastUses } from "../lib/accounts/rate-limit-store.ts";
import { type ApiRequest, rawOptions } from "../lib/api/http/api-request.ts";
import { authorize, requestKey } from "../lib/api/http/authorize.ts";
import { runIdempotent } from "../lib/api/http/idempotency.ts";
import { type ApiResponse, json } from "../lib/api/http/response.ts";
import { routeHandler } from "../lib/api/http/route-handler.ts";
import { parseRotation } from "../lib/api/keys/key-options.ts";
import { issuedKeyResource } from "../lib/api/keys/key-resource.ts";
import type { RouteBody } from "../lib/api/route-responses.ts";
import { environment } from "../lib/platform/environment.ts";
import { parseId } from "../lib/platform/ids.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE");

export const handler = routeHandler<"POST /api/v1/keys/{id}/rotate">(async (request) => {
  const caller = await authorize(request, "keys", env);
  const options = rawOptions(request);
  const id = parseId(request.pathParameters["id"] ?? "");
  const { link_grace_period } = parseRotation(options);
  const run = () => rotate(request, caller, { id, linkGraceSeconds: link_grace_period });
  return runIdempotent(
    { request, accountId: caller.account.id, rawOptions: options, run, encryptionKey: requestKey(request) },
    env,
  );
});

/** The caller learns the new text of the key, so it needs all scopes of the key. */
async function rotate(
  { receivedAt: now }: ApiRequest,
  caller: Caller,
  { id, linkGraceSeconds }: { readonly id: number; readonly linkGraceSeconds: number },
): Promise<ApiResponse<RouteBody<"POST /api/v1/keys/{id}/rotate">>> {
  const { account } = caller;
  const candidates = { test: issueSecrets({ isTest: true }), usual: issueSecrets({ isTest: false }) };
  let key = "";
  const [ring, lastUses] = await Promise.all([
    updateKeyRing(env.ACCOUNTS_TABLE, account.id, (current) => {
      const rotated = findKey(current, id);
      requireGrantableScopes(caller, rotated.scopes, "rotate");
      const issued = isTestPrefix(rotated.key_prefix) ? candidates.test : candidates.usual;
      key = issued.key;
      return withRotatedKey(current, id, { secrets: issued.secrets, now, linkGraceSeconds });
    }),
    queryLastUses(env.USAGE_TABLE, account.id),
  ]);
  return json(200, issuedKeyResource({ key, apiKey: findKey(ring, id) }, lastUses));
}
