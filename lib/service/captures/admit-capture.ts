// Admits a capture: authenticates its caller, then counts the rate limit, reserves quota and reads the cache in parallel.

import { plans } from "../../contract/plans.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { Caller } from "../account/account.ts";
import { findLinkCaller } from "../account/account-store.ts";
import { requireScope } from "../account/authenticate.ts";
import type { RateLimitState } from "../account/rate-limit.ts";
import { authenticateLink, parseLink } from "../account/signed-link.ts";
import type { RunningOperation } from "../aws/running-count.ts";
import { type QuotaRemaining, readQuotaRemaining } from "../billing/quota-remaining.ts";
import { reserveQuota } from "../billing/quota-reservation.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { authenticateRequest, enforceLinkLimit, enforceRateLimit, requirePresentedKey } from "../http/authorize.ts";
import type { Environment } from "../platform/environment.ts";
import { addLogContext } from "../platform/log-context.ts";
import { cachePolicy } from "./cache-key.ts";
import { type CachedCapture, findCached } from "./cache-lookup.ts";
import { type ConcurrencyResources, startSynchronousCapture } from "./capture-concurrency.ts";
import { type CaptureRequest, captureRequest } from "./capture-request.ts";
import type { ParsedRequest } from "./signed-request.ts";
import { requireSigningKey } from "./signing-key.ts";
import { optionsFor } from "./test-caller.ts";

/** What the admission of a capture needs. */
export type AdmissionResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "MAX_STREAMED_RESULT_BYTES"
> &
  ConcurrencyResources;

export interface Admission {
  /** Rejects when the options are invalid, of which only an authenticated caller learns. */
  readonly parsing: Promise<ParsedRequest>;
  /** True when a signed link stands for an API key. */
  readonly isSigned: boolean;
  readonly clock: PhaseClock;
  /** Called once the key or the signature has proved who the caller is. */
  readonly onAuthenticated?: (() => void) | undefined;
}

export interface AdmittedCapture {
  readonly capture: CaptureRequest;
  /** The cached result that may answer it. */
  readonly cached: CachedCapture | undefined;
  /** What counts it as running; undefined when it is not counted. */
  readonly running: RunningOperation | undefined;
  /** Undefined if it is not known. */
  readonly quotaRemaining: QuotaRemaining | undefined;
}

/**
 * Admits a request for a capture in two round trips. Throws the first of `UNAUTHORIZED`, `RATE_LIMITED`, `FORBIDDEN`,
 * the errors of its options, and `CAPACITY`; a capture without quota is admitted, since a cached result is free. Every request of an
 * authenticated caller counts against the rate limit: of the account, or of the signed link that the cache answers.
 */
export async function admitCapture(
  request: ApiRequest,
  { parsing, isSigned, clock, onAuthenticated }: Admission,
  env: AdmissionResources,
): Promise<AdmittedCapture> {
  parsing.catch(() => undefined); // reported below, after authentication
  const caller = await authenticateCapture(request, isSigned, env);
  onAuthenticated?.();
  const { receivedAt, requestId, sourceIp, startedAt } = request;

  const permitting = readPermitted(caller, parsing);
  const reserving = permitting.then(({ options }) => reserveQuota({ caller, options, receivedAt }, env));
  const delivery = { startedAt, maxBodyBytes: env.MAX_STREAMED_RESULT_BYTES, job: undefined };
  const looking = permitting.then((permitted) => findCached({ ...permitted, ...delivery }, env));
  const counting = isSigned
    ? countView(request, { caller, permitting, looking }, env)
    : enforceRateLimit(request, caller, env);
  const readingQuota = reserving.then((reservation) =>
    readQuotaRemaining([reservation], plans[caller.account.plan], env),
  );
  await Promise.allSettled([counting, reserving, looking, readingQuota]);

  try {
    const requests = await counting;
    const permitted = await permitting;
    const [reservation, cached] = [await reserving, await looking];
    const isImmediate = permitted.options.async || cached !== undefined;
    const { account } = caller;
    const running = isImmediate
      ? undefined
      : await startSynchronousCapture({ account, requests, now: Date.now() }, env);
    const facts = { caller, requestId, sourceIp, clock, reservation };
    const capture = captureRequest({ ...facts, ...permitted, ...delivery });
    return { capture, cached, running, quotaRemaining: await readingQuota };
  } catch (error) {
    const reservation = await reserving.catch(() => undefined);
    await reservation?.release();
    throw error;
  }
}

/**
 * Counts a request with a signed link: one that the cache answers, for the link, since every visitor of a page sends it; any other
 * one for the account, too. Throws `RATE_LIMITED`.
 */
async function countView(
  request: ApiRequest,
  view: {
    readonly caller: Caller;
    readonly permitting: Promise<Pick<CaptureRequest, "cache">>;
    readonly looking: Promise<CachedCapture | undefined>;
  },
  env: AdmissionResources,
): Promise<RateLimitState> {
  const { caller, permitting, looking } = view;
  const { cache } = await permitting.catch(() => ({ cache: undefined })); // reported by the admission
  if (!cache || cache.isRefreshed) return enforceRateLimit(request, caller, env);
  const { signature } = parseLink(request.query);
  const views = await enforceLinkLimit(request, { caller, signature }, env);
  const cached = await looking.catch(() => undefined);
  return cached ? views : enforceRateLimit(request, caller, env);
}

/**
 * Checks the form of what a request presents to authenticate, without any look-up. Throws `UNAUTHORIZED`; and, for a request with a
 * session that another site may have started, `FORBIDDEN` or `UNSUPPORTED_MEDIA_TYPE`.
 */
export function requireCredentials(request: ApiRequest, isSigned: boolean): void {
  if (isSigned) parseLink(request.query);
  else requirePresentedKey(request, { changesState: true });
}

/** The caller of a capture, by an API key or by a signed link. Throws `UNAUTHORIZED`. */
export async function authenticateCapture(
  request: ApiRequest,
  isSigned: boolean,
  env: Pick<AdmissionResources, "ACCOUNTS_TABLE">,
): Promise<Caller> {
  if (!isSigned) return authenticateRequest(request, env, { changesState: true }); // GET captures, too
  const find = (keyId: number) => findLinkCaller(env.ACCOUNTS_TABLE, keyId);
  const caller = await authenticateLink(request.query, { find, now: request.receivedAt });
  addLogContext({ account_id: caller.account.id });
  return caller;
}

/** The parsed options of a caller that may capture, with the cache policy that follows from them. */
async function readPermitted(
  caller: Caller,
  parsing: Promise<ParsedRequest>,
): Promise<ParsedRequest & Pick<CaptureRequest, "cache">> {
  requireScope(caller, "capture");
  const parsed = await parsing;
  const options = optionsFor(parsed.options, caller);
  requireSigningKey(caller, options);
  const cache = options.async ? undefined : cachePolicy(options, caller.account.id); // its job has it
  return { ...parsed, options, cache };
}
