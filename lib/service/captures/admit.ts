// Admits a request for captures: authenticates its caller, then counts the rate limit, reserves quota and reads the cache in parallel.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { engineOptions } from "../../contract/options/engine-options.ts";
import { plans } from "../../contract/plans.ts";
import type { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import type { Caller } from "../account/account.ts";
import { findLinkCaller } from "../account/account-store.ts";
import { requireScope } from "../account/authenticate.ts";
import type { RateLimitState } from "../account/rate-limit.ts";
import { authenticateLink, parseLink } from "../account/signed-link.ts";
import type { RunningOperation } from "../aws/running-count.ts";
import { type QuotaRemaining, readQuotaRemaining } from "../billing/quota-remaining.ts";
import { releaseAll, reserveQuota } from "../billing/quota-reservation.ts";
import type { ApiRequest } from "../http/api-request.ts";
import {
  authenticateRequest,
  enforceLinkLimit,
  enforceRateLimit,
  identify,
  requirePresentedKey,
} from "../http/authorize.ts";
import type { Environment } from "../platform/environment.ts";
import { type CachedCapture, findAllCached } from "./cache-lookup.ts";
import { type PlannedCapture, planCaptures } from "./cache-policies.ts";
import { type ConcurrencyResources, startSynchronousCapture } from "./capture-concurrency.ts";
import { type CaptureRequest, captureRequest } from "./capture-request.ts";
import type { ParsedRequest } from "./parse.ts";
import { requireSigningKey } from "./signing-key.ts";

/** What the admission of a request needs. */
export type AdmissionResources = Pick<
  Environment,
  "ACCOUNTS_TABLE" | "USAGE_TABLE" | "ACTIVITY_TABLE" | "RESULTS_BUCKET" | "MAX_STREAMED_RESULT_BYTES"
> &
  ConcurrencyResources;

export interface Admission {
  /** Rejects when the options are invalid. Only an authenticated caller learns that. */
  readonly parsing: Promise<ParsedRequest>;
  /** True when a signed link stands for an API key. */
  readonly isSigned: boolean;
  readonly clock: PhaseClock;
  /** Called once the key or the signature has proved who the caller is. */
  readonly onAuthenticated?: (() => void) | undefined;
}

/** A request that was admitted. */
export interface AdmittedRequest extends Omit<ParsedRequest, "outputs"> {
  /** One for each output, in the order of the request. */
  readonly captures: readonly [CaptureRequest, ...CaptureRequest[]];
  /** The cached results that may answer it, if all captures have one. */
  readonly cached: readonly CachedCapture[] | undefined;
  /** What counts it as running; undefined when it is not counted. */
  readonly running: RunningOperation | undefined;
  /** Undefined if it is not known. */
  readonly quotaRemaining: QuotaRemaining | undefined;
}

/**
 * Admits a request for captures in two round trips. Throws the first of `UNAUTHORIZED`, `ACCOUNT_SUSPENDED`, `RATE_LIMITED`, `FORBIDDEN`, the errors of its
 * options, and `CAPACITY`; a request without quota is admitted, since cached results are free. Every request of an authenticated caller
 * counts against the rate limit, as often as the page is to be loaded: of the account, or of the signed link that the cache answers.
 */
export async function admitRequest(
  request: ApiRequest,
  { parsing, isSigned, clock, onAuthenticated }: Admission,
  env: AdmissionResources,
): Promise<AdmittedRequest> {
  parsing.catch(() => undefined); // reported below, after authentication
  const planningLoads = plannedLoads(parsing);
  const caller = await authenticateCapture(request, isSigned, env);
  onAuthenticated?.();
  const { receivedAt, requestId, sourceIp, startedAt } = request;

  const planning = planPermitted(caller, parsing);
  const reserving = planning.then((outputs) => reserveQuota({ caller, outputs, receivedAt }, env));
  const delivery = { startedAt, maxBodyBytes: env.MAX_STREAMED_RESULT_BYTES, job: undefined };
  const looking = planning.then((planned) =>
    findAllCached(
      planned.map((capture) => ({ ...capture, ...delivery })),
      env,
    ),
  );
  const counting = isSigned
    ? countView(request, { caller, planning, looking }, env)
    : planningLoads.then((cost) => enforceRateLimit(request, caller, env, cost));
  const readingQuota = reserving.then((reservations) =>
    readQuotaRemaining(reservations, plans[caller.account.plan], env),
  );
  await Promise.allSettled([counting, reserving, looking, readingQuota]);

  try {
    const requests = await counting;
    const planned = await planning;
    const [reservations, cached] = [await reserving, await looking];
    const { outputs: _, ...parsed } = await parsing;
    const isImmediate = cached !== undefined || isAsync(planned);
    const { account } = caller;
    const running = isImmediate
      ? undefined
      : await startSynchronousCapture({ account, requests, now: Date.now() }, env);
    const [first, ...others] = planned.flatMap(({ group: place, ...output }, index) => {
      const reservation = reservations[index];
      const group = place && { ...place, id: requestId };
      const facts = { caller, requestId: requestId + index, sourceIp, clock, group };
      return reservation ? captureRequest({ ...facts, reservation, ...output, ...delivery }) : [];
    });
    if (!first) throw new Error("The request has no captures.");
    return { ...parsed, captures: [first, ...others], cached, running, quotaRemaining: await readingQuota };
  } catch (error) {
    const reservations = await reserving.catch(() => []);
    await releaseAll(reservations);
    throw error;
  }
}

/**
 * How many loads of the page the outputs are planned to need; 1 for a request that is refused. Loads the engine's planner on demand, which
 * reads options alone.
 */
async function plannedLoads(parsing: Promise<ParsedRequest>): Promise<number> {
  const { outputs } = await parsing.catch(() => ({ outputs: [] })); // reported by the admission
  if (outputs.length <= 1) return 1;
  const { planLoads } = await import("../../engine/pipeline/plan/plan-loads.ts");
  return planLoads(outputs.map(({ options }) => ({ options: engineOptions(options) }))).length;
}

/** True for the captures of an asynchronous request. */
export function isAsync([first]: readonly { readonly options: Pick<CaptureOptions, "async"> }[]): boolean {
  return first?.options.async ?? false;
}

/**
 * Counts a request with a signed link: one that the cache answers, for the link, since every visitor of a page sends it; any other
 * one for the account, too. Throws `RATE_LIMITED`.
 */
async function countView(
  request: ApiRequest,
  view: {
    readonly caller: Caller;
    readonly planning: Promise<readonly PlannedCapture[]>;
    readonly looking: Promise<readonly CachedCapture[] | undefined>;
  },
  env: AdmissionResources,
): Promise<RateLimitState> {
  const { caller, planning, looking } = view;
  const [planned] = await planning.catch(() => []); // reported by the admission
  const cache = planned?.cache;
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

/** The caller of a capture, by an API key or by a signed link. Throws `UNAUTHORIZED` or `ACCOUNT_SUSPENDED`. */
export async function authenticateCapture(
  request: ApiRequest,
  isSigned: boolean,
  env: Pick<AdmissionResources, "ACCOUNTS_TABLE">,
): Promise<Caller> {
  if (!isSigned) return authenticateRequest(request, env, { changesState: true }); // GET captures, too
  const find = (keyId: number) => findLinkCaller(env.ACCOUNTS_TABLE, keyId);
  const caller = await authenticateLink(request.query, { find, now: request.receivedAt });
  identify(caller);
  return caller;
}

/** The captures of a caller that may make them. Those of an asynchronous request have no cache yet: its job has it. */
async function planPermitted(caller: Caller, parsing: Promise<ParsedRequest>): Promise<readonly PlannedCapture[]> {
  requireScope(caller, "capture");
  const parsed = await parsing;
  const planned = planCaptures(parsed, caller);
  for (const { options } of planned) requireSigningKey(caller, options);
  return isAsync(planned) ? planned.map((capture) => ({ ...capture, cache: undefined })) : planned;
}
