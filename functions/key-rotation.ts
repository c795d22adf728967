// POST /api/v1/keys/{id}/rotate: gives one of the account's API keys a new text and signing secret.
import { updateKeyRing } from "../lib/accounts/account-store.ts";
import { issueSecrets } from "../lib/accounts/issue-key.ts";
import { issuedKeyResource } from "../lib/accounts/key-resource.ts";
import { keyOf, withRotatedKey } from "../lib/accounts/key-ring.ts";
import { queryLastUses } from "../lib/accounts/rate-limit-store.ts";
import { parseId } from "../lib/contract/ids.ts";
import { parseNothing } from "../lib/contract/parse-options.ts";
import { environment } from "../lib/platform/environment.ts";
import { admit } from "../lib/runtime/admission.ts";
import { json } from "../lib/runtime/answer.ts";
import { apiHandler } from "../lib/runtime/api-handler.ts";
import { sentOptions } from "../lib/runtime/api-request.ts";

const places = environment("ACCOUNTS_TABLE", "USAGE_TABLE");

export const handler = apiHandler(async (request) => {
  const { account } = await admit(request, "keys", places);
  const id = parseId(request.pathParameters.id ?? "");
  parseNothing(sentOptions(request));
  const { key, secrets } = issueSecrets();
  const now = request.receivedAt;
  const [ring, lastUses] = await Promise.all([
    updateKeyRing(places.ACCOUNTS_TABLE, account.id, (current) => withRotatedKey(current, id, { secrets, now })),
    queryLastUses(places.USAGE_TABLE, account.id),
  ]);
  return json(200, issuedKeyResource({ key, apiKey: keyOf(ring, id) }, lastUses));
});
