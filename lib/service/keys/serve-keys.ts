// Lists, creates, reads, changes, revokes, and rotates the API keys of an account.
import type { KeyRing } from "../account/account.ts";
import { readKeyRing, updateKeyRing } from "../account/account-store.ts";
import { requireGrantableScopes, requireTestScopes } from "../account/authenticate.ts";
import { queryLastUses } from "../account/rate-limit-store.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { RouteCall } from "../http/define-route.ts";
import { type ApiResponse, json } from "../http/response.ts";
import type { ResponseBody } from "../http/response-fields.ts";
import { parseId } from "../platform/ids.ts";
import { isTestPrefix } from "./api-key.ts";
import { issueKey, issueSecrets } from "./issue-key.ts";
import type { KeyChanges, NewKeyOptions, RotationOptions } from "./key-options.ts";
import { issuedKeyResource, keyResource } from "./key-resource.ts";
import { findKey, lastKey, widensUse, withChangedKey, withKey, withRevokedKey, withRotatedKey } from "./key-ring.ts";
import type { IssuedKeyResponse, Key, Keys } from "./responses.ts";

type KeyResponse = Promise<ApiResponse<ResponseBody<typeof Key>>>;
type SecretKeyResponse = Promise<ApiResponse<ResponseBody<typeof IssuedKeyResponse>>>;

export async function listKeys({ caller, env }: RouteCall<"keys">): Promise<ApiResponse<ResponseBody<typeof Keys>>> {
  const { id } = caller.account;
  const [{ keys }, lastUses] = await Promise.all([
    readKeyRing(env.ACCOUNTS_TABLE, id),
    queryLastUses(env.USAGE_TABLE, id),
  ]);
  return json(200, { data: keys.map((key) => keyResource(key, lastUses)) });
}

export async function createKey({
  request,
  caller,
  options,
  env,
}: RouteCall<"keys", NewKeyOptions>): SecretKeyResponse {
  const { id } = caller.account;
  const { test: isTest, ...facts } = options;
  const { key, apiKey } = issueKey({ account_id: id, ...facts, isTest }, request.receivedAt);
  const ring = await updateKeyRing(env.ACCOUNTS_TABLE, id, (current) => withKey(current, apiKey));
  return json(201, issuedKeyResource({ key, apiKey: lastKey(ring) }, new Map()));
}

/** Throws `NOT_FOUND`. */
export function getKey(call: RouteCall<"keys">): KeyResponse {
  return respondWithKey(call, ({ env, caller }) => readKeyRing(env.ACCOUNTS_TABLE, caller.account.id));
}

/** Throws `FORBIDDEN`, `NOT_FOUND`, or `CONFLICT`. */
export function changeKey(call: RouteCall<"keys", KeyChanges>): KeyResponse {
  return respondWithKey(call, ({ env, caller, options }, id) =>
    updateKeyRing(env.ACCOUNTS_TABLE, caller.account.id, (ring) => {
      const key = findKey(ring, id);
      const given = (options.scopes ?? []).filter((scope) => !key.scopes.includes(scope));
      requireGrantableScopes(caller, given, "change");
      requireTestScopes(key, options.scopes);
      if (widensUse(key, options)) requireGrantableScopes(caller, key.scopes, "widen");
      return withChangedKey(ring, id, options);
    }),
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
  const [ring, lastUses] = await Promise.all([
    read(call, id),
    queryLastUses(call.env.USAGE_TABLE, call.caller.account.id),
  ]);
  return json(200, keyResource(findKey(ring, id), lastUses));
}

/** The caller learns the new text of the key, so it needs all scopes of the key. Throws `FORBIDDEN` or `NOT_FOUND`. */
export async function rotateKey({
  request,
  caller,
  options,
  env,
}: RouteCall<"keys", RotationOptions>): SecretKeyResponse {
  const { account } = caller;
  const id = requestedId(request);
  const candidates = { test: issueSecrets({ isTest: true }), usual: issueSecrets({ isTest: false }) };
  let key = "";
  const [ring, lastUses] = await Promise.all([
    updateKeyRing(env.ACCOUNTS_TABLE, account.id, (current) => {
      const rotated = findKey(current, id);
      requireGrantableScopes(caller, rotated.scopes, "rotate");
      const issued = isTestPrefix(rotated.key_prefix) ? candidates.test : candidates.usual;
      key = issued.key;
      const linkGraceSeconds = options.link_grace_period;
      return withRotatedKey(current, id, { secrets: issued.secrets, now: request.receivedAt, linkGraceSeconds });
    }),
    queryLastUses(env.USAGE_TABLE, account.id),
  ]);
  return json(200, issuedKeyResource({ key, apiKey: findKey(ring, id) }, lastUses));
}

function requestedId({ pathParameters }: ApiRequest): number {
  return parseId(pathParameters["id"] ?? "");
}
