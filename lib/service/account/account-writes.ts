// Builds the transaction items for a change of an account: its item, its keys, the denormalised callers, and its items of the directory.
import { writeCondition } from "../aws/items.ts";
import { accountKey, apiKeyKey, callerKey, linkKey, sessionCallerKey } from "../aws/table-keys.ts";
import type { Write } from "../aws/transaction.ts";
import {
  type Account,
  type ApiKey,
  type KeyRing,
  type PreviousText,
  toCaller,
  toLinkCaller,
  toPreviousCaller,
  toSessionCaller,
  validTexts,
} from "./account.ts";
import { directoryWrites } from "./directory.ts";

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
  const previousCaller = (key: ApiKey, text: PreviousText) =>
    put({ ...callerKey(text.hash), ...toPreviousCaller(account, key, text), ttl: replacedTtl(text) });
  const linkCaller = (key: ApiKey): Write => ({
    Put: { TableName: table, Item: { ...linkKey(key.id), ...toLinkCaller(account, key) }, ...unusedByOthers(account) },
  });
  const keyVersion = (key: ApiKey) => stored?.versions.get(key) ?? account.version;
  const key_versions = sumVersions(keys.map(keyVersion));

  const changed = keys.filter((key) => !stored?.versions.has(key));
  const callersChange = OF_CALLERS.some((name) => before?.account[name] !== account[name]);
  const activeKeys = callersChange ? keys.filter(({ revoked_at }) => revoked_at === null) : [];
  const now = Date.now();
  const previousCallers = [...new Set([...changed, ...activeKeys])].flatMap((key) => {
    const texts = changed.includes(key) ? key.previous_texts : validTexts(key, now);
    return texts.map((text) => previousCaller(key, text));
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
    ...previousCallers,
    ...[...new Set([...changed, ...activeKeys])].map(linkCaller),
    ...directoryWrites(table, before, after),
  ];
}

/** What the callers of an account have of it, and can change. */
const OF_CALLERS = [
  "plan",
  "billed_from",
  "past_subscriptions",
  "scheduled_plan",
  "previous_plan",
  "store_thumbnails",
  "suspension",
  "billing_stops",
  "limits",
] as const;

/** How long a replaced text is rejected as such after its end; it is rejected as unknown afterwards. 30 days. */
const REPLACED_CALLER_SECONDS = 30 * 24 * 60 * 60;

/** When the caller of a replaced text is deleted, in seconds since 1970. */
function replacedTtl({ until }: PreviousText): number {
  return Math.ceil(Date.parse(until) / 1000) + REPLACED_CALLER_SECONDS;
}

function versionCondition(account: Account | undefined) {
  return account
    ? writeCondition("#version = :version", { ":version": account.version })
    : writeCondition("attribute_not_exists(pk)");
}

/**
 * Key ids are generated without coordination between accounts, so an equal id must not overwrite another account's
 * links.
 */
function unusedByOthers({ id }: Account) {
  return writeCondition("attribute_not_exists(pk) OR #caller.#account.#id = :account", { ":account": id });
}

/** Returns the checksum that the account's item stores: the sum of its keys' versions. */
export function sumVersions(versions: Iterable<number>): number {
  return [...versions].reduce((total, version) => total + version, 0);
}
