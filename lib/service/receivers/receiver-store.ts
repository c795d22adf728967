// Stores saved receivers of webhooks in the Accounts table: settings and health in one item each, secrets in another. The names are
// in an item of their own with an optimistic lock, so that they stay unique and their number limited.
import { GetCommand, PutCommand, paginateQuery, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { SigningSecrets } from "../account/account.ts";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { receiverKey, receiverNamesKey, receiverSecretsKey, receiversPartition } from "../aws/table-keys.ts";
import { cancellationReason, conditionFailed, failedCondition, transact, type Write } from "../aws/transaction.ts";
import { decryptSecrets, encryptSecrets } from "../secrets/signing-secrets.ts";
import {
  changesHealth,
  type Receiver,
  type ReceiverIds,
  type ReceiverNames,
  ReceiverSchema,
  unknownReceiver,
  withChangedName,
  withNewName,
  withoutName,
} from "./receiver.ts";

/** The receiver of an account, or undefined when it has none of this id. */
export async function findReceiver(table: string, { account_id, id }: ReceiverIds): Promise<Receiver | undefined> {
  const Key = receiverKey(account_id, id);
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item?.["id"] === undefined ? undefined : v.parse(ReceiverSchema, Item); // the item of the names has no id
}

/** Like `findReceiver`, but throws `NOT_FOUND`. */
export async function requireReceiver(table: string, ids: ReceiverIds): Promise<Receiver> {
  const receiver = await findReceiver(table, ids);
  if (!receiver) throw unknownReceiver();
  return receiver;
}

/** All receivers of an account, oldest first. */
export async function listReceivers(table: string, accountId: number): Promise<Receiver[]> {
  const pages = paginateQuery(
    { client: dynamodb() },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
      ExpressionAttributeValues: { ":pk": receiversPartition(accountId), ":prefix": "rcv_" },
      ConsistentRead: true,
    },
  );
  const receivers: Receiver[] = [];
  for await (const { Items = [] } of pages) receivers.push(...Items.map((item) => v.parse(ReceiverSchema, item)));
  return receivers.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
}

/** Stores a new receiver with its secret. Throws `CONFLICT` when its name is taken, or the account has as many as it may have. */
export async function createReceiver(table: string, receiver: Receiver, signing_secret: string): Promise<void> {
  const { account_id, id, name } = receiver;
  const owner = ["receiver", account_id, id] as const;
  const secrets = await encryptSecrets(table, owner, { signing_secret, previous_signing_secrets: [] });
  await changeNames(table, account_id, (names) => withNewName(names, id, name), [
    { Put: { TableName: table, Item: { ...receiverKey(account_id, id), ...receiver } } },
    { Put: { TableName: table, Item: { ...receiverSecretsKey(account_id, id), ...secrets, version: 0 } } },
  ]);
}

/**
 * Changes the name or the address of a receiver, or both at once. Another address has not failed yet. Resolves to the changed receiver.
 * Throws `NOT_FOUND`, or `CONFLICT` when another receiver has the name.
 */
export async function changeReceiver(
  table: string,
  ids: ReceiverIds,
  { name, url }: { readonly name?: string; readonly url?: string },
): Promise<Receiver> {
  const sets = [...(name === undefined ? [] : ["#name = :name"]), ...(url === undefined ? [] : ["#url = :url"])];
  if (sets.length === 0) return requireReceiver(table, ids);
  const expression = `SET ${sets.join(", ")}${url === undefined ? "" : " REMOVE failing_since"}`;
  const values = { ...(name !== undefined && { ":name": name }), ...(url !== undefined && { ":url": url }) };
  const names = { ...(name !== undefined && { "#name": "name" }), ...(url !== undefined && { "#url": "url" }) };
  if (name === undefined) return update(table, ids, expression, values, names);
  const Update = {
    TableName: table,
    Key: receiverKey(ids.account_id, ids.id),
    UpdateExpression: expression,
    ConditionExpression: "attribute_exists(id)",
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
  await changeNames(table, ids.account_id, (known) => withChangedName(known, ids.id, name), [{ Update }]);
  return requireReceiver(table, ids);
}

/** Deletes a receiver with its secrets. Throws `NOT_FOUND`. */
export async function deleteReceiver(table: string, { account_id, id }: ReceiverIds): Promise<void> {
  const Key = receiverKey(account_id, id);
  await changeNames(table, account_id, (names) => withoutName(names, id), [
    { Delete: { TableName: table, Key, ConditionExpression: "attribute_exists(id)" } },
    { Delete: { TableName: table, Key: receiverSecretsKey(account_id, id) } },
  ]);
}

/** Pauses a receiver at `now` (milliseconds since 1970). Throws `NOT_FOUND`. */
export function pauseReceiver(table: string, ids: ReceiverIds, now: number): Promise<Receiver> {
  const expression = "SET #status = :paused, paused_at = if_not_exists(paused_at, :now)";
  const values = { ":paused": "paused", ":now": new Date(now).toISOString() };
  return update(table, ids, expression, values, { "#status": "status" });
}

/** Resumes a receiver at `now` (milliseconds since 1970). Throws `NOT_FOUND`. */
export function resumeReceiver(table: string, ids: ReceiverIds, now: number): Promise<Receiver> {
  const expression = "SET #status = :active, resumed_at = :now REMOVE paused_at";
  return update(table, ids, expression, { ":active": "active", ":now": now }, { "#status": "status" });
}

/**
 * Stores that the events of a receiver are sent again at `now` (milliseconds since 1970). Resolves to undefined, or to when that is
 * possible next, in milliseconds since 1970. Throws `NOT_FOUND`.
 */
export async function claimReplay(
  table: string,
  { account_id, id }: ReceiverIds,
  { now, pauseMs }: { readonly now: number; readonly pauseMs: number },
): Promise<number | undefined> {
  const command = new UpdateCommand({
    TableName: table,
    Key: receiverKey(account_id, id),
    UpdateExpression: "SET replayed_at = :now",
    ConditionExpression: "attribute_exists(id) AND (attribute_not_exists(replayed_at) OR replayed_at <= :before)",
    ExpressionAttributeValues: { ":now": now, ":before": now - pauseMs },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const failed = await cancellationReason(() => dynamodb().send(command));
  if (!failed) return undefined;
  const last = failed.item?.["replayed_at"];
  if (typeof last !== "number") throw unknownReceiver();
  return last === now ? undefined : last + pauseMs; // the SDK may retry a write that already succeeded
}

/** Stores the outcome of a delivery at `now` (milliseconds since 1970), where it changes the receiver's health. */
export async function storeOutcome(
  table: string,
  receiver: Receiver,
  outcome: "success" | "failure",
  now: number,
): Promise<void> {
  if (!changesHealth(receiver, outcome, now)) return;
  const expression =
    outcome === "success"
      ? "SET last_success_at = :now REMOVE failing_since"
      : "SET last_failure_at = :now, failing_since = if_not_exists(failing_since, :now)";
  const command = updateCommand(table, receiver, expression, { ":now": new Date(now).toISOString() });
  await cancellationReason(() => dynamodb().send(command)); // of a receiver that was deleted meanwhile, nothing is stored
}

/** The secrets of a receiver; undefined when it was deleted. */
export async function readReceiverSecrets(table: string, ids: ReceiverIds): Promise<SigningSecrets | undefined> {
  return (await readStoredSecrets(table, ids))?.secrets;
}

/**
 * Applies `change` to the secrets of a receiver with optimistic locking, and stores until when the previous ones sign. Throws
 * `NOT_FOUND`, and what `change` throws.
 */
export async function updateReceiverSecrets(
  table: string,
  ids: ReceiverIds,
  change: (secrets: SigningSecrets) => SigningSecrets,
): Promise<{ readonly receiver: Receiver; readonly signing_secret: string }> {
  for (;;) {
    const stored = await readStoredSecrets(table, ids);
    if (!stored) throw unknownReceiver();
    const changed = change(stored.secrets);
    const encrypted = await encryptSecrets(table, ["receiver", ids.account_id, ids.id], changed);
    const command = new PutCommand({
      TableName: table,
      Item: { ...receiverSecretsKey(ids.account_id, ids.id), ...encrypted, version: stored.version + 1 },
      ConditionExpression: "#version = :version",
      ExpressionAttributeNames: { "#version": "version" },
      ExpressionAttributeValues: { ":version": stored.version },
    });
    const failed = await cancellationReason(() => dynamodb().send(command));
    if (failed && !(await isStored(table, ids, changed))) continue; // another rotation was faster
    const [latest] = changed.previous_signing_secrets;
    const receiver = latest
      ? await update(table, ids, "SET previous_secret_ends_at = :end", { ":end": latest.until })
      : await update(table, ids, "REMOVE previous_secret_ends_at");
    return { receiver, signing_secret: changed.signing_secret };
  }
}

/** The SDK may retry a write that already succeeded; finding our own secret means success. */
async function isStored(table: string, ids: ReceiverIds, { signing_secret }: SigningSecrets): Promise<boolean> {
  return (await readReceiverSecrets(table, ids))?.signing_secret === signing_secret;
}

const StoredSecretsSchema = v.object({
  signing_secret: v.string(),
  previous_signing_secrets: v.array(v.object({ secret: v.string(), until: v.string() })),
  version: v.number(),
});

async function readStoredSecrets(table: string, { account_id, id }: ReceiverIds) {
  const Key = receiverSecretsKey(account_id, id);
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  if (!Item) return undefined;
  const { version, ...secrets } = v.parse(StoredSecretsSchema, Item);
  return { secrets: await decryptSecrets(table, ["receiver", account_id, id], secrets), version };
}

const NamesSchema = v.object({ names: v.record(v.string(), v.string()), version: v.number() });

/**
 * Stores changed names together with `writes`. Repeats that after a concurrent change. Throws what `change` throws, and `NOT_FOUND`
 * when the condition of one of the writes fails.
 */
async function changeNames(
  table: string,
  accountId: number,
  change: (names: ReceiverNames) => ReceiverNames,
  writes: readonly Write[],
): Promise<void> {
  const key = receiverNamesKey(accountId);
  for (;;) {
    const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
    const stored = Item ? v.parse(NamesSchema, Item) : { names: {}, version: 0 };
    const Put = {
      TableName: table,
      Item: { ...key, names: change(stored.names), version: stored.version + 1 },
      ConditionExpression: "attribute_not_exists(pk) OR #version = :version",
      ExpressionAttributeNames: { "#version": "version" },
      ExpressionAttributeValues: { ":version": stored.version },
    };
    try {
      return await transact([{ Put }, ...writes]);
    } catch (error) {
      const failed = failedCondition(error);
      if (!failed) throw error;
      if (failed.index > 0) throw unknownReceiver();
    }
  }
}

type Values = Readonly<Record<string, unknown>>;

/** Changes the item of a receiver. Throws `NOT_FOUND` when there is none. */
async function update(
  table: string,
  ids: ReceiverIds,
  expression: string,
  values?: Values,
  names?: Record<string, string>,
): Promise<Receiver> {
  try {
    const { Attributes } = await dynamodb().send(updateCommand(table, ids, expression, values, names));
    return v.parse(ReceiverSchema, Attributes);
  } catch (error) {
    throw conditionFailed(error) ? unknownReceiver() : error;
  }
}

function updateCommand(
  table: string,
  { account_id, id }: ReceiverIds,
  expression: string,
  values?: Values,
  names?: Record<string, string>,
): UpdateCommand {
  return new UpdateCommand({
    TableName: table,
    Key: receiverKey(account_id, id),
    UpdateExpression: expression,
    ConditionExpression: "attribute_exists(id)",
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: { ...values } }),
    ReturnValues: "ALL_NEW",
  });
}
