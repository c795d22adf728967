// The deletion of an account in steps: what goes, and when, and what late captures leave.
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCaller } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { describeDeletion, findDeletion, requestDeletion } from "../../../lib/service/account-data/account-deletion.ts";
import { runStep } from "../../../lib/service/account-data/run-step.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import {
  accountKey,
  allRunningCapturesKey,
  jobSlotsKey,
  runningCapturesKey,
} from "../../../lib/service/aws/table-keys.ts";
import { hashApiKey } from "../../../lib/service/keys/api-key.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { hasResult } from "../../../lib/service/results/result-store.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { logItems, monthItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { deleteInSteps, exportInSteps } from "../../support/data-tasks.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const NOW = Date.now();
const DAY_MS = 24 * 60 * 60 * 1000;

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());

async function anAccountWithCaptures(count: number) {
  const { ring, key } = await openAccount(running.tables.accounts, {
    plan: "starter",
    label: "Doomed",
    now: NOW - 40 * DAY_MS,
  });
  const { account } = ring;
  const { id: _id, created_at: _at, ...event } = aCaptureLog({ user_id: account.id });
  const logs = Array.from({ length: count }, (_, index) => createCaptureLog(createId(NOW - index * 60_000, 0), event));
  await writeItems(running.tables.activity, logItems(logs) as { pk: string; sk: string }[]);
  await writeItems(running.tables.usage, monthItems(logs) as { pk: string; sk: string }[]);
  return { account, key, logs };
}

const exists = async (TableName: string, Key: Record<string, string>) =>
  (await dynamodb().send(new GetCommand({ TableName, Key }))).Item !== undefined;

test("deletion: goes on step by step, and says how far it is", async () => {
  const { account, key } = await anAccountWithCaptures(20);
  const { id } = await requestDeletion(running.tables.accounts, account, NOW);
  const body = JSON.stringify({ kind: "deletion", account_id: account.id, id, step: 0 });
  expect(await runStep({ body, receives: 1 }, running.env)).toBeUndefined();
  const deletion = await findDeletion(running.tables.accounts, account.id);
  expect(deletion && describeDeletion(deletion)).toMatchObject({
    account_id: account.id,
    status: "finishing",
    progress: 100,
    deleted: { captures: 20, jobs: 0, results: 0, api_keys: 1 },
  });
  expect(await findCaller(running.tables.accounts, hashApiKey(key))).toBeUndefined();
});

test("deletion: takes as many steps as it needs, and counts what each of them has deleted", async () => {
  const { account } = await anAccountWithCaptures(20);
  const steps = await deleteInSteps(running.env, account.id, { until: "done", stepMs: 0 });
  expect(steps).toBeGreaterThan(10);
  expect(await findDeletion(running.tables.accounts, account.id)).toMatchObject({
    status: "done",
    deleted: { captures: 20, api_keys: 1 },
  });
});

test("deletion: what captures that were still running write after it goes, too", async () => {
  const { account, logs } = await anAccountWithCaptures(1);
  await deleteInSteps(running.env, account.id, { until: "finishing" });
  await writeItems(running.tables.activity, logItems(logs) as { pk: string; sk: string }[]);
  await writeItems(running.tables.usage, monthItems(logs) as { pk: string; sk: string }[]);
  await deleteInSteps(running.env, account.id, { until: "done" });
  const [log] = logItems(logs) as { pk: string; sk: string }[];
  const [month] = monthItems(logs) as { pk: string; sk: string }[];
  expect(await exists(running.tables.activity, { pk: log?.pk ?? "", sk: log?.sk ?? "" })).toBe(false);
  expect(await exists(running.tables.usage, { pk: month?.pk ?? "", sk: month?.sk ?? "" })).toBe(false);
});

test("deletion: goes on after it died anywhere, also with the account half deleted", async () => {
  const { account, key } = await anAccountWithCaptures(3);
  await deleteInSteps(running.env, account.id, { until: "running" });
  const before = await dynamodb().send(
    new GetCommand({ TableName: running.tables.accounts, Key: accountKey(account.id) }),
  );
  await deleteInSteps(running.env, account.id, { until: "finishing" });
  // The account is there again, without its keys, as when the last step of the deletion died.
  await dynamodb().send(new PutCommand({ TableName: running.tables.accounts, Item: before.Item }));
  const deletion = await findDeletion(running.tables.accounts, account.id);
  await dynamodb().send(
    new PutCommand({
      TableName: running.tables.accounts,
      Item: { pk: `DELETION#${account.id}`, sk: "DELETION", ...deletion, status: "running", position: 1_000 },
    }),
  );
  await deleteInSteps(running.env, account.id, { until: "done" });
  expect(await exists(running.tables.accounts, accountKey(account.id))).toBe(false);
  expect(await findCaller(running.tables.accounts, hashApiKey(key))).toBeUndefined();
});

test("deletion: requested twice, it is one", async () => {
  const { account } = await anAccountWithCaptures(0);
  const first = await requestDeletion(running.tables.accounts, account, NOW);
  expect(await requestDeletion(running.tables.accounts, account, NOW + 1)).toMatchObject({ id: first.id });
});

test("deletion: takes the shards of slots and the files of exports, and no counter of all accounts", async () => {
  const { account } = await anAccountWithCaptures(1);
  const { usage } = running.tables;
  const own = [runningCapturesKey(account.id), ...[0, 1, 66].map((shard) => jobSlotsKey(account.id, shard))];
  const ofAll = [0, 1].map(allRunningCapturesKey);
  await writeItems(usage, [...own, ...ofAll]);
  const { file } = await exportInSteps(running.env, {
    accountId: account.id,
    kind: "captures",
    output: "csv",
    filter: {},
  });
  await deleteInSteps(running.env, account.id, { until: "finishing" });
  expect(await Promise.all(own.map((key) => exists(usage, key)))).toEqual([false, false, false, false]);
  expect(await Promise.all(ofAll.map((key) => exists(usage, key)))).toEqual([true, true]);
  expect(await hasResult(running.env.RESULTS_BUCKET, file.key)).toBe(false);
});
