// Lists, creates, reads, changes, revokes, and rotates the API keys of an account, and ends the overlap of a rotation.
import type { KeyRing } from "../account/account.ts";
import { readKeyRing, updateKeyRing } from "../account/account-store.ts";
import { requireGrantableScopes, requireTestScopes } from "../account/authenticate.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { parseId } from "../platform/ids.ts";
import { issueKey } from "./issue-key.ts";
import { newLimit, readEarlierUse, withKeyChanges } from "./key-changes.ts";
import type { KeyChanges, NewKeyOptions, RotationOptions } from "./key-options.ts";
import { issuedKeyResource, keyResource } from "./key-resource.ts";
import { findKey, lastKey, widensUse, withEndedTexts, withKey, withRevokedKey } from "./key-ring.ts";
import { noKeyUse, readKeyUse } from "./key-use.ts";
import type { IssuedKeyResponse, Key, Keys } from "./responses.ts";
import { rotateKey } from "./rotate-key.ts";

type KeyResponse = Promise<ApiResponse<ResponseBody<typeof Key>>>;
type SecretKeyResponse = Promise<ApiResponse<ResponseBody<typeof IssuedKeyResponse>>>;

export async function listKeys({
  request: { receivedAt: now },
  caller: { account },
  env,
}: RouteCall<"keys">): Promise<ApiResponse<ResponseBody<typeof Keys>>> {
  const [{ keys }, use] = await Promise.all([
    readKeyRing(env.ACCOUNTS_TABLE, account.id),
    readKeyUse(env.USAGE_TABLE, account, now),
  ]);
  return json(200, { data: keys.map((key) => keyResource(key, use, now)) });
}

export async function createKey({
  request,
  caller,
  options,
  env,
}: RouteCall<"keys", NewKeyOptions>): SecretKeyResponse {
  const { account } = caller;
  const { receivedAt: now } = request;
  const { test: isTest, monthly_limit: captures, ...facts } = options;
  const monthly_limit = captures === null ? null : newLimit(captures, account, now);
  const { key, apiKey } = issueKey({ account_id: account.id, ...facts, monthly_limit, isTest }, now);
  const ring = await updateKeyRing(env.ACCOUNTS_TABLE, account.id, (current) => withKey(current, apiKey));
  return json(201, issuedKeyResource({ key, apiKey: lastKey(ring) }, noKeyUse, now));
}

/** Throws `NOT_FOUND`. */
export function getKey(call: RouteCall<"keys">): KeyResponse {
  return respondWithKey(call, ({ env, caller }) => readKeyRing(env.ACCOUNTS_TABLE, caller.account.id));
}

/** Throws `FORBIDDEN`, `NOT_FOUND`, `CONFLICT`, or `VALIDATION_ERROR`. */
export function changeKey(call: RouteCall<"keys", KeyChanges>): KeyResponse {
  return respondWithKey(call, async ({ request, env, caller, options: changes }, id) => {
    const setsLimit = typeof changes.monthly_limit === "number" && !Number.isNaN(id);
    const key = { account: caller.account, keyId: id };
    const earlier = setsLimit ? await readEarlierUse(env.USAGE_TABLE, key, request.receivedAt) : undefined;
    return updateKeyRing(env.ACCOUNTS_TABLE, caller.account.id, (ring) => {
      const before = findKey(ring, id);
      const given = (changes.scopes ?? []).filter((scope) => !before.scopes.includes(scope));
      requireGrantableScopes(caller, given, "change");
      requireTestScopes(before, changes.scopes);
      const changed = withKeyChanges(ring, id, { changes, earlier });
      if (widensUse(before, findKey(changed, id))) requireGrantableScopes(caller, before.scopes, "widen");
      return changed;
    });
  });
}

/** Throws `NOT_FOUND`. */
export function endPreviousTexts(call: RouteCall<"keys">): KeyResponse {
  return respondWithKey(call, ({ request, env, caller }, id) =>
    updateKeyRing(env.ACCOUNTS_TABLE, caller.account.id, (ring) => withEndedTexts(ring, id, request.receivedAt)),
  );
}

/** Throws `NOT_FOUND`. */
export function revokeKey(call: RouteCall<"keys">): KeyResponse {
  const now = new Date(call.request.receivedAt).toISOString();
  return respondWithKey(call, ({ env, caller }, id) =>
    updateKeyRing(env.ACCOUNTS_TABLE, caller.account.id, (ring) => withRevokedKey(ring, id, now)),
  );
}

/** Answers with the key in the path, as it is in the key ring that `read` resolves to. */
async function respondWithKey<Call extends RouteCall<"keys">>(
  call: Call,
  read: (call: Call, id: number) => Promise<KeyRing>,
): KeyResponse {
  const id = requestedId(call.request);
  const { receivedAt: now } = call.request;
  const [ring, use] = await Promise.all([read(call, id), readKeyUse(call.env.USAGE_TABLE, call.caller.account, now)]);
  return json(200, keyResource(findKey(ring, id), use, now));
}

/** The caller learns the new text of the key, so it needs all scopes of the key. Throws `FORBIDDEN` or `NOT_FOUND`. */
export async function rotateRequestedKey({
  request,
  caller,
  options: { overlap: overlapSeconds, link_grace_period: linkGraceSeconds },
  env,
}: RouteCall<"keys", RotationOptions>): SecretKeyResponse {
  const { account } = caller;
  const { receivedAt: now } = request;
  const ids = { account_id: account.id, id: requestedId(request) };
  const [issued, use] = await Promise.all([
    rotateKey(
      env.ACCOUNTS_TABLE,
      ids,
      { now, overlapSeconds, linkGraceSeconds },
      { requireAllowed: ({ scopes }) => requireGrantableScopes(caller, scopes, "rotate") },
    ),
    readKeyUse(env.USAGE_TABLE, account, now),
  ]);
  return json(200, issuedKeyResource(issued, use, now));
}

function requestedId({ pathParameters }: ApiRequest): number {
  return parseId(pathParameters["id"] ?? "");
}
