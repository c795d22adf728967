// Work that only one of several may do while the others wait for its outcome: an item of the Activity table says whose
// turn it is. Who holds it says so again and again; who was killed stops, and soon the next one may take it.
import { setTimeout as pause } from "node:timers/promises";
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { cancellationReason, type Write } from "../aws/transaction.ts";

/** How long nobody hears of a holder before it counts as gone. A busy browser can keep its function from the clock. */
export const LEASE_MS = 10_000;
const RENEWAL_MS = 2_500;

/** Looks at an item are so far apart at most; they differ at random, so that many who wait do not look at once. */
const LONGEST_PAUSE_MS = 150;
const SHORTEST_PAUSE_MS = 50;

/** Which work, and by whom. */
export interface Lease {
  readonly table: string;
  readonly key: { readonly pk: string; readonly sk: string };
  /** Unlike that of every other. */
  readonly holder: string;
}

const StandingSchema = v.object({
  holder: v.string(),
  /** Milliseconds since 1970. */
  until: v.number(),
  outcome: v.optional(v.string()),
  mark: v.optional(v.string()),
});

/** How it stands with work that somebody else has or had. */
export type LeaseState = v.InferOutput<typeof StandingSchema>;

/**
 * Takes the work, and resolves to undefined then. It is refused while somebody holds it, and until `expires_at` once it
 * has an outcome. `mark` is kept with it. Who does not keep it up has it for `leaseMs`.
 */
export async function acquireLease(
  { table, key, holder }: Lease,
  { now, mark, leaseMs = LEASE_MS }: { readonly now: number; readonly mark?: string; readonly leaseMs?: number },
): Promise<LeaseState | undefined> {
  const until = now + leaseMs;
  const command = new PutCommand({
    TableName: table,
    Item: { ...key, holder, until, mark, ttl: Math.ceil(until / 1000) },
    ConditionExpression:
      "attribute_not_exists(pk) OR (attribute_not_exists(outcome) AND #until <= :now) OR expires_at <= :now",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": now },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const refused = await cancellationReason(() => dynamodb().send(command));
  if (!refused) return undefined;
  const standing = v.parse(StandingSchema, refused.item);
  // When the answer to the write is lost, the client sends it again, and it is refused because of itself.
  return standing.holder === holder && standing.outcome === undefined ? undefined : standing;
}

/** How it stands with the work, undefined where nobody has it. */
export async function readLeaseState({ table, key }: Omit<Lease, "holder">): Promise<LeaseState | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
  return Item && v.parse(StandingSchema, Item);
}

/**
 * What became of work that somebody else has: its outcome, "gone" when that holder has given it up or is gone, or
 * "late" at `deadline`, on the monotonic clock in milliseconds.
 */
export async function waitForRelease(
  { table, key, holder }: Lease,
  deadline: number,
): Promise<{ readonly outcome: string } | "gone" | "late"> {
  for (;;) {
    const standing = await readLeaseState({ table, key });
    if (standing?.holder !== holder) return "gone";
    if (standing.outcome !== undefined) return { outcome: standing.outcome };
    if (standing.until <= Date.now()) return "gone";
    const left = deadline - performance.now();
    if (left <= 0) return "late";
    await pause(Math.min(left, SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS)));
  }
}

/** Says again and again that the holder is there, until this is disposed of. */
export function heartbeat({ table, key, holder }: Lease): Disposable {
  const renew = () => {
    const until = Date.now() + LEASE_MS;
    const command = new UpdateCommand({
      TableName: table,
      Key: key,
      UpdateExpression: "SET #until = :until, #ttl = :ttl",
      ConditionExpression: "holder = :holder AND attribute_not_exists(outcome)",
      ExpressionAttributeNames: { "#until": "until", "#ttl": "ttl" },
      ExpressionAttributeValues: { ":until": until, ":ttl": Math.ceil(until / 1000), ":holder": holder },
    });
    // Refused when it has just ended; otherwise the next time comes before the lease is over.
    dynamodb()
      .send(command)
      .catch(() => undefined);
  };
  const timer = setInterval(renew, RENEWAL_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The write that tells the outcome to all who wait, and until `expiresAt`, in milliseconds since 1970, to all who come. */
export function completion(
  { table, key, holder }: Lease,
  { outcome, expiresAt }: { readonly outcome: string; readonly expiresAt: number },
): { readonly Update: NonNullable<Write["Update"]> } {
  return {
    Update: {
      TableName: table,
      Key: key,
      UpdateExpression: "SET outcome = :outcome, expires_at = :expires, #ttl = :ttl",
      ConditionExpression: "holder = :holder",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":outcome": outcome,
        ":expires": expiresAt,
        // Those who wait look for it a moment longer.
        ":ttl": Math.ceil((expiresAt + LEASE_MS) / 1000),
        ":holder": holder,
      },
    },
  };
}

/** Tells the outcome; see `ending`. Does nothing where another one holds it by now. */
export async function completeLease(lease: Lease, told: Parameters<typeof completion>[1]): Promise<void> {
  await cancellationReason(() => dynamodb().send(new UpdateCommand(completion(lease, told).Update)));
}

/** The write that gives work up without an outcome, so that the next one may take it at once. */
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

/** Gives work up, unless it has its outcome or another one holds it by now. */
export async function releaseLease(lease: Lease): Promise<void> {
  await cancellationReason(() => dynamodb().send(new DeleteCommand(releaseUpdate(lease).Delete)));
}
