// Concurrency limit of webhook deliveries: a counting semaphore per account, so that slow receivers of one account do
// not delay others, and a half-open circuit breaker per receiver: after a timeout it gets one delivery at a time, with pauses that
// grow, until it responds.
import { createHash } from "node:crypto";
import { getItem, updateItem } from "../aws/items.ts";
import { type Reservable, releaseOne, reserve } from "../aws/reservations.ts";
import { receiverSlotKey, webhookSlotsKey } from "../aws/table-keys.ts";
import { probePauseMs } from "./slot-backoff.ts";

/** Maximum number of concurrent deliveries per account. */
export const MAX_DELIVERIES_PER_ACCOUNT = 4;

/** How long the circuit breaker remembers a timeout of a receiver, in milliseconds. */
const BREAKER_MS = 24 * 60 * 60 * 1000;

/** A delivery to a receiver. `holder` is unique, letters and digits. */
export interface DeliverySlot {
  readonly accountId: number;
  readonly url: string;
  readonly holder: string;
  /** For how many milliseconds the receiver has failed without a success. */
  readonly failingMs: number;
}

/** An acquired slot. */
export interface AcquiredSlot {
  /** Releases the slot. `timedOut` is whether the receiver timed out; undefined when no request was sent. */
  release(timedOut: boolean | undefined): Promise<void>;
}

/**
 * Acquires a slot until `until` (milliseconds since 1970), when it expires if the holder died. Resolves to undefined
 * when the account has no free slot, or when its receiver timed out, and another delivery is probing it or has just done so.
 */
export async function acquireDeliverySlot(
  table: string,
  { accountId, url, holder, failingMs }: DeliverySlot,
  times: { readonly now: number; readonly until: number },
): Promise<AcquiredSlot | undefined> {
  const receiverKey = receiverSlotKey(accountId, hashOrigin(url));
  const accountSlots = {
    table,
    key: webhookSlotsKey(accountId),
    name: "deliveries",
    limit: MAX_DELIVERIES_PER_ACCOUNT,
  };
  const receiverSlot = { table, key: receiverKey, name: "deliveries", limit: 1 };
  const breaker = await readBreaker(table, receiverKey);
  const timedOutBefore = breaker.hungUntil > times.now;
  if (timedOutBefore && breaker.probeAt > times.now) return undefined;
  const counters: readonly Reservable[] = timedOutBefore ? [receiverSlot, accountSlots] : [accountSlots];
  const acquired: Reservable[] = [];
  const releaseAll = async () => void (await Promise.all(acquired.map((counter) => releaseOne(counter, holder))));
  for (const counter of counters) {
    const { isReserved } = await reserve(counter, [holder], times);
    if (!isReserved) {
      await releaseAll();
      return undefined;
    }
    acquired.push(counter);
  }
  return {
    async release(timedOut) {
      if (timedOut || (timedOut === false && timedOutBefore)) {
        await storeBreaker(table, receiverKey, timedOut ? probePauseMs(failingMs) : undefined);
      }
      await releaseAll();
    },
  };
}

/** The circuit breaker is per origin: its paths are served by the same program. */
function hashOrigin(url: string): string {
  return createHash("sha256").update(new URL(url).origin).digest("hex").slice(0, 32);
}

interface Breaker {
  /** Until when the breaker remembers a timeout, in milliseconds since 1970; 0 without one. */
  readonly hungUntil: number;
  /** Before this time, no delivery is tried; in milliseconds since 1970. */
  readonly probeAt: number;
}

async function readBreaker(table: string, key: Reservable["key"]): Promise<Breaker> {
  const item = await getItem(table, key);
  return { hungUntil: Number(item?.["hung_until"] ?? 0), probeAt: Number(item?.["probe_at"] ?? 0) };
}

/** Opens the breaker for a receiver that timed out, which is left alone for `pauseMs`; closes it without that. */
async function storeBreaker(table: string, key: Reservable["key"], pauseMs: number | undefined): Promise<void> {
  const now = Date.now();
  const until = now + (pauseMs === undefined ? 0 : BREAKER_MS);
  await updateItem(table, key, {
    update: "SET hung_until = :until, probe_at = :probe, #ttl = :ttl",
    values: { ":until": until, ":probe": now + (pauseMs ?? 0), ":ttl": Math.ceil((until + BREAKER_MS) / 1000) },
  });
}
