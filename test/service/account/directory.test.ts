// The directory: how accounts are listed and found, and that its items follow the accounts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { setAddress } from "../../../lib/service/account/address-change.ts";
import { changePlan } from "../../../lib/service/account/change-plan.ts";
import { directoryItems, isDirectoryComplete, queryDirectory } from "../../../lib/service/account/directory.ts";
import { indexDirectory } from "../../../lib/service/account/index-directory.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { deleteItem, queryItems } from "../../../lib/service/aws/items.ts";
import { directoryKey } from "../../../lib/service/aws/table-keys.ts";
import { issueKey, issueSecrets } from "../../../lib/service/keys/issue-key.ts";
import { withEndedTexts, withKey, withRotatedKey } from "../../../lib/service/keys/key-ring.ts";
import { createLinkSecret } from "../../../lib/service/results/link-secret.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";
import { makeTable, type RunningTables, startTables } from "../../support/tables.ts";

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 24 * 60 * 60 * 1000;

let running: RunningTables;
let accounts: string;
beforeAll(async () => {
  running = await startTables();
  ({ accounts } = running.tables);
});
afterAll(() => running.close());

const open = (label: string, table = accounts) => openAccount(table, { plan: "pro", label, now: NOW });
const rowOf = async (id: number) => {
  const { rows } = await queryDirectory(accounts, { search: String(id), after: undefined, pageSize: 1 });
  return rows[0];
};
const find = async (search: string, table = accounts) => {
  const { rows } = await queryDirectory(table, { search, after: undefined, pageSize: 25 });
  return rows.map(({ id }) => id);
};

/** The ids of all pages of a search. */
async function allPages(table: string, search: string, pageSize: number): Promise<number[][]> {
  const pages: number[][] = [];
  for (let after: string | undefined; ; ) {
    const { rows, next } = await queryDirectory(table, { search, after, pageSize });
    pages.push(rows.map(({ id }) => id));
    if (next === undefined) return pages;
    after = next;
  }
}

describe("directory: an account is found", () => {
  test("by its id alone", async () => {
    const { ring } = await open("By id");
    const { id } = ring.account;
    expect(await find(String(id))).toEqual([id]);
    expect(await find(String(id).slice(0, -1))).toEqual([]);
    expect(await find("99999999999999999999")).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ id, label: "By id", plan: "pro", email: null });
  });

  test("by the start of its address, in any case, as long as it has the address", async () => {
    const { id } = (await open("By address")).ring.account;
    await setAddress(accounts, id, "Ada.Lovelace@customer.example");
    for (const search of ["ada.lovelace@customer.example", "ADA.L", "a"]) expect(await find(search)).toContain(id);
    expect(await find("lovelace")).toEqual([]);
    await setAddress(accounts, id, "other@customer.example");
    expect(await find("ada.lovelace")).toEqual([]);
    expect(await find("other@")).toEqual([id]);
    await setAddress(accounts, id, null);
    expect(await find("other@")).toEqual([]);
  });

  test("by the start of a key, of which no more than the prefix counts, and by that of a previous text", async () => {
    const { ring, apiKey, key } = await open("By key");
    const { id } = ring.account;
    for (const search of [apiKey.key_prefix, apiKey.key_prefix.slice(0, -2), key, `${apiKey.key_prefix}wrong`])
      expect(await find(search)).toEqual([id]);
    const { secrets } = issueSecrets({ isTest: false });
    await updateKeyRing(accounts, id, (current) =>
      withRotatedKey(current, apiKey.id, { secrets, now: NOW, overlapSeconds: 3600 }),
    );
    expect(await find(apiKey.key_prefix)).toEqual([id]);
    expect(await find(secrets.key_prefix)).toEqual([id]);
    const later = issueSecrets({ isTest: false }).secrets;
    await updateKeyRing(accounts, id, (current) => withEndedTexts(current, apiKey.id, NOW));
    await updateKeyRing(accounts, id, (current) =>
      withRotatedKey(current, apiKey.id, { secrets: later, now: NOW + DAY_MS }),
    );
    expect(await find(apiKey.key_prefix)).toEqual([]); // a text that has ended is forgotten with the next rotation
    expect(await find(later.key_prefix)).toEqual([id]);
  });

  test("once in a page, also with several keys that match", async () => {
    const { id } = (await open("Two keys")).ring.account;
    const { apiKey } = issueKey({ account_id: id, label: "b", scopes: [], expires_at: null }, NOW);
    await updateKeyRing(accounts, id, (ring) => withKey(ring, apiKey));
    const ids = (await allPages(accounts, "cap_", 100)).flat();
    expect(ids.filter((each) => each === id)).toEqual([id]);
  });
});

test("directory: a row has what changes of the account", async () => {
  const { id } = (await open("Changes")).ring.account;
  await changePlan(running.tables, { accountId: id, plan: "max", now: NOW });
  const suspension = { reason: "abuse", at: new Date(NOW).toISOString(), billing: "stop" } as const;
  await updateKeyRing(accounts, id, ({ account, keys }) => ({
    account: { ...account, label: "New name", requested_plan: "pro", suspension },
    keys,
  }));
  expect(await rowOf(id)).toMatchObject({
    plan: "max",
    label: "New name",
    requested_plan: "pro",
    suspension,
  });
});

test("directory: all accounts are listed newest first, each once, page by page", async () => {
  await makeTable("Listed");
  const ids: number[] = [];
  for (let count = 0; count < 5; count++)
    ids.push((await openAccount("Listed", { plan: "pro", label: "x", now: NOW + count })).ring.account.id);
  expect(await allPages("Listed", "", 2)).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
  expect(await allPages("Listed", "", 5)).toEqual([ids.toReversed()]);
  await makeTable("NoAccounts");
  expect(await allPages("NoAccounts", "", 5)).toEqual([[]]);
});

test("directory: addresses are listed in their order, page by page, and those of others not at all", async () => {
  await makeTable("Addresses");
  const ids = new Map<string, number>();
  for (const name of ["b", "a", "c", "z"]) {
    const { id } = (await open(name, "Addresses")).ring.account;
    await setAddress("Addresses", id, `${name === "z" ? "other" : "team"}.${name}@x.example`);
    ids.set(name, id);
  }
  expect(await allPages("Addresses", "team.", 2)).toEqual([[ids.get("a"), ids.get("b")], [ids.get("c")]]);
  const query = { search: "team.", after: "other.z@x.example#1", pageSize: 2 };
  await expect(queryDirectory("Addresses", query)).rejects.toThrow(RangeError);
  await expect(queryDirectory("Addresses", { ...query, search: "" })).rejects.toThrow(RangeError);
});

test("directory: an index adds accounts from before there was one, and says that all are in it", async () => {
  await makeTable("Before");
  await createLinkSecret("Before");
  const opened = await Promise.all(["one", "two", "three"].map((label) => open(label, "Before")));
  for (const list of ["ACCOUNTS", "KEYS"] as const)
    for (const { pk, sk } of await queryItems("Before", directoryKey(list, "").pk))
      await deleteItem("Before", { pk: String(pk), sk: String(sk) });
  expect(await find("", "Before")).toEqual([]);
  expect(await isDirectoryComplete("Before")).toBe(false);
  expect(await indexDirectory("Before", NOW)).toBe(3);
  expect(await isDirectoryComplete("Before")).toBe(true);
  expect((await find("", "Before")).toSorted()).toEqual(opened.map(({ ring }) => ring.account.id).toSorted());
  for (const { ring, apiKey } of opened) expect(await find(apiKey.key_prefix, "Before")).toEqual([ring.account.id]);
  expect(await indexDirectory("Before", NOW)).toBe(3); // again
});

test("directory: its items have no secret, and no hash of one", () => {
  const items = directoryItems({
    account: anAccount({ email: "a@b.example" }),
    keys: [anApiKey({ hash: "the-hash", signing_secret: "whsec_the-secret" })],
  });
  expect(items).toHaveLength(3);
  expect(JSON.stringify(items)).not.toMatch(/the-hash|the-secret|scopes/);
});
