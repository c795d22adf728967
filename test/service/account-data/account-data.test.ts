// All data of an account: what an export has of it, that a deletion leaves nothing, and what a restoration brings back.
import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccountByEmail, findTrial } from "../../../lib/service/account/account-email.ts";
import { findCaller, updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openTrial } from "../../../lib/service/account/open-account.ts";
import { countRequest } from "../../../lib/service/account/rate-limit-store.ts";
import { findDeletion } from "../../../lib/service/account-data/account-deletion.ts";
import { runDeletionStep } from "../../../lib/service/account-data/deletion-step.ts";
import { accountSections, readPages } from "../../../lib/service/account-data/export-sections.ts";
import type { ExportedRecord } from "../../../lib/service/account-data/exported-records.ts";
import { restoreAccount } from "../../../lib/service/account-data/restore-account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import * as tableKeys from "../../../lib/service/aws/table-keys.ts";
import { putJob } from "../../../lib/service/jobs/job-store.ts";
import { hashApiKey } from "../../../lib/service/keys/api-key.ts";
import { createSigningSecret, issueKey, issueSecrets } from "../../../lib/service/keys/issue-key.ts";
import { withKey, withRevokedKey, withRotatedKey } from "../../../lib/service/keys/key-ring.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { createReceiverId } from "../../../lib/service/receivers/receiver.ts";
import { createReceiver } from "../../../lib/service/receivers/receiver-store.ts";
import { createLinkSecret } from "../../../lib/service/results/link-secret.ts";
import { hasResult, putResult } from "../../../lib/service/results/result-store.ts";
import { hashSecret } from "../../../lib/service/sessions/secret-token.ts";
import { createSession } from "../../../lib/service/sessions/session-store.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { logItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { deleteInSteps } from "../../support/data-tasks.ts";
import { anEndedJob } from "../../support/ended-job.ts";
import { makeTable } from "../../support/tables.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.now();
const OPENED = NOW - 40 * DAY_MS;

let running: TestResources;
let storage: TestResources["tables"] & { results: string };
beforeAll(async () => {
  running = await startTestResources();
  storage = { ...running.tables, results: running.env.RESULTS_BUCKET };
  await createLinkSecret(storage.accounts); // as the operator's first command does
});
afterAll(() => running.close());

const attributes = { mimeType: "image/png", disposition: "inline" };

/** An account with one of everything that is stored for accounts. Returns its id and the key of a stored result. */
async function anAccountWithData(email: string) {
  const { account } = await openTrial(storage.accounts, { email, now: OPENED });
  const { key, apiKey: issued } = issueKey(
    { account_id: account.id, label: "Website", scopes: ["capture"], expires_at: null },
    NOW,
  );
  const ring = await updateKeyRing(storage.accounts, account.id, (current) => withKey(current, issued));
  // Its id is another one than that of the issued key if another account used that one.
  const apiKey = ring.keys.find(({ hash }) => hash === issued.hash) ?? issued;
  await createReceiver(
    storage.accounts,
    {
      id: createReceiverId(),
      account_id: account.id,
      name: "Orders",
      url: "https://receiver.example/",
      status: "active",
      created_at: new Date(NOW).toISOString(),
    },
    createSigningSecret(),
  );
  await createSession(
    storage.accounts,
    { account_id: account.id, signed_in_with: "email", api_key_hash: null, user_agent: "Test", network: "192.0.2.x" },
    NOW,
  );
  const stored = `1-day/${account.id}-job.png`;
  await putResult(storage.results, stored, Buffer.from("x"), attributes);
  const job = anEndedJob({ ring, apiKey }, { id: createId(NOW, 0), url: "https://receiver.example/" });
  const capture = {
    key: stored,
    format: "png",
    mime_type: "image/png",
    size_bytes: 1,
    final_url: null,
    status_code: null,
    warnings: [],
    metadata: {},
    slices: [],
    expires_at: NOW + DAY_MS,
  };
  const ofOutput = `1-day/${account.id}-output.png`;
  await putResult(storage.results, ofOutput, Buffer.from("x"), attributes);
  const facts = { mime_type: "image/png", size_bytes: 1, expires_at: NOW + DAY_MS, cache_hash: null };
  const success = { status: "success", error: null } as const;
  const [output] = job.outputs;
  const endedWith = (key: string) => ({
    ...success,
    from_cache: false,
    result: { ...facts, stored: { inline: JSON.stringify({ ...capture, key }) } },
  });
  await putJob(storage.activity, { ...job, ...success, outputs: [{ ...output, outcome: endedWith(stored) }] });
  const group = { output: "page", size: 1 };
  const ofGroup = [{ ...output, group, outcome: endedWith(ofOutput) }] as const;
  await putJob(storage.activity, { ...job, ...success, id: job.id + 1, outputs: ofGroup });
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: account.id, api_key_id: apiKey.id });
  const thumbnail = { key: `thumbnails/${account.id}.webp`, expires_at: NOW + DAY_MS };
  await putResult(storage.results, thumbnail.key, Buffer.from("x"), attributes);
  const logs = [
    ...[OPENED, NOW - 20 * DAY_MS].map((at) => createCaptureLog(createId(at, 0), event)),
    createCaptureLog(createId(NOW, 0), { ...event, thumbnail }),
  ];
  await writeItems(storage.activity, logItems(logs));
  await countRequest(storage.usage, { accountId: account.id, keyId: apiKey.id, limit: 10, now: NOW });
  const { activity, usage } = tableKeys.accountPartitions(account.id);
  await writeItems(
    storage.activity,
    activity.map((pk) => ({ pk, sk: "X" })),
  );
  await writeItems(
    storage.usage,
    usage.map((pk) => ({ pk, sk: "2026-01-01T00:00:00.000Z" })),
  );
  return { accountId: account.id, key, apiKey, stored, ofOutput, thumbnail: thumbnail.key };
}

/** Adds so many keys to an account, in as few changes as transactions have room for. */
async function addKeys(accountId: number, count: number): Promise<void> {
  const keys = Array.from(
    { length: count },
    (_, index) =>
      issueKey({ account_id: accountId, label: "K", scopes: ["usage"], expires_at: null }, NOW + 1 + index).apiKey,
  );
  for (let first = 0; first < count; first += 20)
    await updateKeyRing(storage.accounts, accountId, (ring) => keys.slice(first, first + 20).reduce(withKey, ring));
}

/** All items of the tables that have the text in them. */
async function itemsWith(text: string): Promise<Record<string, unknown>[]> {
  const tables = [storage.accounts, storage.usage, storage.activity];
  const scanned = await Promise.all(tables.map((TableName) => dynamodb().send(new ScanCommand({ TableName }))));
  const items = scanned.flatMap(({ Items = [] }) => Items).filter((item) => JSON.stringify(item).includes(text));
  return items.toSorted((a, b) => (`${a["pk"]} ${a["sk"]}` < `${b["pk"]} ${b["sk"]}` ? -1 : 1));
}

const exported = async (accountId: number): Promise<ExportedRecord[]> => {
  const records: ExportedRecord[] = [];
  const sections = await accountSections(storage, accountId, {
    readInvoices: async () => [{ total: "0.00" }],
    now: NOW,
  });
  for await (const { entries } of readPages(sections, { section: 0 })) records.push(...entries);
  return records;
};

test("account data: an export has everything but the secrets", async () => {
  const { accountId, apiKey } = await anAccountWithData("export@customer.example");
  const { secrets } = issueSecrets();
  await updateKeyRing(storage.accounts, accountId, (ring) =>
    withRotatedKey(ring, apiKey.id, { secrets, now: NOW, overlapSeconds: 60 }),
  );
  const records = await exported(accountId);
  expect(records.map(({ kind }) => kind)).toEqual([
    "account",
    "api_key",
    "webhook_receiver",
    "session",
    "invoice",
    "job",
    "job",
    "webhook_delivery",
    "capture",
    "capture",
    "capture",
  ]);
  expect(records[0]).toMatchObject({ id: accountId, email: "export@customer.example" });
  expect(records[5]).toMatchObject({ external_identifier: "order:17", webhook: { url: "https://receiver.example/" } });
  expect(records[5]).toMatchObject({ outputs: [{ name: "page", status: "success", error: null }] });
  const text = JSON.stringify(records);
  expect(records[1]).toMatchObject({ monthly_limit: null, previous_texts: [{ key_prefix: apiKey.key_prefix }] });
  for (const { hash } of [apiKey, secrets]) expect(text).not.toContain(hash);
  expect(text).not.toContain("whsec_");
  expect(text).not.toMatch(/"(pk|sk|ttl|attempt|holder)"/);
  expect(text).not.toContain("thumbnails/");
});

test("account data: a deletion leaves neither items, stored results, nor thumbnails, and touches no other account", async () => {
  const doomed = await anAccountWithData("doomed@customer.example");
  const other = await anAccountWithData("other@customer.example");
  const others = await itemsWith(String(other.accountId));
  await remove(doomed.accountId);
  expect(await findDeletion(storage.accounts, doomed.accountId)).toMatchObject({
    status: "finishing",
    email: null,
    deleted: { captures: 3, jobs: 2, results: 2, api_keys: 1 },
  });
  const left = await itemsWith(String(doomed.accountId));
  expect(left.map(({ pk }) => pk)).toEqual([`DELETION#${doomed.accountId}`]);
  expect(JSON.stringify(left)).not.toContain("@");
  expect(await hasResult(storage.results, doomed.stored)).toBe(false);
  expect(await hasResult(storage.results, doomed.ofOutput)).toBe(false);
  expect(await hasResult(storage.results, doomed.thumbnail)).toBe(false);
  expect(await hasResult(storage.results, other.thumbnail)).toBe(true);
  expect(await itemsWith(String(other.accountId))).toEqual(others);
  expect(await hasResult(storage.results, other.stored)).toBe(true);
  await expect(exported(doomed.accountId)).rejects.toThrow(`There is no account ${doomed.accountId}.`);
});

test("account data: an address is free again after a deletion, but its mailbox gets no second trial", async () => {
  const { accountId } = await anAccountWithData("again@customer.example");
  await remove(accountId);
  expect(await findAccountByEmail(storage.accounts, "again@customer.example")).toBeUndefined();
  expect(await findTrial(storage.accounts, "again@customer.example")).toBeDefined();
});

test("account data: more keys than one transaction takes are revoked before anything is deleted", async () => {
  const { accountId, key } = await anAccountWithData("many@customer.example");
  await addKeys(accountId, 44);
  await remove(accountId);
  expect(await findDeletion(storage.accounts, accountId)).toMatchObject({ deleted: { api_keys: 45 } });
  expect(await findCaller(storage.accounts, hashApiKey(key))).toBeUndefined();
});

/** Tables with what those of the service have now, as DynamoDB restores them. */
async function restoredTables() {
  const copy = async (source: string) => {
    const table = `${source}-restored-${randomUUID()}`;
    await makeTable(table);
    const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: source }));
    await writeItems(table, Items as { pk: string; sk: string }[]);
    return table;
  };
  const [accounts = "", usage = "", activity = ""] = await Promise.all(
    [storage.accounts, storage.usage, storage.activity].map(copy),
  );
  return { accounts, usage, activity };
}

/** Deletes an account, without the sweep. */
const remove = (accountId: number) => deleteInSteps(running.env, accountId, { until: "finishing" });

test("account data: an account that was deleted is restored with its keys, counts, and captures, but without its sessions", async () => {
  const { accountId, key } = await anAccountWithData("back@customer.example");
  await addKeys(accountId, 39);
  const before = await exported(accountId);
  const restored = await restoredTables();
  await remove(accountId);

  const report = await restoreAccount(storage, restored, { accountId, now: NOW });
  expect(report).toEqual({
    account_id: accountId,
    label: "back@customer.example",
    api_keys: 40,
    usage_items: 7,
    captures: 3,
    jobs: 2,
  });
  expect(await exported(accountId)).toEqual(before.filter(({ kind }) => kind !== "session"));
  expect(await findCaller(storage.accounts, hashApiKey(key))).toMatchObject({ account: { id: accountId } });
  expect(await findAccountByEmail(storage.accounts, "back@customer.example")).toBe(accountId);

  const again = await restoreAccount(storage, restored, { accountId, now: NOW });
  expect(again).toEqual({ ...report, api_keys: 0, usage_items: 0, captures: 0, jobs: 0 });
});

test("account data: restoring the counts of an account that exists brings no revoked key back", async () => {
  const { accountId, key, apiKey } = await anAccountWithData("exists@customer.example");
  const { accounts } = await restoredTables();
  const now = new Date(NOW).toISOString();
  await updateKeyRing(storage.accounts, accountId, (ring) => withRevokedKey(ring, apiKey.id, now));
  await restoreAccount(storage, { accounts, usage: undefined, activity: undefined }, { accountId, now: NOW });
  expect(await findCaller(storage.accounts, hashApiKey(key))).toMatchObject({ key: { revoked_at: now } });
});

test("account data: an account whose address another one has by now isn't restored", async () => {
  const { accountId } = await anAccountWithData("taken@customer.example");
  const restored = await restoredTables();
  await remove(accountId);
  const other = { pk: `EMAIL#${hashSecret("taken@customer.example")}`, sk: "EMAIL", account_id: 7 };
  await writeItems(storage.accounts, [other]);
  await expect(restoreAccount(storage, restored, { accountId, now: NOW })).rejects.toThrow(
    "Another account has the e-mail address taken@customer.example.",
  );
  await expect(exported(accountId)).rejects.toThrow(`There is no account ${accountId}.`);
});

test("account data: the caller of a rotated key expires, so that nothing of it has to be found later", async () => {
  const { accountId, key, apiKey } = await anAccountWithData("rotated@customer.example");
  await updateKeyRing(storage.accounts, accountId, (ring) =>
    withRotatedKey(ring, apiKey.id, { secrets: issueSecrets().secrets, now: NOW }),
  );
  const [item] = await itemsWith(`CALLER#${hashApiKey(key)}`);
  expect(Number(item?.["ttl"]) * 1000).toBeGreaterThan(NOW + 29 * DAY_MS);
});

test("account data: an account isn't restored while it is being deleted, and its sweep is forgotten once it is", async () => {
  const { accountId } = await anAccountWithData("swept@customer.example");
  const restored = await restoredTables();
  await deleteInSteps(running.env, accountId, { until: "running" });
  await expect(restoreAccount(storage, restored, { accountId, now: NOW })).rejects.toThrow("is being deleted");
  await remove(accountId);
  const { id = "", step = 0 } = (await findDeletion(storage.accounts, accountId)) ?? {};
  await restoreAccount(storage, restored, { accountId, now: NOW });
  await runDeletionStep({ accountId, id, step }, running.env); // its message comes later
  expect(await exported(accountId)).toContainEqual(expect.objectContaining({ kind: "capture" }));
});

const partitionsOfNoAccount = [
  "attemptsPartition",
  "keylessPicturePartition",
  "auditPartition",
  "operatorEventsPartition",
  "statusPartition",
];

test("account data: every partition of an account is known to the deletion", () => {
  const { activity, usage } = tableKeys.accountPartitions(7);
  const known = [...activity, ...usage, tableKeys.accountPartition(7), tableKeys.jobsPartition(7)];
  const partitions = Object.entries(tableKeys)
    .filter(([name]) => name.endsWith("Partition") && !partitionsOfNoAccount.includes(name))
    .map(([, partition]) => (partition as (id: number, month: string) => string)(7, "2026-01"));
  const deletedByCode = [
    tableKeys.sessionsPartition(7),
    tableKeys.addressUndoPartition(7),
    tableKeys.signInReportsPartition(7),
    tableKeys.receiversPartition(7),
    tableKeys.receiverSecretsPartition(7),
    tableKeys.logPartition(7, "2026-01"),
  ];
  expect(partitions.filter((each) => !known.includes(each) && !deletedByCode.includes(each))).toEqual([]);
});
