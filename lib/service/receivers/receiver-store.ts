// Stores receivers of webhooks in the Accounts table: settings and health in one item each, secrets in another. The names are
// in an item of their own with an optimistic lock, so that they stay unique and their number limited.
import * as v from "valibot";
import type { SigningSecrets } from "../account/account.ts";
import { getItem, type ItemChange, itemUpdate, putItem, queryPages, updateItem, writeCondition } from "../aws/items.ts";
import {
  pauseMailsKey,
  receiverKey,
  receiverNamesKey,
  receiverSecretsKey,
  receiversPartition,
} from "../aws/table-keys.ts";
import { failedCondition, transact, type Write } from "../aws/transaction.ts";
import { decryptSecrets, encryptSecrets } from "../secrets/signing-secrets.ts";
import {
  automaticTtl,
  changesHealth,
  HEALTH_PRECISION_MS,
  isOtherOrigin,
  newAutomaticReceiver,
  type PauseCause,
  type Receiver,
  type ReceiverIds,
  type ReceiverNames,
  ReceiverSchema,
  unknownReceiver,
  unverifiedReceiver,
  withChangedName,
  withNewName,
  withoutName,
} from "./receiver.ts";

/** The receiver of an account, or undefined when it has none of this id. */
export async function findReceiver(table: string, { account_id, id }: ReceiverIds): Promise<Receiver | undefined> {
  return toReceiver(await getItem(table, receiverKey(account_id, id)));
}

function toReceiver(item: Readonly<Record<string, unknown>> | undefined): Receiver | undefined {
  return item?.["id"] === undefined ? undefined : v.parse(ReceiverSchema, item); // the item of the names has no id
}

/** Like `findReceiver`, but throws `NOT_FOUND`. */
export async function requireReceiver(table: string, ids: ReceiverIds): Promise<Receiver> {
  return required(await findReceiver(table, ids));
}

function required(receiver: Receiver | undefined): Receiver {
  if (!receiver) throw unknownReceiver();
  return receiver;
}

/** All saved receivers of an account, oldest first. */
export async function listReceivers(table: string, accountId: number): Promise<Receiver[]> {
  const receivers: Receiver[] = [];
  for await (const page of receiverPages(table, accountId, "rcv_")) receivers.push(...page);
  return receivers.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
}

/** Automatic receivers that are listed at most. */
export const MAX_LISTED_AUTOMATIC = 100;
/** Automatic receivers that are read for that at most: an account can send to any number of origins. */
const MAX_READ_AUTOMATIC = 3_000;

/** The automatic receivers of an account that are paused or failing: paused ones first, and then those that have failed for longest. */
export async function listAutomaticReceivers(table: string, accountId: number): Promise<Receiver[]> {
  const receivers: Receiver[] = [];
  for await (const page of receiverPages(table, accountId, "auto_")) {
    receivers.push(...page);
    if (receivers.length >= MAX_READ_AUTOMATIC) break;
  }
  const rank = ({ status, paused_at, failing_since }: Receiver) =>
    status === "paused" ? `0${paused_at}` : `1${failing_since}`;
  return receivers
    .filter(({ status, failing_since }) => status === "paused" || failing_since !== undefined)
    .toSorted((a, b) => rank(a).localeCompare(rank(b)))
    .slice(0, MAX_LISTED_AUTOMATIC);
}

async function* receiverPages(table: string, accountId: number, prefix: string): AsyncGenerator<Receiver[]> {
  for await (const items of queryPages(table, receiversPartition(accountId), { prefix }))
    yield items.map((item) => v.parse(ReceiverSchema, item));
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
 * Changes the name or the address of a receiver at `now` (milliseconds since 1970), or both. Another address has not failed yet; one of
 * another origin gets no events before it accepts a test event. Resolves to the changed receiver. Throws `NOT_FOUND`, or `CONFLICT` when
 * another receiver has the name.
 */
export async function changeReceiver(
  table: string,
  ids: ReceiverIds,
  { name, url }: { readonly name?: string; readonly url?: string },
  now: number,
): Promise<Receiver> {
  if (name !== undefined) await renameReceiver(table, ids, name);
  if (url === undefined) return requireReceiver(table, ids);
  for (;;) {
    const receiver = await requireReceiver(table, ids);
    const changed = await changeAddress(table, receiver, url, now);
    if (changed?.url === url) return changed; // or another request has changed it meanwhile
  }
}

async function renameReceiver(table: string, ids: ReceiverIds, name: string): Promise<void> {
  const Update = itemUpdate(table, receiverKey(ids.account_id, ids.id), {
    update: "SET #name = :name",
    condition: "attribute_exists(id)",
    values: { ":name": name },
  });
  await changeNames(table, ids.account_id, (known) => withChangedName(known, ids.id, name), [{ Update }]);
}

/** Changes the address of a receiver as it was read. Resolves to the receiver as it is then; undefined for one that was deleted. */
function changeAddress(table: string, receiver: Receiver, url: string, now: number): Promise<Receiver | undefined> {
  const { status, url: before } = receiver;
  const isElsewhere = isOtherOrigin(receiver, url);
  const isPaused = isElsewhere && status === "active";
  const sets = [
    "#url = :url",
    ...(isElsewhere ? ["unverified_since = :now"] : []),
    ...(isPaused ? ["#status = :paused, paused_at = :now, paused_by = :cause"] : []),
  ];
  const removed = ["failing_since", "failing_minutes", ...(isPaused ? ["outage_since"] : [])];
  return updateReceiver(table, receiver, {
    update: `SET ${sets.join(", ")} REMOVE ${removed.join(", ")}`,
    condition: "#url = :before AND #status = :status",
    values: {
      ":url": url,
      ":before": before,
      ":status": status,
      ...(isElsewhere && { ":now": new Date(now).toISOString() }),
      ...(isPaused && { ":paused": "paused", ":cause": "verification" satisfies PauseCause }),
    },
  });
}

/**
 * Stores at `now` (milliseconds since 1970) that the origin of a receiver, as it was read, has accepted a test event, and resumes one that
 * waited for that. Does nothing when its address has changed meanwhile.
 */
export async function verifyReceiver(table: string, receiver: Receiver, now: number): Promise<void> {
  if (receiver.paused_by === "verification") {
    await updateReceiver(table, receiver, {
      update: "SET #status = :active, resumed_at = :now REMOVE unverified_since, paused_at, paused_by",
      condition: "#url = :url AND paused_by = :cause",
      values: { ":url": receiver.url, ":active": "active", ":now": now, ":cause": "verification" },
    });
  } else {
    const verified = { update: "REMOVE unverified_since", condition: "#url = :url", values: { ":url": receiver.url } };
    await updateReceiver(table, receiver, verified);
  }
}

/** Counts the failures in a row of a replay, `replay` being its time, after one of its deliveries. */
export async function countReplayOutcome(
  table: string,
  receiver: Receiver,
  { replay, outcome }: { readonly replay: number; readonly outcome: "success" | "failure" },
): Promise<void> {
  if (receiver.replayed_at !== replay || (outcome === "success" && !receiver.replay_failures)) return;
  await updateReceiver(table, receiver, {
    update: outcome === "failure" ? "ADD replay_failures :one" : "REMOVE replay_failures",
    condition: "replayed_at = :replay",
    values: { ":replay": replay, ":one": outcome === "failure" ? 1 : undefined },
  });
}

/** Deletes a receiver with its secrets. Throws `NOT_FOUND`. */
export async function deleteReceiver(table: string, { account_id, id }: ReceiverIds): Promise<void> {
  const Key = receiverKey(account_id, id);
  await changeNames(table, account_id, (names) => withoutName(names, id), [
    { Delete: { TableName: table, Key, ConditionExpression: "attribute_exists(id)" } },
    { Delete: { TableName: table, Key: receiverSecretsKey(account_id, id) } },
  ]);
}

/**
 * Pauses a receiver for its account at `now` (milliseconds since 1970). One that is paused stays as it is. Resolves to the paused
 * receiver. Throws `NOT_FOUND`.
 */
export async function pauseReceiver(table: string, ids: ReceiverIds, now: number): Promise<Receiver> {
  for (;;) {
    const receiver = await requireReceiver(table, ids);
    if (receiver.status === "paused") return receiver;
    const paused = await pauseAs(table, receiver, "account", now);
    if (paused) return paused;
  }
}

/**
 * Pauses a receiver as it was read, at `now` (milliseconds since 1970). Resolves to undefined when it was paused, deleted, or well again
 * meanwhile.
 */
export async function pauseAs(
  table: string,
  { account_id, id, failing_since }: Receiver,
  cause: PauseCause,
  now: number,
): Promise<Receiver | undefined> {
  const isFailing = failing_since !== undefined;
  const { isChanged, item } = await updateItem(table, receiverKey(account_id, id), {
    update:
      "SET #status = :paused, paused_at = :now, paused_by = :cause" +
      (isFailing ? ", outage_since = :since" : " REMOVE outage_since"),
    condition: `#status = :active AND ${isFailing ? "failing_since = :since" : "attribute_not_exists(failing_since)"}`,
    values: {
      ":active": "active",
      ":paused": "paused",
      ":cause": cause,
      ":now": new Date(now).toISOString(),
      ":since": failing_since,
    },
  });
  return isChanged ? toReceiver(item) : undefined;
}

/**
 * Resumes a receiver at `now` (milliseconds since 1970), which has a day again before it is paused. Throws `NOT_FOUND`, and `CONFLICT`
 * while its origin has not accepted a test event.
 */
export async function resumeReceiver(table: string, ids: ReceiverIds, now: number): Promise<Receiver> {
  const resumed = await updateReceiver(table, ids, {
    update: "SET #status = :active, resumed_at = :now REMOVE paused_at, paused_by, failing_since, failing_minutes",
    condition: "attribute_not_exists(unverified_since)",
    values: { ":active": "active", ":now": now },
  });
  const receiver = required(resumed);
  if (receiver.unverified_since !== undefined) throw unverifiedReceiver();
  return receiver;
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
  const { isChanged, item } = await updateItem(table, receiverKey(account_id, id), {
    update: "SET replayed_at = :now REMOVE replay_failures",
    condition: "attribute_exists(id) AND (attribute_not_exists(replayed_at) OR replayed_at <= :before)",
    values: { ":now": now, ":before": now - pauseMs },
  });
  if (isChanged) return undefined;
  const last = item?.["replayed_at"];
  if (typeof last !== "number") throw unknownReceiver();
  return last === now ? undefined : last + pauseMs; // the SDK may retry a write that already succeeded
}

/**
 * Stores the outcome of a delivery at `now` (milliseconds since 1970), where it changes the receiver's health. Resolves to the receiver as
 * it is then; undefined for one that was deleted meanwhile.
 */
export async function storeOutcome(
  table: string,
  receiver: Receiver,
  outcome: "success" | "failure",
  now: number,
): Promise<Receiver | undefined> {
  if (!changesHealth(receiver, outcome, now)) return receiver;
  if (outcome === "failure") return updateReceiver(table, receiver, countedFailure(now));
  return updateReceiver(table, receiver, {
    update: "SET last_success_at = :now REMOVE failing_since, failing_minutes",
    values: { ":now": new Date(now).toISOString() },
  });
}

/** Of the failures of a minute, one counts, however many workers have read the receiver before it. */
function countedFailure(now: number, further: readonly string[] = []) {
  const sets = [...further, "last_failure_at = :now", "failing_since = if_not_exists(failing_since, :now)"];
  return {
    update: `SET ${sets.join(", ")} ADD failing_minutes :one`,
    condition: "attribute_not_exists(failing_since) OR last_failure_at <= :before",
    values: {
      ":now": new Date(now).toISOString(),
      ":one": 1,
      ":before": new Date(now - HEALTH_PRECISION_MS).toISOString(),
    },
  };
}

/**
 * Stores a failure of the automatic receiver for an address, which is made by the first one. Otherwise as `storeOutcome`: `receiver` is
 * that which was read before.
 */
export async function storeAutomaticFailure(
  table: string,
  {
    account_id,
    url,
    receiver,
  }: { readonly account_id: number; readonly url: string; readonly receiver?: Receiver | undefined },
  now: number,
): Promise<Receiver | undefined> {
  if (receiver && !changesHealth(receiver, "failure", now)) return receiver;
  const { id, name, url: origin, status, ttl } = newAutomaticReceiver(account_id, url, now);
  const { values, ...failure } = countedFailure(now, [
    "id = :id, account_id = :account, #name = :name, #url = :url, #ttl = :ttl",
    "#status = if_not_exists(#status, :status), created_at = if_not_exists(created_at, :now)",
  ]);
  const { item } = await updateItem(table, receiverKey(account_id, id), {
    ...failure,
    values: {
      ...values,
      ":id": id,
      ":account": account_id,
      ":name": name,
      ":url": origin,
      ":status": status,
      ":ttl": ttl,
    },
  });
  return toReceiver(item);
}

/** Extends the time for which an automatic receiver is remembered, at most once a day. `now` is in milliseconds since 1970. */
export async function rememberReceiver(table: string, receiver: Receiver, now: number): Promise<void> {
  const ttl = automaticTtl(now);
  if (receiver.ttl === undefined || receiver.ttl >= ttl - 24 * 60 * 60) return;
  await updateReceiver(table, receiver, { update: "SET #ttl = :ttl", values: { ":ttl": ttl } });
}

/** Counts an e-mail about a paused receiver at `now` (milliseconds since 1970). Resolves to how many the account got that day, with it. */
export async function countPauseMail(table: string, accountId: number, now: number): Promise<number> {
  const { item } = await updateItem(table, pauseMailsKey(accountId, new Date(now).toISOString().slice(0, 10)), {
    update: "SET #ttl = :ttl ADD mails :one",
    values: { ":ttl": Math.ceil(now / 1000) + 2 * 24 * 60 * 60, ":one": 1 },
  });
  return Number(item?.["mails"]);
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
    const item = { ...receiverSecretsKey(ids.account_id, ids.id), ...encrypted, version: stored.version + 1 };
    const { isChanged } = await putItem(table, item, "#version = :version", { ":version": stored.version });
    if (!isChanged && !(await isStored(table, ids, changed))) continue; // another rotation was faster
    const [latest] = changed.previous_signing_secrets;
    const receiver = await updateReceiver(table, ids, {
      update: latest ? "SET previous_secret_ends_at = :end" : "REMOVE previous_secret_ends_at",
      values: { ":end": latest?.until },
    });
    return { receiver: required(receiver), signing_secret: changed.signing_secret };
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
  const item = await getItem(table, receiverSecretsKey(account_id, id));
  if (!item) return undefined;
  const { version, ...secrets } = v.parse(StoredSecretsSchema, item);
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
    const item = await getItem(table, key);
    const stored = item ? v.parse(NamesSchema, item) : { names: {}, version: 0 };
    const Put = {
      TableName: table,
      Item: { ...key, names: change(stored.names), version: stored.version + 1 },
      ...writeCondition("attribute_not_exists(pk) OR #version = :version", { ":version": stored.version }),
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

/**
 * Changes a receiver under a further condition, if there is one. Resolves to the receiver as it is then, whether the condition holds or
 * not; undefined for one that was deleted.
 */
async function updateReceiver(
  table: string,
  { account_id, id }: ReceiverIds,
  { condition, ...change }: ItemChange,
): Promise<Receiver | undefined> {
  const conditions = `attribute_exists(id)${condition === undefined ? "" : ` AND (${condition})`}`;
  const { item } = await updateItem(table, receiverKey(account_id, id), { ...change, condition: conditions });
  return toReceiver(item);
}
