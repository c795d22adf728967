// Leases with heartbeat in the Activity table: one holder does the work while the others wait for its outcome. The lease
// of a holder that died expires, and the next one acquires it.
import { setTimeout as pause } from "node:timers/promises";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { getItem, itemUpdate, putItem, sendUpdate, updateItem } from "../aws/items.ts";
import { cancellationReason, type Write } from "../aws/transaction.ts";

/** Milliseconds after the last heartbeat at which a lease expires. A busy browser can delay its function's timers. */
export const LEASE_MS = 10_000;
const HEARTBEAT_MS = 2_500;

/** Pauses between polls have jitter, so that many waiters do not read at once. */
const MAX_POLL_PAUSE_MS = 150;
const MIN_POLL_PAUSE_MS = 50;

/** A lease on some work, and who acquires it. */
export interface Lease {
  readonly table: string;
  readonly key: { readonly pk: string; readonly sk: string };
  /** Unique to this holder. */
  readonly holder: string;
}

const LeaseStateSchema = v.object({
  holder: v.string(),
  /** When it expires, in milliseconds since 1970. */
  until: v.number(),
  outcome: v.optional(v.string()),
  tag: v.optional(v.string()),
});

/** The state of a lease that another holder has or had. */
export type LeaseState = v.InferOutput<typeof LeaseStateSchema>;

/**
 * Acquires a lease for `leaseMs`, and stores `tag` with it. Returns the current holder if another one has it, or if the work
 * has an outcome that has not expired.
 */
export async function acquireLease(
  { table, key, holder }: Lease,
  { now, tag, leaseMs = LEASE_MS }: { readonly now: number; readonly tag?: string; readonly leaseMs?: number },
): Promise<LeaseState | undefined> {
  const until = now + leaseMs;
  const { isChanged, item } = await putItem(
    table,
    { ...key, holder, until, tag, ttl: Math.ceil(until / 1000) },
    "attribute_not_exists(pk) OR (attribute_not_exists(outcome) AND #until <= :now) OR expires_at <= :now",
    { ":now": now },
  );
  if (isChanged) return undefined;
  const state = v.parse(LeaseStateSchema, item);
  // The SDK may retry a write that already succeeded; finding our own holder in the item means success.
  return state.holder === holder && state.outcome === undefined ? undefined : state;
}

/** The state of a lease; undefined when it has no holder. */
export async function readLeaseState({ table, key }: Omit<Lease, "holder">): Promise<LeaseState | undefined> {
  const item = await getItem(table, key);
  return item && v.parse(LeaseStateSchema, item);
}

/**
 * Polls a lease until its holder has finished. Resolves to the outcome, to "gone" when the holder released the lease or its
 * lease expired, or to "late" at `deadline` (milliseconds on the monotonic clock). Throws the reason of `signal` once that aborts.
 */
export async function waitForRelease(
  { table, key, holder }: Lease,
  deadline: number,
  signal?: AbortSignal,
): Promise<{ readonly outcome: string } | "gone" | "late"> {
  for (;;) {
    signal?.throwIfAborted();
    const state = await readLeaseState({ table, key });
    if (state?.holder !== holder) return "gone";
    if (state.outcome !== undefined) return { outcome: state.outcome };
    if (state.until <= Date.now()) return "gone";
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0) return "late";
    await pause(Math.min(remainingMs, MIN_POLL_PAUSE_MS + Math.random() * (MAX_POLL_PAUSE_MS - MIN_POLL_PAUSE_MS)));
  }
}

/** Extends the lease regularly until it is disposed of. */
export function heartbeat({ table, key, holder }: Lease): Disposable {
  const renew = () => {
    const until = Date.now() + LEASE_MS;
    // Refused when the work has just ended. After any other error the next heartbeat comes before the lease expires.
    updateItem(table, key, {
      update: "SET #until = :until, #ttl = :ttl",
      condition: "holder = :holder AND attribute_not_exists(outcome)",
      values: { ":until": until, ":ttl": Math.ceil(until / 1000), ":holder": holder },
    }).catch(() => undefined);
  };
  const timer = setInterval(renew, HEARTBEAT_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The write that stores the outcome: for those who wait, and until `expiresAt` (milliseconds since 1970) for later ones. */
export function completionUpdate(
  { table, key, holder }: Lease,
  { outcome, expiresAt }: { readonly outcome: string; readonly expiresAt: number },
): { readonly Update: NonNullable<Write["Update"]> } {
  return {
    Update: itemUpdate(table, key, {
      update: "SET outcome = :outcome, expires_at = :expires, #ttl = :ttl",
      condition: "holder = :holder",
      values: {
        ":outcome": outcome,
        ":expires": expiresAt,
        // Those who wait poll for it a moment longer.
        ":ttl": Math.ceil((expiresAt + LEASE_MS) / 1000),
        ":holder": holder,
      },
    }),
  };
}

/** Stores the outcome; see `completionUpdate`. Resolves to false, and does nothing, when another one holds the lease by now. */
export async function completeLease(lease: Lease, outcome: Parameters<typeof completionUpdate>[1]): Promise<boolean> {
  return (await sendUpdate(completionUpdate(lease, outcome).Update, "NONE")).isChanged;
}

/** The write that releases a lease without an outcome, so that the next one can acquire it at once. */
export function releaseUpdate({ table, key, holder }: Lease): { readonly Delete: NonNullable<Write["Delete"]> } {
  return {
    Delete: {
      TableName: table,
      Key: key,
      ConditionExpression: "holder = :holder AND attribute_not_exists(outcome)",
      ExpressionAttributeValues: { ":holder": holder },
    },
  };
}

/** Releases a lease, unless the work has an outcome or another one holds it by now. */
export async function releaseLease(lease: Lease): Promise<void> {
  await cancellationReason(() => dynamodb().send(new DeleteCommand(releaseUpdate(lease).Delete)));
}
