// POST /api/v1/keys/{id}/rotate: rotates an API key: a new key text and signing secret.
import type { Caller } from "../lib/accounts/account.ts";
import { updateKeyRing } from "../lib/accounts/account-store.ts";
import { requireGivenScopes } from "../lib/accounts/authenticate.ts";
import { issueSecrets } from "../lib/accounts/issue-key.ts";
import { issuedKeyResource } from "../lib/accounts/key-resource.ts";
import { findKey, withRotatedKey } from "../lib/accounts/key-ring.ts";
import { queryLastUses } from "../lib/accounts/rate-limit-store.ts";
import { apiHandler } from "../lib/api/http/api-handler.ts";
import { type ApiRequest, rawOptions } from "../lib/api/http/api-request.ts";
import { authorize, requestKey } from "../lib/api/http/authorize.ts";
import { runIdempotent } from "../lib/api/http/idempotency.ts";
import { type ApiResponse, json } from "../lib/api/http/response.ts";
import { parseNothing } from "../lib/options/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { parseId } from "../lib/platform/ids.ts";

const env = environment("ACCOUNTS_TABLE", "USAGE_TABLE", "ACTIVITY_TABLE");

export const handler = apiHandler(async (request) => {
  const caller = await authorize(request, "keys", env);
  const options = rawOptions(request);
  const id = parseId(request.pathParameters["id"] ?? "");
  parseNothing(options);
  const run = () => rotate(request, caller, id);
  return runIdempotent(
    { request, accountId: caller.account.id, rawOptions: options, run, encryptionKey: requestKey(request) },
    env,
  );
});

/** The caller learns the new text of the key, so it needs all scopes of the key. */
async function rotate({ receivedAt: now }: ApiRequest, caller: Caller, id: number): Promise<ApiResponse> {
  const { account } = caller;
  const { key, secrets } = issueSecrets();
  const [ring, lastUses] = await Promise.all([
    updateKeyRing(env.ACCOUNTS_TABLE, account.id, (current) => {
      requireGivenScopes(caller, findKey(current, id).scopes, "rotate");
      return withRotatedKey(current, id, { secrets, now });
    }),
    queryLastUses(env.USAGE_TABLE, account.id),
  ]);
  return json(200, issuedKeyResource({ key, apiKey: findKey(ring, id) }, lastUses));
}
