// Who may go on: the key of a request is looked up, the request counted, and what it captures reserved.
import { randomBytes } from "node:crypto";
import type { Caller } from "../accounts/account.ts";
import { findCaller } from "../accounts/account-store.ts";
import { authenticate, presentedKey, requireScope } from "../accounts/authenticate.ts";
import { periodAt } from "../accounts/billing-period.ts";
import { type Allowance, allowanceOf, creditOf, isTrialOver, quotaExceeded } from "../accounts/quota.ts";
import { readTaken, release, reserve } from "../accounts/quota-store.ts";
import { rateHeaders, rateLimited } from "../accounts/rate-limit.ts";
import { countRequest } from "../accounts/rate-limit-store.ts";
import { plans } from "../contract/plans.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Environment } from "../platform/environment.ts";
import { type ApiRequest, credentialsOf } from "./api-request.ts";

type Places = Pick<Environment, "ACCOUNTS_TABLE" | "USAGE_TABLE">;

/**
 * The caller of a request, whose key has the scope. From then on every answer tells the rate limit. Throws
 * `UNAUTHORIZED`, `RATE_LIMITED` or `FORBIDDEN`.
 */
export async function admit(request: ApiRequest, scope: Scope, places: Places): Promise<Caller> {
  const caller = await identify(request, places);
  await count(request, caller, places);
  requireScope(caller, scope);
  return caller;
}

/** A capture that may be taken. */
export interface AdmittedCapture {
  readonly caller: Caller;
  readonly allowance: Allowance;
}

/**
 * The same for a capture whose options are being read; when that fails, so does this, but for callers only. Two round
 * trips: after the look-up of the key, the request is counted while the capture is reserved. Throws `QUOTA_EXCEEDED`, too.
 */
export async function admitCapture(
  request: ApiRequest,
  reading: Promise<{ readonly options: { readonly format: string } }>,
  places: Places,
): Promise<AdmittedCapture> {
  reading.catch(() => undefined); // only callers are told
  const caller = await identify(request, places);
  const reserving = async () => {
    requireScope(caller, "capture");
    const { options } = await reading;
    return reserveCapture(request, caller, options.format, places);
  };
  const [counted, reserved] = await Promise.allSettled([count(request, caller, places), reserving()]);
  if (counted.status === "rejected") {
    if (reserved.status === "fulfilled") await release(places.USAGE_TABLE, reserved.value);
    throw counted.reason;
  }
  if (reserved.status === "rejected") throw reserved.reason;
  return { caller, allowance: reserved.value };
}

async function identify(request: ApiRequest, { ACCOUNTS_TABLE }: Places): Promise<Caller> {
  const find = (hash: string) => findCaller(ACCOUNTS_TABLE, hash);
  return authenticate(presentedKey(credentialsOf(request)), { find, now: request.receivedAt });
}

async function count(request: ApiRequest, { account, key }: Caller, { USAGE_TABLE }: Places): Promise<void> {
  const now = Date.now();
  const limit = plans[account.plan].requestsPerMinute;
  const { isAdmitted, ...state } = await countRequest(USAGE_TABLE, {
    accountId: account.id,
    keyId: key.id,
    limit,
    now,
  });
  for (const [name, value] of Object.entries(rateHeaders(state))) request.answerHeaders.set(name, value);
  if (!isAdmitted) throw rateLimited(state, now);
}

/** A reservation outlives whatever can hold it, so that one which has expired is held by nobody. */
const RESERVED_MS = 3 * 60 * 1000;

async function reserveCapture(
  { receivedAt }: ApiRequest,
  { account }: Caller,
  format: string,
  { USAGE_TABLE }: Places,
): Promise<Allowance> {
  const now = Date.now();
  const period = periodAt(account, receivedAt);
  const allowance = allowanceOf(
    { accountId: account.id, attempt: randomBytes(16).toString("hex"), period, credit: creditOf(format) },
    plans[account.plan],
  );
  if (!allowance.isCapped) return allowance;
  const refused = isTrialOver(allowance, now)
    ? { taken: await readTaken(USAGE_TABLE, allowance, now) }
    : await reserve(USAGE_TABLE, allowance, { now, until: now + RESERVED_MS });
  if (refused) throw quotaExceeded(allowance, { ...refused, now });
  return allowance;
}
