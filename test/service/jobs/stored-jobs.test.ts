// A rollout: workers of the version before and of this one share the queue and the table, so this one reads and writes the same items. They
// were recorded with the version before, by the steps below. Record them again when a version was released.
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCaller } from "../../../lib/service/account/account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { jobKey } from "../../../lib/service/aws/table-keys.ts";
import { type Job, type NewOutput, newJob, type OutputOutcome } from "../../../lib/service/jobs/job.ts";
import { readJob, toJobItem } from "../../../lib/service/jobs/job-item.ts";
import { claimJob, clearResult, findJob, putJob, requeueJob } from "../../../lib/service/jobs/job-store.ts";
import { commitWrite, type Update } from "../../../lib/service/jobs/job-writes.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";
import recorded from "./fixtures/stored-jobs.json" with { type: "json" };

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.activity;
});
afterAll(() => running.close());

const now = Date.UTC(2099, 0, 1);
const account = anAccount({ id: 7, plan: "free", billed_from: null, created_at: "2099-01-01T00:00:00.000Z" });
const caller = toCaller(account, anApiKey({ id: 3, account_id: 7, label: "Website", key_prefix: "cap_abcd" }));
const period = { start: "2099-01-01T00:00:00.000Z", end: "2099-02-01T00:00:00.000Z", month: 1 };
const allowance = (attempt: string) => ({
  accountId: 7,
  attempt,
  period,
  credit: "screenshots" as const,
  quota: { name: "screenshots" as const, limit: 300 },
  isCapped: true,
});
const request = {
  caller,
  source_ip: "192.0.2.1",
  url: "https://example.com/",
  options: { url: "https://example.com/", async: true },
};
const webhook = { url: "https://example.com/hook", receiver_id: null, is_signed: true, notifies_on_failure: true };
const base = { external_identifier: "order-1", webhook, slot: null, now, request };
const one: NewOutput = { group: undefined, allowance: allowance("a1"), format: "png", options: {} };
const group = (output: string) => ({ output, size: 2 });
const shot: NewOutput = { group: group("shot"), allowance: allowance("c1"), format: "png", options: {} };
const text: NewOutput = {
  group: group("text"),
  allowance: allowance("c2"),
  format: "text",
  options: { format: "text" },
};

const by = { holder: "worker" };
const missing = { error: "It is missing.", code: "SELECTOR_NOT_FOUND", request_id: 1, retryable: false };
const fault = { ...missing, code: "INTERNAL_ERROR" };
const failed = (error: object): OutputOutcome => ({
  status: "failed",
  result: null,
  from_cache: false,
  error: { ...error },
});
const succeeded = (from_cache: boolean): OutputOutcome => ({
  status: "success",
  result: {
    mime_type: "image/png",
    size_bytes: 3,
    expires_at: 4_102_444_800_000,
    stored: { inline: "a" },
    cache_hash: null,
  },
  from_cache,
  error: null,
});

const run = (update: Update) => dynamodb().send(new UpdateCommand(update));
const stored = async ({ account_id, id }: Job) =>
  (await dynamodb().send(new GetCommand({ TableName: table, Key: jobKey(account_id, id), ConsistentRead: true }))).Item;
const claimed = async (job: Job) => {
  await claimJob(table, job, { lease: { ...by, until: now + 40_000 }, now });
  return job;
};
const found = async (job: Job) => (await findJob(table, job, now)) ?? expect.unreachable();

// The version before gave the job an attempt of its own when it was queued again; now it has that of its first output.
const { "outputs requeued": _requeued, ...written } = recorded;

test.each(Object.entries(written))("the item of a job with %s is read, and would be written as it is", (_, item) => {
  const { pk: _pk, sk: _sk, ttl: _ttl, ...fields } = item;
  expect(toJobItem(readJob(item))).toEqual(fields);
});

test("a job with one result has the same item in each of its states", async () => {
  const job = await putJob(table, newJob({ id: 101, ...base, outputs: [one] }));
  expect(await stored(job)).toEqual(recorded["one queued"]);
  await claimed(job);
  expect(await stored(job)).toEqual(recorded["one processing"]);
  const output = { index: 0, loads: 1, outcome: succeeded(false) };
  const ended = { status: "success", from_cache: false, response_time_ms: 9 } as const;
  await run(commitWrite(table, job, { by, now: now + 1000, output, job: ended }));
  expect(await stored(job)).toEqual(recorded["one succeeded"]);
  await clearResult(table, job, 0);
  expect(await stored(job)).toEqual(recorded["one deleted"]);
});

test("a job with one result that failed, and is queued again, has the same item", async () => {
  const job = await claimed(await putJob(table, newJob({ id: 102, ...base, outputs: [one] })));
  const output = { index: 0, loads: 1, outcome: failed(fault) };
  const ended = { status: "failed", error: fault, response_time_ms: 9 } as const;
  await run(commitWrite(table, job, { by, now: now + 1000, output, job: ended }));
  expect(await stored(job)).toEqual(recorded["one failed"]);
  await requeueJob(table, await found(job), "b2");
  expect(await stored(job)).toEqual(recorded["one requeued"]);
});

test("a job with outputs has the same item in each of its states", async () => {
  const job = await putJob(table, newJob({ id: 201, ...base, outputs: [shot, text] }));
  expect(await stored(job)).toEqual(recorded["outputs queued"]);
  await claimed(job);
  await run(commitWrite(table, job, { by, now: now + 1000, output: { index: 0, loads: 1, outcome: succeeded(true) } }));
  expect(await stored(job)).toEqual(recorded["outputs half recorded"]);
  const output = { index: 1, loads: 2, outcome: failed(missing) };
  const ended = { status: "success", from_cache: true, response_time_ms: 12 } as const;
  await run(commitWrite(table, job, { by, now: now + 2000, output, job: ended }));
  expect(await stored(job)).toEqual(recorded["outputs succeeded"]);
  await clearResult(table, job, 0);
  expect(await stored(job)).toEqual(recorded["outputs deleted"]);
});

test("a job with outputs that failed, and is queued again, has the same item except for the attempts of its outputs", async () => {
  const job = await claimed(await putJob(table, newJob({ id: 211, ...base, outputs: [shot, text] })));
  await run(commitWrite(table, job, { by, now: now + 1000, output: { index: 0, loads: 1, outcome: failed(fault) } }));
  const output = { index: 1, loads: 2, outcome: failed(fault) };
  const ended = { status: "failed", error: fault, response_time_ms: 12 } as const;
  await run(commitWrite(table, job, { by, now: now + 2000, output, job: ended }));
  expect(await stored(job)).toEqual(recorded["outputs failed"]);
  await requeueJob(table, await found(job), "d3");
  const { request: again, ...item } = recorded["outputs requeued"];
  const outputs = again.outputs.map((each, index) => ({
    ...each,
    allowance: { ...each.allowance, attempt: ["d3", "d31"][index] },
  }));
  expect(await stored(job)).toEqual({ ...item, request: { ...again, outputs } });
});
