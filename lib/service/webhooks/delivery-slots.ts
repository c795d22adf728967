// Concurrency limit of webhook deliveries: a counting semaphore per account, so that slow receivers of one account do
// not delay others, and a half-open circuit breaker per receiver: after a timeout it gets one delivery at a time until
// it responds.
import { createHash } from "node:crypto";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { type Reservable, releaseOne, reserve } from "../aws/reservations.ts";
import { receiverSlotKey, webhookSlotsKey } from "../aws/table-keys.ts";

/** Maximum number of concurrent deliveries per account. */
export const MAX_DELIVERIES_PER_ACCOUNT = 4;

/** How long the circuit breaker remembers a timeout of a receiver, in milliseconds. */
const BREAKER_MS = 24 * 60 * 60 * 1000;

/** A delivery to a receiver. `holder` is unique, letters and digits. */
export interface DeliverySlot {
  readonly accountId: number;
  readonly url: string;
  readonly holder: string;
}

/** An acquired slot. */
export interface AcquiredSlot {
  /** Releases the slot. `timedOut` is whether the receiver timed out; undefined when no request was sent. */
  release(timedOut: boolean | undefined): Promise<void>;
}

/**
 * Acquires a slot until `until` (milliseconds since 1970), when it expires if the holder died. Resolves to undefined
 * when the account has no free slot, or when its receiver timed out and another delivery is probing it.
 */
export async function acquireDeliverySlot(
  table: string,
  { accountId, url, holder }: DeliverySlot,
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
  const timedOutBefore = await hasTimedOutBefore(table, receiverKey, times.now);
  const counters: readonly Reservable[] = timedOutBefore ? [receiverSlot, accountSlots] : [accountSlots];
  const acquired: Reservable[] = [];
  const releaseAll = async () => void (await Promise.all(acquired.map((counter) => releaseOne(counter, holder))));
  for (const counter of counters) {
    const { isReserved } = await reserve(counter, holder, times);
    if (!isReserved) {
      await releaseAll();
      return undefined;
    }
    acquired.push(counter);
  }
  return {
    async release(timedOut) {
      if (timedOut !== undefined && timedOut !== timedOutBefore) await storeTimeout(table, receiverKey, timedOut);
      await releaseAll();
    },
  };
}

/** The circuit breaker is per origin: its paths are served by the same program. */
function hashOrigin(url: string): string {
  return createHash("sha256").update(new URL(url).origin).digest("hex").slice(0, 32);
}

async function hasTimedOutBefore(table: string, Key: Reservable["key"], now: number): Promise<boolean> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: { ...Key }, ConsistentRead: true }));
  return Number(Item?.["hung_until"] ?? 0) > now;
}

async function storeTimeout(table: string, Key: Reservable["key"], timedOut: boolean): Promise<void> {
  const until = Date.now() + (timedOut ? BREAKER_MS : 0);
  await dynamodb().send(
    new UpdateCommand({
      TableName: table,
      Key: { ...Key },
      UpdateExpression: "SET hung_until = :until, #ttl = :ttl",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":until": until, ":ttl": Math.ceil((until + BREAKER_MS) / 1000) },
    }),
  );
}
