// Builds the transaction items for a change of an account: its item, its keys, and the denormalised callers.
import { accountKey, apiKeyKey, callerKey, linkKey, sessionCallerKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { type Account, type ApiKey, type KeyRing, toCaller, toLinkCaller, toSessionCaller } from "./account.ts";

/** A stored key ring with the account version at which each key was last written. */
export interface StoredKeyRing {
  readonly ring: KeyRing;
  readonly versions: ReadonlyMap<ApiKey, number>;
}

/**
 * Returns the transaction items that turn `stored` into `after`. The first item carries the optimistic lock: the
 * account's version is unchanged, or a new account does not exist yet. Items of links require that no other account
 * uses the key's id. Keys are never deleted.
 */
export function keyRingWrites(table: string, stored: StoredKeyRing | undefined, after: KeyRing): Write[] {
  const { account, keys } = after;
  const before = stored?.ring;
  const put = (Item: Record<string, unknown>): Write => ({ Put: { TableName: table, Item } });
  const caller = (key: ApiKey) => put({ ...callerKey(key.hash), ...toCaller(account, key) });
  const linkCaller = (key: ApiKey): Write => ({
    Put: { TableName: table, Item: { ...linkKey(key.id), ...toLinkCaller(account, key) }, ...unusedByOthers(account) },
  });
  const keyVersion = (key: ApiKey) => stored?.versions.get(key) ?? account.version;
  const key_versions = sumVersions(keys.map(keyVersion));

  const changed = keys.filter((key) => !stored?.versions.has(key));
  const callersChange = before?.account.plan !== account.plan || before.account.billed_from !== account.billed_from;
  const activeKeys = callersChange ? keys.filter(({ revoked_at }) => revoked_at === null) : [];
  // A rotated key's old hash keeps its caller item for a while, marked as revoked.
  const ttl = Math.ceil(Date.now() / 1000) + REPLACED_CALLER_SECONDS;
  const previousKeys = new Map(before?.keys.map((key) => [key.id, key]));
  const replaced = changed.flatMap((key) => {
    const old = previousKeys.get(key.id);
    if (!old || old.hash === key.hash) return [];
    const revoked = { ...old, revoked_at: new Date().toISOString() };
    return [put({ ...callerKey(old.hash), ...toCaller(account, revoked), ttl })];
  });
  return [
    {
      Put: {
        TableName: table,
        Item: { ...accountKey(account.id), ...account, key_versions },
        ...versionCondition(before?.account),
      },
    },
    put({ ...sessionCallerKey(account.id), ...toSessionCaller(after) }),
    ...changed.map((key) => put({ ...apiKeyKey(account.id, key.id), ...key, version: keyVersion(key) })),
    ...[...new Set([...changed, ...activeKeys])].map(caller),
    ...replaced,
    ...[...new Set([...changed, ...activeKeys])].map(linkCaller),
  ];
}

/** How long the log says that a rotated key was revoked; it is rejected as unknown afterwards. 30 days. */
const REPLACED_CALLER_SECONDS = 30 * 24 * 60 * 60;

function versionCondition(account: Account | undefined) {
  return account
    ? {
        ConditionExpression: "#version = :version",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": account.version },
      }
    : { ConditionExpression: "attribute_not_exists(pk)" };
}

/**
 * Key ids are generated without coordination between accounts, so an equal id must not overwrite another account's
 * links.
 */
function unusedByOthers({ id }: Account) {
  return {
    ConditionExpression: "attribute_not_exists(pk) OR #caller.#account.#id = :account",
    ExpressionAttributeNames: { "#caller": "caller", "#account": "account", "#id": "id" },
    ExpressionAttributeValues: { ":account": id },
  };
}

/** Returns the checksum that the account's item stores: the sum of its keys' versions. */
export function sumVersions(versions: Iterable<number>): number {
  return [...versions].reduce((total, version) => total + version, 0);
}
