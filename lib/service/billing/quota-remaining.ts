// How many captures remain of a quota after a request: for `X-Quota-Remaining`.
import { type Plan, type QuotaName, quotaFor } from "../../contract/plans.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { readCounts } from "./period-store.ts";
import { usedQuota } from "./quota.ts";
import type { QuotaReservation } from "./quota-reservation.ts";

/** The lowest number of captures that remain of a quota after a request. */
export interface QuotaRemaining {
  readonly ifCaptured: number;
  /** If all of it is free: it failed, or the cache or an earlier response answers it. */
  readonly ifFree: number;
}

/**
 * Reads how much remains after the captures of all `reservations`. A reservation under a hard cap knows it. For a plan that continues
 * beyond its quota, the billed captures of the period are read, without those in progress; 0 once the quota is used up. Undefined if they
 * can't be read: no capture fails for it.
 */
export async function readQuotaRemaining(
  reservations: readonly QuotaReservation[],
  plan: Pick<Plan, "quotas">,
  { USAGE_TABLE }: Pick<Environment, "USAGE_TABLE">,
): Promise<QuotaRemaining | undefined> {
  const capped = reservations.flatMap(({ remaining }) => remaining ?? []);
  if (capped.length > 0) {
    const ifCaptured = Math.min(...capped);
    return { ifCaptured, ifFree: ifCaptured + reservations.filter(({ isGranted }) => isGranted).length };
  }
  const [first] = reservations;
  if (!first?.isGranted) return undefined;
  const { accountId, period } = first.allowance;
  try {
    const counts = await readCounts(USAGE_TABLE, accountId, period);
    const quotas = reservations.map(({ allowance: { credit } }) => quotaFor(credit, plan));
    const lowest = (own: (name: QuotaName) => number) =>
      Math.min(...quotas.map((quota) => Math.max(0, quota.limit - usedQuota(quota, counts) - own(quota.name))));
    const ownCaptures = (name: QuotaName) => quotas.filter((quota) => quota.name === name).length;
    return { ifCaptured: lowest(ownCaptures), ifFree: lowest(() => 0) };
  } catch (error) {
    logError("remaining quota not read", error);
    return undefined;
  }
}

/** States in the header `X-Quota-Remaining` how much of the quota remains when so many captures of the request are free. */
export function showQuota(
  { responseHeaders }: Pick<ApiRequest, "responseHeaders">,
  remaining: QuotaRemaining | undefined,
  freeCaptures: number,
): void {
  if (!remaining) return;
  const { ifCaptured, ifFree } = remaining;
  responseHeaders.set("X-Quota-Remaining", String(Math.min(ifFree, ifCaptured + freeCaptures)));
}
