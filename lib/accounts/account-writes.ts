// What is written when an account and its keys change: the items themselves, and the callers that copy them.
import { accountKey, apiKeyKey, callerKey, linkKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import { type Account, type ApiKey, type KeyRing, toCaller, toLinkCaller } from "./account.ts";

/** A key ring with the version of the account at which each key was written. */
export interface StoredKeyRing {
  readonly ring: KeyRing;
  readonly versions: ReadonlyMap<ApiKey, number>;
}

/**
 * The writes that make `after` of what is stored: the first on the condition that it is stored still, or that nothing is
 * where a new account is made, and others on the condition that no other account has a key of the same id. Keys are
 * never taken away.
 */
export function keyRingWrites(table: string, stored: StoredKeyRing | undefined, after: KeyRing): Write[] {
  const { account, keys } = after;
  const before = stored?.ring;
  const put = (Item: Record<string, unknown>): Write => ({ Put: { TableName: table, Item } });
  const caller = (key: ApiKey) => put({ ...callerKey(key.hash), ...toCaller(account, key) });
  const link = (key: ApiKey): Write => ({
    Put: { TableName: table, Item: { ...linkKey(key.id), ...toLinkCaller(account, key) }, ...ofNoOther(account) },
  });
  const versionOf = (key: ApiKey) => stored?.versions.get(key) ?? account.version;
  const key_versions = sumVersions(keys.map(versionOf));

  const changed = keys.filter((key) => !stored?.versions.has(key));
  const hasOtherFacts = before?.account.plan !== account.plan || before.account.billed_from !== account.billed_from;
  const copied = hasOtherFacts ? keys.filter(({ revoked_at }) => revoked_at === null) : [];
  // The key that a new one took the place of gives nothing more.
  const known = new Map(before?.keys.map((key) => [key.id, key]));
  const replaced = changed.flatMap((key) => {
    const old = known.get(key.id);
    return old && old.hash !== key.hash ? [{ ...old, revoked_at: new Date().toISOString() }] : [];
  });
  return [
    {
      Put: {
        TableName: table,
        Item: { ...accountKey(account.id), ...account, key_versions },
        ...unchangedSince(before?.account),
      },
    },
    ...changed.map((key) => put({ ...apiKeyKey(account.id, key.id), ...key, version: versionOf(key) })),
    ...[...new Set([...changed, ...copied, ...replaced])].map(caller),
    ...[...new Set([...changed, ...copied])].map(link),
  ];
}

function unchangedSince(account: Account | undefined) {
  return account
    ? {
        ConditionExpression: "#version = :version",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": account.version },
      }
    : { ConditionExpression: "attribute_not_exists(pk)" };
}

/** Ids of keys are made without knowing those of other accounts: the same one again must not take over their links. */
function ofNoOther({ id }: Account) {
  return {
    ConditionExpression: "attribute_not_exists(pk) OR #caller.#account.#id = :account",
    ExpressionAttributeNames: { "#caller": "caller", "#account": "account", "#id": "id" },
    ExpressionAttributeValues: { ":account": id },
  };
}

/** The sum of the versions of an account's keys. */
export function sumVersions(versions: Iterable<number>): number {
  return [...versions].reduce((total, version) => total + version, 0);
}
