// Account store on a real table: transactions, optimistic locking, and the denormalised callers.
import { PutCommand, QueryCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { type PlanName, planNames } from "../../../lib/contract/plans.ts";
import {
  type ApiKey,
  invalidKeyReason,
  type KeyRing,
  scopes,
  toCaller,
  toLinkCaller,
} from "../../../lib/service/account/account.ts";
import {
  createKeyRing,
  FurtherWriteFailed,
  findCaller,
  findLinkCaller,
  findSessionCaller,
  listAccounts,
  readKeySecrets,
  readKeyRing as readStoredKeyRing,
  updateKeyRing as updateStoredKeyRing,
} from "../../../lib/service/account/account-store.ts";
import type { LimitChanges } from "../../../lib/service/account/limits.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { setLimits } from "../../../lib/service/account/set-limits.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { accountPartition, apiKeyKey } from "../../../lib/service/aws/table-keys.ts";
import { hashApiKey } from "../../../lib/service/keys/api-key.ts";
import { issueKey, issueSecrets, type KeySecrets } from "../../../lib/service/keys/issue-key.ts";
import {
  lastKey,
  withChangedKey,
  withEndedTexts,
  withKey,
  withPlan,
  withRevokedKey,
  withRotatedKey,
} from "../../../lib/service/keys/key-ring.ts";
import { decryptSecrets } from "../../../lib/service/secrets/signing-secrets.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const at = (time: number) => new Date(time).toISOString();

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.accounts;
});
afterAll(() => running.close());

const open = (plan: PlanName = "pro") => openAccount(table, { plan, label: "A customer", now: NOW });
/** Keys that two accounts create in one millisecond can have the same id; one of them gets another id. */
let keysMade = 0;
const aNewKey = (account_id: number, parts: Partial<Pick<ApiKey, "label" | "expires_at">> = {}) =>
  issueKey({ account_id, label: "Another", scopes: ["capture"], expires_at: null, ...parts }, NOW + ++keysMade);
/** The previous signing secrets and texts of a key after a rotation. */
const previousOf = ({ signing_secret: secret, key_prefix, hash, reports_first_use }: ApiKey) => ({
  previous_signing_secrets: [{ secret, until: at(NOW + 24 * 60 * 60 * 1000) }],
  previous_texts: [{ key_prefix, hash, reports_first_use, until: at(NOW) }],
});
/** The same with the secrets in plain text. */
async function decrypted({ account, keys }: KeyRing): Promise<KeyRing> {
  const decrypt = (key: ApiKey) => decryptSecrets(table, ["account", account.id], key);
  return { account, keys: await Promise.all(keys.map(decrypt)) };
}
const readKeyRing = async (from: string, id: number) => decrypted(await readStoredKeyRing(from, id));
const updateKeyRing: typeof updateStoredKeyRing = async (...change) => decrypted(await updateStoredKeyRing(...change));
const add = (id: number, ...keys: readonly ApiKey[]) => updateKeyRing(table, id, (ring) => keys.reduce(withKey, ring));
/** Adds so many new keys, in as few changes as transactions have room for. Resolves to the keys. */
async function addMany(id: number, count: number): Promise<ApiKey[]> {
  const keys = Array.from({ length: count }, () => aNewKey(id).apiKey);
  for (let first = 0; first < count; first += 20) await add(id, ...keys.slice(first, first + 20));
  return keys;
}

test("accounts: no item of an account or its keys has a time to live", async () => {
  const { ring } = await open();
  await add(ring.account.id, aNewKey(ring.account.id).apiKey);
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: table }));
  expect(Items.length).toBeGreaterThan(4);
  expect(Items.filter((item) => "ttl" in item)).toEqual([]);
});

/** Every valid key has a caller that equals account and key; no other issued key has one. */
async function expectExactCopies({ account, keys }: KeyRing, everGiven: Iterable<string>): Promise<void> {
  const wanted = new Map(keys.filter((key) => !key.revoked_at).map((key) => [key.hash, toCaller(account, key)]));
  const found = new Map<string, unknown>();
  for (const hash of everGiven) {
    const caller = await findCaller(table, hash);
    if (!caller) throw new Error(`The caller of ${hash} has gone`);
    if (!["revoked", "replaced"].includes(invalidKeyReason(caller, NOW) ?? "")) found.set(hash, caller);
  }
  expect(found).toEqual(wanted);
  const links = await Promise.all(keys.map(({ id }) => findLinkCaller(table, id)));
  const opening = links.filter((link) => link && invalidKeyReason(link.caller, NOW) !== "revoked");
  expect(opening).toEqual(keys.filter((key) => !key.revoked_at).map((key) => toLinkCaller(account, key)));
  expect(links).toHaveLength(keys.length);
}

describe("account store: a new account", () => {
  test("has one key with every scope, found by its plain text", async () => {
    const { ring, apiKey, key } = await open("starter");
    expect(ring).toEqual({
      account: {
        id: expect.any(Number),
        plan: "starter",
        label: "A customer",
        created_at: at(NOW),
        billed_from: at(NOW),
        email: null,
        requested_plan: null,
        quota_alerts: true,
        key_alerts: true,
        store_thumbnails: true,
        version: 1,
      },
      keys: [apiKey],
    });
    expect(await readKeyRing(table, ring.account.id)).toEqual(ring);
    expect(await findCaller(table, hashApiKey(key))).toEqual(toCaller(ring.account, apiKey));
    expect(await findLinkCaller(table, apiKey.id)).toEqual(toLinkCaller(ring.account, apiKey));
    expect(apiKey).toMatchObject({ label: "A customer", scopes: [...scopes], expires_at: null, revoked_at: null });
  });

  test("on trial is not billed yet", async () => {
    expect((await open("free")).ring.account.billed_from).toBeNull();
  });

  test("gets a unique id, even when many are opened at once", async () => {
    const opened = await Promise.all(Array.from({ length: 40 }, () => open()));
    expect(new Set(opened.map(({ ring }) => ring.account.id)).size).toBe(40);
  });

  test("does not overwrite another account", async () => {
    const { ring } = await open();
    const thief = { account: { ...ring.account, label: "A thief" }, keys: [] };
    expect(await createKeyRing(table, thief)).toBe(false);
    expect(await readKeyRing(table, ring.account.id)).toEqual(ring);
  });

  test("is listed with all other accounts, oldest first", async () => {
    const { ring } = await open();
    const ids = (await listAccounts(table)).map(({ id }) => id);
    expect(ids).toContain(ring.account.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });
});

test("account store: an unknown account has no key ring, key or caller", async () => {
  const words = "There is no account 5.";
  await expect(readKeyRing(table, 5)).rejects.toThrow(words);
  await expect(updateKeyRing(table, 5, (ring) => withPlan(ring, "max", at(NOW)))).rejects.toThrow(words);
  expect(await findCaller(table, hashApiKey("cap_"))).toBeUndefined();
});

test("account store: keys are read in creation order, even those of the same millisecond", async () => {
  const { ring } = await open();
  let after: KeyRing = ring;
  for (const label of ["1", "2", "3", "4"])
    after = await add(ring.account.id, aNewKey(ring.account.id, { label }).apiKey);
  const { keys } = await readKeyRing(table, ring.account.id);
  expect(keys.map(({ label }) => label)).toEqual(["A customer", "1", "2", "3", "4"]);
  expect(keys).toEqual(after.keys);
});

test("account store: a change that throws stores nothing", async () => {
  const { ring, apiKey } = await open();
  const failing = updateKeyRing(table, ring.account.id, (current) => {
    withRevokedKey(current, apiKey.id, at(NOW));
    throw new RangeError("Not now");
  });
  await expect(failing).rejects.toThrow("Not now");
  expect(await readKeyRing(table, ring.account.id)).toEqual(ring);
});

test("account store: a change without an effect writes nothing", async () => {
  const { ring, apiKey } = await open();
  const revoke = () => updateKeyRing(table, ring.account.id, (r) => withRevokedKey(r, apiKey.id, at(NOW)));
  const once = await revoke();
  expect(await revoke()).toEqual(once);
});

test("account store: the text of a rotated key ends at once, and the new key identifies the same record", async () => {
  const { ring, apiKey, key } = await open();
  const { key: newKey, secrets } = issueSecrets();
  const rotated = { ...apiKey, ...secrets, ...previousOf(apiKey) };
  const rotate = (r: KeyRing) => withRotatedKey(r, apiKey.id, { secrets, now: NOW });
  const { account, keys } = await updateKeyRing(table, ring.account.id, rotate);
  expect(keys).toEqual([rotated]);
  const old = await findCaller(table, hashApiKey(key));
  expect(old && invalidKeyReason(old, NOW)).toBe("replaced");
  expect(await findCaller(table, hashApiKey(newKey))).toEqual(toCaller(account, { ...apiKey, ...secrets }));
});

describe("account store: the overlap of a rotation", () => {
  const HOUR_MS = 60 * 60 * 1000;
  const rotateTo =
    (secrets: KeySecrets, id: number, now = NOW) =>
    (ring: KeyRing) =>
      withRotatedKey(ring, id, { secrets, now, overlapSeconds: HOUR_MS / 1000 });
  /** Why a text is rejected at a time; undefined while it works. */
  const reasonOf = async (hash: string, time: number) => {
    const caller = await findCaller(table, hash);
    return caller ? invalidKeyReason(caller, time) : "unknown";
  };

  /** An account whose key was rotated with an overlap of an hour. */
  async function rotated(now = NOW) {
    const { ring, apiKey } = await open();
    const { id } = ring.account;
    const { secrets } = issueSecrets();
    await updateKeyRing(table, id, rotateTo(secrets, apiKey.id, now));
    const change = (apply: (ring: KeyRing) => KeyRing) => updateKeyRing(table, id, apply);
    return { accountId: id, apiKey, oldHash: apiKey.hash, newHash: secrets.hash, change };
  }

  test("lets both texts work as the same key until its end, and the new one after it", async () => {
    const { apiKey, oldHash, newHash } = await rotated();
    const [old, current] = [await findCaller(table, oldHash), await findCaller(table, newHash)];
    expect([old?.key.id, old?.key.key_prefix, current?.key.id]).toEqual([apiKey.id, apiKey.key_prefix, apiKey.id]);
    for (const [time, expected] of [
      [NOW, [undefined, undefined]],
      [NOW + HOUR_MS - 1, [undefined, undefined]],
      [NOW + HOUR_MS, ["replaced", undefined]],
    ] as const) {
      expect([await reasonOf(oldHash, time), await reasonOf(newHash, time)]).toEqual(expected);
    }
  });

  test("lets a change of the key or of the plan reach both texts", async () => {
    const now = Date.now();
    const { apiKey, oldHash, newHash, change } = await rotated(now);
    await change((ring) => withChangedKey(ring, apiKey.id, { scopes: ["usage"], expires_at: at(now + 1000) }));
    await change((ring) => withPlan(ring, "max", at(now)));
    for (const hash of [oldHash, newHash]) {
      const caller = await findCaller(table, hash);
      expect(caller).toMatchObject({ account: { plan: "max" }, key: { scopes: ["usage"] } });
      expect(await reasonOf(hash, now + 1000)).toBe("expired");
    }
  });

  test("ends for both texts with the revocation of the key", async () => {
    const { apiKey, oldHash, newHash, change } = await rotated();
    await change((ring) => withRevokedKey(ring, apiKey.id, at(NOW + 1)));
    expect([await reasonOf(oldHash, NOW + 1), await reasonOf(newHash, NOW + 1)]).toEqual(["revoked", "revoked"]);
  });

  test("ends for the old text alone when it is ended before its time", async () => {
    const { apiKey, oldHash, newHash, change } = await rotated();
    await change((ring) => withEndedTexts(ring, apiKey.id, NOW + 1));
    expect([await reasonOf(oldHash, NOW), await reasonOf(oldHash, NOW + 1)]).toEqual([undefined, "replaced"]);
    expect(await reasonOf(newHash, NOW + HOUR_MS)).toBeUndefined();
  });

  test("has one chain of texts after ten rotations at once, and all of them end with a revocation", async () => {
    const { ring, apiKey } = await open();
    const { id } = ring.account;
    const issued = Array.from({ length: 10 }, () => issueSecrets().secrets);
    await Promise.all(issued.map((secrets) => updateKeyRing(table, id, rotateTo(secrets, apiKey.id))));
    const [key] = (await readKeyRing(table, id)).keys;
    const chain = [key?.hash, ...(key?.previous_texts ?? []).map(({ hash }) => hash)];
    expect(chain.at(-1)).toBe(apiKey.hash);
    expect(chain.toSorted()).toEqual([apiKey, ...issued].map(({ hash }) => hash).toSorted());
    const reasons = (time: number) => Promise.all(chain.map((hash) => reasonOf(hash ?? "", time)));
    expect(await reasons(NOW + HOUR_MS - 1)).toEqual(Array(11).fill(undefined));
    expect(await reasons(NOW + HOUR_MS)).toEqual([undefined, ...Array(10).fill("replaced")]);
    await updateKeyRing(table, id, (r) => withRevokedKey(r, apiKey.id, at(NOW)));
    expect(await reasons(NOW)).toEqual(Array(11).fill("revoked"));
  });

  test("leaves no text that works when a rotation and a revocation come at once", async () => {
    const { accountId, apiKey, oldHash, newHash, change } = await rotated();
    const { secrets } = issueSecrets();
    await Promise.allSettled([
      change(rotateTo(secrets, apiKey.id)),
      change((ring) => withRevokedKey(ring, apiKey.id, at(NOW))),
    ]);
    expect((await readKeyRing(table, accountId)).keys[0]?.revoked_at).toBe(at(NOW));
    const reasons = await Promise.all([oldHash, newHash, secrets.hash].map((hash) => reasonOf(hash, NOW)));
    expect(reasons.filter((reason) => reason === undefined)).toEqual([]);
  });
});

test("account store: the secrets of a key are read by its id, also when it is revoked or was stored before secrets overlapped", async () => {
  const { ring, apiKey } = await open();
  const { id } = ring.account;
  const { keys } = await updateKeyRing(table, id, (r) => withRevokedKey(r, apiKey.id, at(NOW)));
  const { signing_secret, previous_signing_secrets } = apiKey;
  const secrets = { signing_secret, previous_signing_secrets };
  expect(keys[0]?.revoked_at).toBe(at(NOW));
  expect(await readKeySecrets(table, apiKey)).toEqual(secrets);
  await dynamodb().send(
    new UpdateCommand({
      TableName: table,
      Key: apiKeyKey(id, apiKey.id),
      UpdateExpression: "REMOVE previous_signing_secrets",
    }),
  );
  expect(await readKeySecrets(table, apiKey)).toEqual(secrets);
  expect(await readKeySecrets(table, { account_id: id, id: apiKey.id + 1 })).toBeUndefined();
  expect(await readKeySecrets(table, { account_id: id + 1, id: apiKey.id })).toBeUndefined();
});

test("account store: a caller item contains no plain key and no secret", async () => {
  const { apiKey, key } = await open();
  const found = JSON.stringify(await findCaller(table, apiKey.hash));
  expect(found).not.toContain(key);
  expect(found).not.toContain(apiKey.signing_secret);
});

describe("account store: concurrent changes", () => {
  test("all take effect (optimistic locking retries)", async () => {
    const { ring, apiKey } = await open();
    const { id } = ring.account;
    const added = Array.from({ length: 12 }, (_, index) => aNewKey(id, { label: `Key ${index}` }));
    const { secrets } = issueSecrets();
    const changes: ((current: KeyRing) => KeyRing)[] = [
      ...added.map(
        ({ apiKey: each }) =>
          (r: KeyRing) =>
            withKey(r, each),
      ),
      (r) => withChangedKey(r, apiKey.id, { label: "Renamed" }),
      (r) => withChangedKey(r, apiKey.id, { expires_at: at(NOW + 1) }),
      (r) => withRotatedKey(r, apiKey.id, { secrets, now: NOW }),
      (r) => withPlan(r, "max", at(NOW)),
    ];
    await Promise.all(changes.map((change) => updateKeyRing(table, id, change)));
    const after = await readKeyRing(table, id);
    expect(after.account).toEqual({ ...ring.account, plan: "max", version: 1 + changes.length });
    expect(after.keys.map(({ label }) => label).toSorted()).toEqual(
      ["Renamed", ...added.map(({ apiKey: { label } }) => label)].toSorted(),
    );
    const changed = after.keys.find((key) => key.id === apiKey.id);
    expect(changed).toEqual({
      ...apiKey,
      ...secrets,
      ...previousOf(apiKey),
      label: "Renamed",
      expires_at: at(NOW + 1),
    });
    await expectExactCopies(after, [apiKey.hash, secrets.hash, ...added.map((each) => each.apiKey.hash)]);
  });

  slowTest("leave exactly 48 keys when more are created", async () => {
    const { ring, apiKey } = await open();
    const before = await addMany(ring.account.id, 40);
    const issued = Array.from({ length: 20 }, () => aNewKey(ring.account.id).apiKey);
    const outcomes = await Promise.allSettled(issued.map((key) => add(ring.account.id, key)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused.map((error) => error instanceof ApiError && error.code)).toEqual(Array(12).fill("CONFLICT"));
    const after = await readKeyRing(table, ring.account.id);
    expect(new Set(after.keys.map(({ id }) => id)).size).toBe(48);
    const given = issued.filter((_, index) => outcomes[index]?.status === "fulfilled").map(({ hash }) => hash);
    expect(after.keys.map(({ hash }) => hash).toSorted()).toEqual(
      [apiKey, ...before]
        .map(({ hash }) => hash)
        .concat(given)
        .toSorted(),
    );
  });
});

describe("account store: a query that sees part of a transaction", () => {
  /** Restores the previous item of the newest key; resolves to a function that undoes this. */
  async function tear(before: KeyRing, id: number) {
    const [{ Items: now = [] }, key] = [await itemsOf(id), before.keys[0]];
    const newest = now.at(-1);
    await dynamodb().send(new PutCommand({ TableName: table, Item: { ...newest, ...key, version: 1 } }));
    return () => dynamodb().send(new PutCommand({ TableName: table, Item: newest }));
  }
  const itemsOf = (id: number) =>
    dynamodb().send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": accountPartition(id) },
      }),
    );

  test("is repeated until the snapshot is consistent, and a change undoes nothing", async () => {
    const { ring, apiKey } = await open();
    const { id } = ring.account;
    const renamed = await updateKeyRing(table, id, (r) => withChangedKey(r, apiKey.id, { label: "Renamed" }));
    const restore = await tear(ring, id);
    const [read, changed] = await Promise.all([
      readKeyRing(table, id),
      updateKeyRing(table, id, (r) => withChangedKey(r, apiKey.id, { scopes: ["usage"] })),
      restore(),
    ]);
    expect(read.keys[0]?.label).toBe("Renamed");
    expect(changed.keys).toEqual([{ ...renamed.keys[0], scopes: ["usage"] }]);
  });

  test("throws when the snapshot never becomes consistent", async () => {
    const { ring, apiKey } = await open();
    const { id } = ring.account;
    await updateKeyRing(table, id, (r) => withChangedKey(r, apiKey.id, { label: "Renamed" }));
    await tear(ring, id);
    await expect(readKeyRing(table, id)).rejects.toThrow(
      `The keys of account ${id} could not be read as a consistent snapshot.`,
    );
  });
});

test("account store: a new key whose id another account uses gets another id", async () => {
  const { ring, apiKey } = await open();
  const { ring: other } = await open();
  const [twin, next] = [aNewKey(other.account.id).apiKey, aNewKey(ring.account.id).apiKey];
  const added = await updateKeyRing(table, ring.account.id, (r) => ({
    ...r,
    keys: [...r.keys, { ...next, id: apiKey.id + 1 }],
  }));
  const withTwin = (r: KeyRing) => ({ ...r, keys: [...r.keys, { ...twin, id: apiKey.id }] });
  const after = await updateKeyRing(table, other.account.id, withTwin);
  expect(lastKey(after)).toEqual({ ...twin, id: expect.any(Number) });
  expect(added.keys.map(({ id }) => id)).not.toContain(lastKey(after).id);
  await expectExactCopies(
    added,
    added.keys.map(({ hash }) => hash),
  );
  await expectExactCopies(
    after,
    after.keys.map(({ hash }) => hash),
  );
});

test("account store: the setting of thumbnails reaches the callers of keys, links, and sessions, and is left out while it is on", async () => {
  const { ring, apiKey } = await open("pro");
  const change = (store_thumbnails: boolean) =>
    updateKeyRing(table, ring.account.id, (r) => ({ ...r, account: { ...r.account, store_thumbnails } }));
  const settings = async () => {
    const callers = [
      await findCaller(table, apiKey.hash),
      (await findLinkCaller(table, apiKey.id))?.caller,
      await findSessionCaller(table, ring.account.id),
    ];
    return callers.map((caller) => caller?.account.store_thumbnails);
  };
  expect(await settings()).toEqual([undefined, undefined, undefined]);
  await change(false);
  expect(await settings()).toEqual([false, false, false]);
  await change(true);
  expect(await settings()).toEqual([undefined, undefined, undefined]);
});

test("account store: a change of plan reaches each of 48 keys, together with an entry of the audit log", async () => {
  const { ring, apiKey } = await open("free");
  await addMany(ring.account.id, 47);
  const further = () => [{ Put: { TableName: table, Item: { pk: `AUDIT#${ring.account.id}`, sk: "x" } } }];
  const after = await updateKeyRing(table, ring.account.id, (r) => withPlan(r, "pro", at(NOW)), further);
  expect(after.keys).toHaveLength(48);
  expect((await findCaller(table, apiKey.hash))?.account).toMatchObject({ plan: "pro", billed_from: at(NOW) });
  await expectExactCopies(
    after,
    after.keys.map(({ hash }) => hash),
  );
});

test("account store: an account with more keys than a change can rewrite is told to revoke one, and stays as it is", async () => {
  const { ring } = await open("free");
  await addMany(ring.account.id, 47);
  const further = () =>
    [1, 2].map((sk) => ({ Put: { TableName: table, Item: { pk: `AUDIT#${ring.account.id}`, sk: String(sk) } } }));
  const change = updateKeyRing(table, ring.account.id, (r) => withPlan(r, "pro", at(NOW)), further);
  await expect(change).rejects.toThrow("Revoke one of its keys first.");
  expect((await readKeyRing(table, ring.account.id)).account.plan).toBe("free");
});

describe("account store: limits that the operator sets", () => {
  const set = (accountId: number, changes: LimitChanges, further?: Parameters<typeof setLimits>[2]) =>
    setLimits(table, { accountId, changes, now: NOW }, further);
  const limits = { requests_per_minute: { value: 5, until: null } };

  test("reach each key with its links, the sessions, and the texts from before a rotation, and are removed there", async () => {
    const { ring, apiKey } = await open();
    const { id } = ring.account;
    await addMany(id, 45); // a rotation with an overlap needs room
    const { secrets } = issueSecrets();
    const rotation = { secrets, now: Date.now(), overlapSeconds: 3_600 };
    await updateKeyRing(table, id, (current) => withRotatedKey(current, apiKey.id, rotation));
    for (const [changes, expected] of [
      [limits, limits],
      [{ requests_per_minute: null }, undefined],
    ] as const) {
      const { keys } = await set(id, changes);
      const callers = await Promise.all([
        ...[apiKey.hash, ...keys.map(({ hash }) => hash)].map((hash) => findCaller(table, hash)),
        ...keys.map(async (key) => (await findLinkCaller(table, key.id))?.caller),
        findSessionCaller(table, id),
      ]);
      expect(callers.map((caller) => caller?.account.limits)).toEqual(Array(2 * 46 + 2).fill(expected));
    }
  });

  test("are stored with the further items of their transaction, or not at all", async () => {
    const { ring } = await open();
    const { id } = ring.account;
    const Item = { pk: `AUDIT#${id}`, sk: "1" };
    const condition = { ConditionExpression: "attribute_not_exists(pk)" };
    const once = () => [{ Put: { TableName: table, Item, ...condition } }];
    expect((await set(id, limits, once)).account.limits).toEqual(limits);
    await expect(set(id, { api_keys: { value: 1, until: null } }, once)).rejects.toThrow(FurtherWriteFailed);
    expect((await readKeyRing(table, id)).account.limits).toEqual(limits);
  });

  test("change nothing and store no further items when they are the same", async () => {
    const { ring } = await open();
    const { version } = (await set(ring.account.id, limits)).account;
    const further = () => expect.unreachable();
    expect((await set(ring.account.id, limits, further)).account.version).toBe(version);
  });

  test("lose nothing to changes at the same time", async () => {
    const { ring } = await open();
    const { id } = ring.account;
    await Promise.all([
      set(id, limits),
      set(id, { api_keys: { value: 1, until: null } }),
      updateKeyRing(table, id, (current) => withPlan(current, "max", at(NOW))),
    ]);
    expect((await readKeyRing(table, id)).account).toMatchObject({
      plan: "max",
      limits: { ...limits, api_keys: { value: 1, until: null } },
    });
  });
});

describe("account store: after random changes, callers are exact copies of account and keys", () => {
  sampled(test, 6).each([1, 2, 3, 4, 5, 6])("(%d)", async (seed) => {
    const random = seededRandom(seed);
    const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
    let { ring: expected } = await open(oneOf(planNames));
    const { id } = expected.account;
    const everGiven = new Set(expected.keys.map(({ hash }) => hash));

    for (let step = 0; step < 30; step++) {
      const change = oneOf([rotated, relabelled, rescoped, expiring, revoked, grown, upgraded])(expected);
      if (!change) continue;
      const { account, keys } = change(expected);
      expected = { account: { ...account, version: expected.account.version + 1 }, keys };
      for (const { hash } of keys) everGiven.add(hash);
      expect(await updateKeyRing(table, id, change)).toEqual(expected);
    }
    const stored = await readKeyRing(table, id);
    expect(stored).toEqual(expected);
    await expectExactCopies(stored, everGiven);

    type Change = ((ring: KeyRing) => KeyRing) | undefined;
    function live({ keys }: KeyRing): ApiKey | undefined {
      return oneOf(keys.filter(({ revoked_at }) => revoked_at === null));
    }
    function changed(ring: KeyRing, changes: Partial<ApiKey>): Change {
      const key = live(ring);
      return key && ((current) => withChangedKey(current, key.id, changes));
    }
    function rotated(ring: KeyRing): Change {
      const key = live(ring);
      const { secrets } = issueSecrets();
      return key && ((current) => withRotatedKey(current, key.id, { secrets, now: NOW }));
    }
    function relabelled(ring: KeyRing): Change {
      return changed(ring, { label: `Label ${random()}` });
    }
    function rescoped(ring: KeyRing): Change {
      return changed(ring, { scopes: scopes.filter(() => random() < 0.5) });
    }
    function expiring(ring: KeyRing): Change {
      return changed(ring, { expires_at: oneOf([null, at(NOW + random() * 1e9)]) });
    }
    function revoked(ring: KeyRing): Change {
      const key = live(ring);
      return key && ((current) => withRevokedKey(current, key.id, at(NOW)));
    }
    function grown({ account }: KeyRing): Change {
      const { apiKey } = aNewKey(account.id);
      return (current) => withKey(current, apiKey);
    }
    function upgraded({ account }: KeyRing): Change {
      const plan = oneOf(planNames.filter((name) => name !== "free" || account.billed_from === null));
      const now = at(NOW + random() * 1e9);
      return (current) => withPlan(current, plan, now);
    }
  });
});
