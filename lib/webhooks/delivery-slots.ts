// How many webhooks of an account are sent at once: a limited number, so that slow receivers of one account do not delay the
// deliveries of others; to a receiver that hung one at a time, until it answers (a circuit breaker that is half open).
import { createHash } from "node:crypto";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { type Reservable, releaseOne, reserveOne } from "../aws/reservations.ts";
import { receiverSlotKey, webhookSlotsKey } from "../aws/table-keys.ts";

/** Webhooks of an account that are sent at once. */
export const MAX_DELIVERIES_PER_ACCOUNT = 4;

/** How long a receiver that hung is remembered, in milliseconds. */
const HUNG_MS = 24 * 60 * 60 * 1000;

/** A delivery to a receiver, by a holder whose name is a word of letters and digits like no other. */
export interface DeliverySlot {
  readonly accountId: number;
  readonly url: string;
  readonly holder: string;
}

/** A slot that was taken. */
export interface AcquiredSlot {
  /** Gives it back. `isHung` says whether the receiver let the time run out; undefined when it was not asked. */
  release(isHung: boolean | undefined): Promise<void>;
}

/**
 * Takes a slot until `until` (milliseconds since 1970), when a holder that was killed has lost it. Resolves to undefined when
 * the account has none left, or its receiver hung and is being tried by another delivery.
 */
export async function acquireDeliverySlot(
  table: string,
  { accountId, url, holder }: DeliverySlot,
  times: { readonly now: number; readonly until: number },
): Promise<AcquiredSlot | undefined> {
  const receiverKey = receiverSlotKey(accountId, hashOfOrigin(url));
  const ofAccount = { table, key: webhookSlotsKey(accountId), name: "deliveries", limit: MAX_DELIVERIES_PER_ACCOUNT };
  const ofReceiver = { table, key: receiverKey, name: "deliveries", limit: 1 };
  const wasHung = await isRememberedAsHung(table, receiverKey, times.now);
  const supplies: readonly Reservable[] = wasHung ? [ofReceiver, ofAccount] : [ofAccount];
  const taken: Reservable[] = [];
  const giveBack = async () => void (await Promise.all(taken.map((supply) => releaseOne(supply, holder))));
  for (const supply of supplies) {
    if (await reserveOne(supply, holder, times)) {
      await giveBack();
      return undefined;
    }
    taken.push(supply);
  }
  return {
    async release(isHung) {
      if (isHung !== undefined && isHung !== wasHung) await rememberHung(table, receiverKey, isHung);
      await giveBack();
    },
  };
}

/** A receiver is all that is at one origin: its paths are served by the same program. */
function hashOfOrigin(url: string): string {
  return createHash("sha256").update(new URL(url).origin).digest("hex").slice(0, 32);
}

async function isRememberedAsHung(table: string, Key: Reservable["key"], now: number): Promise<boolean> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: { ...Key }, ConsistentRead: true }));
  return Number(Item?.["hung_until"] ?? 0) > now;
}

async function rememberHung(table: string, Key: Reservable["key"], isHung: boolean): Promise<void> {
  const until = Date.now() + (isHung ? HUNG_MS : 0);
  await dynamodb().send(
    new UpdateCommand({
      TableName: table,
      Key: { ...Key },
      UpdateExpression: "SET hung_until = :until, #ttl = :ttl",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":until": until, ":ttl": Math.ceil((until + HUNG_MS) / 1000) },
    }),
  );
}
