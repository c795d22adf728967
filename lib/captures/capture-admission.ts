// Who may have a capture: a caller by key or signed link, for whom what it costs is reserved.
import { randomBytes } from "node:crypto";
import type { Caller } from "../accounts/account.ts";
import { findLinkCaller } from "../accounts/account-store.ts";
import { requireScope } from "../accounts/authenticate.ts";
import { authenticateLink } from "../accounts/signed-link.ts";
import type { ApiRequest } from "../api/http/api-request.ts";
import { count, identify } from "../api/http/authorize.ts";
import { isSigned } from "../api/screenshot/signed-request.ts";
import { periodAt } from "../billing/billing-period.ts";
import { plans } from "../billing/plans.ts";
import { type Allowance, allowanceFor, creditFor, isTrialOver, quotaExceeded } from "../billing/quota.ts";
import { readUsedQuota, releaseQuota, reserveQuota } from "../billing/quota-store.ts";
import type { ApiError } from "../errors/api-error.ts";
import type { CaptureOptions } from "../options/capture-options.ts";
import type { Environment } from "../platform/environment.ts";

type Places = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/** A capture whose caller may go on. */
export interface AuthorizedCapture {
  readonly caller: Caller;
  readonly allowance: Allowance;
  /** `QUOTA_EXCEEDED` where nothing is reserved because nothing is left: what costs nothing can be answered all the same. */
  readonly refusal: ApiError | undefined;
}

/** A capture whose options are being read, and what is found out beside its admission. */
export interface Consideration<T> {
  readonly reading: Promise<{ readonly options: CaptureOptions }>;
  readonly beside: (caller: Caller, options: CaptureOptions) => Promise<T>;
}

/**
 * Admits a request for a capture; when reading its options fails, so does this, but for callers only. Two round trips:
 * after the look-up of the key, the request is counted while the capture is reserved and something else found out.
 */
export async function authorizeCapture<T>(
  request: ApiRequest,
  { reading, beside }: Consideration<T>,
  places: Places,
): Promise<AuthorizedCapture & { readonly found: T }> {
  reading.catch(() => undefined); // only callers are told
  const caller = await identifyForCapture(request, places);
  const considering = async () => {
    requireScope(caller, "capture");
    const { options } = await reading;
    const reserving = reserveCapture(request, caller, options, places);
    const [found, reserved] = await Promise.allSettled([beside(caller, options), reserving]);
    if (reserved.status === "rejected") throw reserved.reason;
    if (found.status === "fulfilled") return { ...reserved.value, found: found.value };
    await releaseReservation(reserved.value, places);
    throw found.reason;
  };
  const [counted, considered] = await Promise.allSettled([count(request, caller, places), considering()]);
  if (counted.status === "rejected") {
    if (considered.status === "fulfilled") await releaseReservation(considered.value, places);
    throw counted.reason;
  }
  if (considered.status === "rejected") throw considered.reason;
  return { caller, ...considered.value };
}

/**
 * One of several captures that a request asks for, whose caller is known already. It is counted like a request of its
 * own, unless `isCounted` says that it is. Throws `RATE_LIMITED`.
 */
export async function admitFurther(
  request: ApiRequest,
  { caller, options, isCounted }: { caller: Caller; options: CaptureOptions; isCounted: boolean },
  places: Places,
): Promise<AuthorizedCapture> {
  if (!isCounted) await count(request, caller, places);
  return { caller, ...(await reserveCapture(request, caller, options, places)) };
}

/** Gives back what was reserved for a capture that is not taken. */
export async function releaseReservation(
  { allowance, refusal }: Pick<AuthorizedCapture, "allowance" | "refusal">,
  { USAGE_TABLE }: Pick<Places, "USAGE_TABLE">,
): Promise<void> {
  if (!refusal) await releaseQuota(USAGE_TABLE, allowance);
}

/** Throws the `QUOTA_EXCEEDED` of a capture for which nothing is left. */
export function requireQuota({ refusal }: Pick<AuthorizedCapture, "refusal">): void {
  if (refusal) throw refusal;
}

/** A capture can be asked for by a signed link, too. */
function identifyForCapture(request: ApiRequest, places: Places): Promise<Caller> {
  if (!isSigned(request)) return identify(request, places);
  const find = (keyId: number) => findLinkCaller(places.ACCOUNTS_TABLE, keyId);
  return authenticateLink(request.query, { find, now: request.receivedAt });
}

/** A reservation outlives whatever can hold it, so that one which has expired is held by nobody. */
const RESERVED_MS = 3 * 60 * 1000;
/** The same of a capture in the background, which waits until those before it are taken. */
export const JOB_RESERVED_MS = 24 * 60 * 60 * 1000;

async function reserveCapture(
  { receivedAt }: ApiRequest,
  { account }: Caller,
  { format, async: isJob }: CaptureOptions,
  { USAGE_TABLE }: Places,
): Promise<Pick<AuthorizedCapture, "allowance" | "refusal">> {
  const now = Date.now();
  const period = periodAt(account, receivedAt);
  const allowance = allowanceFor(
    { accountId: account.id, attempt: randomBytes(16).toString("hex"), period, credit: creditFor(format) },
    plans[account.plan],
  );
  if (!allowance.isCapped) return { allowance, refusal: undefined };
  const refused = isTrialOver(allowance, now)
    ? { taken: await readUsedQuota(USAGE_TABLE, allowance, now) }
    : await reserveQuota(USAGE_TABLE, allowance, { now, until: now + (isJob ? JOB_RESERVED_MS : RESERVED_MS) });
  return { allowance, refusal: refused && quotaExceeded(allowance, { ...refused, now }) };
}
