// Authorizes a request: authenticates its API key or session, counts it against the rate limit and checks the scope.

import type { Caller, Scope } from "../account/account.ts";
import { findCaller } from "../account/account-store.ts";
import { authenticate, parsePresentedKey, requireScope } from "../account/authenticate.ts";
import { effectiveLimits } from "../account/limits.ts";
import {
  type LimitedBy,
  type RateLimitState,
  rateLimitError,
  rateLimitHeaders,
  type SessionLimit,
  sessionLimits,
} from "../account/rate-limit.ts";
import { countLinkView, countRequest } from "../account/rate-limit-store.ts";
import { requireActiveAccount } from "../account/suspended-error.ts";
import { hashApiKey } from "../keys/api-key.ts";
import type { Environment } from "../platform/environment.ts";
import { addLogContext } from "../platform/log-context.ts";
import { authenticateSession, requireSessionToken, type SignedIn } from "../sessions/authenticate-session.ts";
import { isSessionCaller } from "../sessions/session.ts";
import { type ApiRequest, allowsBody, readCredentials } from "./api-request.ts";
import { requireOwnPage } from "./own-origin.ts";

type AccessResources = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/** The caller of a request, who has the scope. Throws `UNAUTHORIZED`, `RATE_LIMITED` or `FORBIDDEN`. */
export async function authorize(request: ApiRequest, scope: Scope, env: AccessResources): Promise<Caller> {
  return (await authorizeCounted(request, scope, env)).caller;
}

export interface Authorized {
  readonly caller: Caller;
  /** The limit that the request counted against: of the account, or of its sessions. */
  readonly requests: RateLimitState;
}

export interface AdmissionOptions {
  /** The limit of sessions that the request counts against. @default requests */
  readonly counted?: SessionLimit;
  /** Whether it is for the owner of a suspended account, too. @default false */
  readonly whileSuspended?: boolean;
}

/** As `authorize`, with the state of the limit. */
export async function authorizeCounted(
  request: ApiRequest,
  scope: Scope,
  env: AccessResources,
  { counted = "requests", whileSuspended = false }: AdmissionOptions = {},
): Promise<Authorized> {
  const caller = await authenticateRequest(request, env, { whileSuspended });
  const requests = await (isSessionCaller(caller)
    ? enforceSessionLimit(request, caller, env, counted)
    : enforceRateLimit(request, caller, env));
  requireScope(caller, scope);
  return { caller, requests };
}

/** How a request by an API key or a session is authenticated. */
interface AuthenticationOptions {
  /** True for a request that another site must not start with the cookies of a visitor. @default whether the method has a body */
  readonly changesState?: boolean;
  /** True for a request that the owner of a suspended account may send. @default false */
  readonly whileSuspended?: boolean;
}

/**
 * The caller whose API key or session a request presents. Throws `UNAUTHORIZED`, `ACCOUNT_SUSPENDED`, and `FORBIDDEN` or
 * `UNSUPPORTED_MEDIA_TYPE` for a forged one.
 */
export async function authenticateRequest(
  request: ApiRequest,
  { ACCOUNTS_TABLE }: Pick<AccessResources, "ACCOUNTS_TABLE">,
  options: AuthenticationOptions = {},
): Promise<Caller> {
  const { sessionToken } = request;
  if (sessionToken !== undefined)
    return (await signedIn({ ...request, sessionToken }, { ACCOUNTS_TABLE }, options)).caller;
  const find = (hash: string) => findCaller(ACCOUNTS_TABLE, hash);
  const presented = parsePresentedKey(readCredentials(request));
  const caller = await authenticate(presented, { find, now: request.receivedAt });
  identify(caller);
  reportFirstUse(request, caller, presented.key);
  return caller;
}

/**
 * Every request of an account passes here as soon as its account is known: its log lines name the account, and that of a suspended one
 * ends, except for what its owner may request with a session that began without an API key. Throws `ACCOUNT_SUSPENDED`.
 */
export function identify(caller: Caller, { whileSuspended = false }: AuthenticationOptions = {}): void {
  addLogContext({ account_id: caller.account.id });
  const isOwner = isSessionCaller(caller) && !caller.key.is_key_session;
  if (!(whileSuspended && isOwner)) requireActiveAccount(caller);
}

/** Has a use of an API key reported once the request is answered, if it can be the first one of its text. */
export function reportFirstUse(request: ApiRequest, caller: Caller, key: string): void {
  if (!caller.key.reports_first_use) return;
  const use = { hash: hashApiKey(key), request };
  request.afterResponse(async () => (await import("../keys/first-use.ts")).queueFirstUse(caller, use));
}

/** Checks the form of the API key or session that a request presents. Throws as `authenticateRequest` does, without a look-up. */
export function requirePresentedKey(request: ApiRequest, { changesState = allowsBody(request) } = {}): void {
  const { sessionToken } = request;
  if (sessionToken === undefined) return void parsePresentedKey(readCredentials(request));
  requireOwnPage(request, { changesState });
  requireSessionToken(sessionToken);
}

/** Checks that no other site started a request, and authenticates its session. Throws as `authenticateRequest` does. */
export async function signedIn(
  request: ApiRequest & { readonly sessionToken: string },
  { ACCOUNTS_TABLE }: Pick<AccessResources, "ACCOUNTS_TABLE">,
  { changesState = allowsBody(request), whileSuspended = false }: AuthenticationOptions = {},
): Promise<SignedIn> {
  requireOwnPage(request, { changesState });
  const found = await authenticateSession(ACCOUNTS_TABLE, request.sessionToken, request.receivedAt);
  identify(found.caller, { whileSuspended });
  return found;
}

/** The text of the API key or session token that a request presents. Throws `UNAUTHORIZED`. */
export function requestKey(request: ApiRequest): string {
  return request.sessionToken ?? parsePresentedKey(readCredentials(request)).key;
}

/**
 * Counts a request with a session for the account's sessions, so that reading uses nothing of the plan. Sessions that began with
 * API keys are counted apart, so that a key cannot keep the owner out. Throws `RATE_LIMITED`.
 */
export async function enforceSessionLimit(
  request: ApiRequest,
  { account, key }: Caller,
  { USAGE_TABLE }: Pick<AccessResources, "USAGE_TABLE">,
  counted: SessionLimit = "requests",
): Promise<RateLimitState> {
  const now = Date.now();
  const sessions = { beganWithKey: key.is_key_session === true, counted };
  const facts = { accountId: account.id, keyId: key.id, limit: sessionLimits[counted], now, sessions };
  return admit(request, await countRequest(USAGE_TABLE, facts), "session");
}

/** Counts a view of a signed link for this link, and adds the `X-RateLimit-*` headers to its response. Throws `RATE_LIMITED`. */
export async function enforceLinkLimit(
  request: ApiRequest,
  { caller: { account, key }, signature }: { readonly caller: Caller; readonly signature: string },
  { USAGE_TABLE }: Pick<AccessResources, "USAGE_TABLE">,
): Promise<RateLimitState> {
  const view = { accountId: account.id, keyId: key.id, signature, now: Date.now() };
  return admit(request, await countLinkView(USAGE_TABLE, view), "link");
}

/**
 * Counts a request, and adds the `X-RateLimit-*` headers to its response. It counts as `cost` requests, but never as more than the limit,
 * so that each request can be admitted. Resolves to its state. Throws `RATE_LIMITED`.
 */
export async function enforceRateLimit(
  request: ApiRequest,
  { account, key }: Caller,
  { USAGE_TABLE }: AccessResources,
  cost = 1,
): Promise<RateLimitState> {
  const now = Date.now();
  const { value: limit, is_override } = effectiveLimits(account, now).requests_per_minute;
  const facts = { accountId: account.id, keyId: key.id, limit, now, cost: Math.min(cost, limit) };
  return admit(request, await countRequest(USAGE_TABLE, facts), is_override ? "operator" : "plan");
}

function admit(
  request: ApiRequest,
  { isAdmitted, ...state }: RateLimitState & { readonly isAdmitted: boolean },
  by: LimitedBy,
): RateLimitState {
  for (const [name, value] of Object.entries(rateLimitHeaders(state))) request.responseHeaders.set(name, value);
  if (!isAdmitted) throw rateLimitError(state, Date.now(), by);
  return state;
}
