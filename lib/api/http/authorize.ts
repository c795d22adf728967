// Authorizes a request: authenticates its API key, counts it against the rate limit and checks the scope.
import type { Caller, Scope } from "../../accounts/account.ts";
import { findCaller } from "../../accounts/account-store.ts";
import { authenticate, parsePresentedKey, requireScope } from "../../accounts/authenticate.ts";
import { type RateLimitState, rateLimitError, rateLimitHeaders } from "../../accounts/rate-limit.ts";
import { countRequest } from "../../accounts/rate-limit-store.ts";
import { plans } from "../../billing/plans.ts";
import type { Environment } from "../../platform/environment.ts";
import { type ApiRequest, readCredentials } from "./api-request.ts";

type AccessResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/** The caller of a request, whose key has the scope. Throws `UNAUTHORIZED`, `RATE_LIMITED` or `FORBIDDEN`. */
export async function authorize(request: ApiRequest, scope: Scope, env: AccessResources): Promise<Caller> {
  const caller = await authenticateRequest(request, env);
  await enforceRateLimit(request, caller, env);
  requireScope(caller, scope);
  return caller;
}

/** The caller whose API key a request presents. Throws `UNAUTHORIZED`. */
export async function authenticateRequest(request: ApiRequest, { ACCOUNTS_TABLE }: AccessResources): Promise<Caller> {
  const find = (hash: string) => findCaller(ACCOUNTS_TABLE, hash);
  return authenticate(parsePresentedKey(readCredentials(request)), { find, now: request.receivedAt });
}

/** The text of the API key that a request presents. Throws `UNAUTHORIZED`. */
export function requestKey(request: ApiRequest): string {
  return parsePresentedKey(readCredentials(request)).key;
}

/** Counts a request, and adds the `X-RateLimit-*` headers to its response. Resolves to its state. Throws `RATE_LIMITED`. */
export async function enforceRateLimit(
  request: ApiRequest,
  { account, key }: Caller,
  { USAGE_TABLE }: AccessResources,
): Promise<RateLimitState> {
  const now = Date.now();
  const limit = plans[account.plan].requestsPerMinute;
  const { isAdmitted, ...state } = await countRequest(USAGE_TABLE, {
    accountId: account.id,
    keyId: key.id,
    limit,
    now,
  });
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) request.responseHeaders.set(name, value);
  if (!isAdmitted) throw rateLimitError(state, now);
  return state;
}
