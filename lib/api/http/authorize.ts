// Who may go on: the key of a request is looked up, and the request counted.
import type { Caller, Scope } from "../../accounts/account.ts";
import { findCaller } from "../../accounts/account-store.ts";
import { authenticate, parsePresentedKey, requireScope } from "../../accounts/authenticate.ts";
import { rateLimitError, rateLimitHeaders } from "../../accounts/rate-limit.ts";
import { countRequest } from "../../accounts/rate-limit-store.ts";
import { plans } from "../../billing/plans.ts";
import type { Environment } from "../../platform/environment.ts";
import { type ApiRequest, readCredentials } from "./api-request.ts";

type Places = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/**
 * The caller of a request, whose key has the scope. From then on every answer tells the rate limit. Throws
 * `UNAUTHORIZED`, `RATE_LIMITED` or `FORBIDDEN`.
 */
export async function authorize(request: ApiRequest, scope: Scope, places: Places): Promise<Caller> {
  const caller = await identify(request, places);
  await count(request, caller, places);
  requireScope(caller, scope);
  return caller;
}

/** The caller whose key a request shows. Throws `UNAUTHORIZED`. */
export async function identify(request: ApiRequest, { ACCOUNTS_TABLE }: Places): Promise<Caller> {
  const find = (hash: string) => findCaller(ACCOUNTS_TABLE, hash);
  return authenticate(parsePresentedKey(readCredentials(request)), { find, now: request.receivedAt });
}

/** The text of the API key that a request shows. Throws `UNAUTHORIZED`. */
export function requestKey(request: ApiRequest): string {
  return parsePresentedKey(readCredentials(request)).key;
}

/** Counts a request; its answer then tells the rate limit. Throws `RATE_LIMITED`. */
export async function count(request: ApiRequest, { account, key }: Caller, { USAGE_TABLE }: Places): Promise<void> {
  const now = Date.now();
  const limit = plans[account.plan].requestsPerMinute;
  const { isAdmitted, ...state } = await countRequest(USAGE_TABLE, {
    accountId: account.id,
    keyId: key.id,
    limit,
    now,
  });
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) request.answerHeaders.set(name, value);
  if (!isAdmitted) throw rateLimitError(state, now);
}
