// Jobs on a real table: conditional writes by concurrent workers.
import { randomUUID } from "node:crypto";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { conditionFailed } from "../../../lib/service/aws/transaction.ts";
import type { Job, OutputOutcome } from "../../../lib/service/jobs/job.ts";
import {
  claimJob,
  clearResult,
  findJob,
  putJob,
  releaseJob,
  removeJob,
  requeueJob,
} from "../../../lib/service/jobs/job-store.ts";
import { commitWrite, type JobEnder, type JobOutcome, type Update } from "../../../lib/service/jobs/job-writes.ts";
import { newWebhook, startDeliveryAttempt } from "../../../lib/service/webhooks/webhook.ts";
import { aQueuedJob, withOutcome } from "../../support/queued-job.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.activity;
});
afterAll(() => running.close());

const put = (parts: Partial<Job> = {}) => putJob(table, aQueuedJob(parts));
const find = (job: Job, now = Date.now()) => findJob(table, job, now);
const claim = (job: Job, { holder = randomUUID() as string, until = Date.now() + 60_000, now = Date.now() } = {}) =>
  claimJob(table, job, { lease: { holder, until }, now });

/** Sends one update; resolves to whether its condition held. */
async function made(update: Update): Promise<boolean> {
  try {
    await dynamodb().send(new UpdateCommand(update));
    return true;
  } catch (error) {
    if (conditionFailed(error)) return false;
    throw error;
  }
}

const failed = { status: "failed", error: { code: "INTERNAL_ERROR" }, response_time_ms: 7 } as const;
const succeeded = { status: "success", from_cache: false, response_time_ms: 7 } as const;
const result = { mime_type: "image/png", size_bytes: 3, expires_at: 4, stored: { inline: "{}" }, cache_hash: null };
const success = { status: "success", result, from_cache: false, error: null } as const;
const finish = (job: Job, holder: string, ended: JobOutcome = succeeded) => {
  const outcome = ended.status === "success" ? success : ({ ...ended, result: null, from_cache: false } as const);
  const output = { index: 0, loads: 1, outcome };
  return made(commitWrite(table, job, { by: { holder }, now: Date.now(), output, job: ended }));
};

describe("job store: a stored job", () => {
  test("is found unchanged, by its own account only", async () => {
    const job = await put({ external_identifier: "order-1", webhook: newWebhook(aWebhook) });
    expect(await find(job)).toEqual(job);
    expect(await find({ ...job, account_id: job.account_id + 1 })).toBeUndefined();
  });

  test("is not found after 30 days, deleted or not", async () => {
    const job = await put();
    const created = Date.parse(job.created_at);
    expect(await find(job, created + 30 * DAY_MS - 1)).toEqual(job);
    expect(await find(job, created + 30 * DAY_MS)).toBeUndefined();
  });

  test("gets an id of its own when others of the same millisecond have the same", async () => {
    const { account_id, id: wanted } = aQueuedJob();
    const stored = await Promise.all([1, 2, 3, 4].map(() => put({ account_id, id: wanted })));
    expect(stored.map(({ id }) => id - wanted).toSorted()).toEqual([0, 1, 2, 3]);
  });

  test("can be deleted", async () => {
    const job = await put();
    await removeJob(table, job);
    expect(await find(job)).toBeUndefined();
  });
});

const aWebhook = { url: "https://example.com/hook", is_signed: true, notifies_on_failure: true };

describe("job lease: of concurrent workers", () => {
  test("one acquires it, and the others learn until when it is held", async () => {
    const job = await put();
    const until = Date.now() + 60_000;
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(job, { until })));
    const ours = claims.filter(({ state }) => state === "ours");
    const held = claims.filter(({ state }) => state === "held");
    expect([ours.length, held.length]).toEqual([1, 19]);
    for (const each of held) expect(each.job?.lease).toEqual({ holder: ours[0]?.job?.lease?.holder, until });
  });

  test("the next one acquires it when the lease has expired", async () => {
    const job = await put();
    const now = Date.now();
    await claim(job, { holder: "killed", until: now + 1000 });
    expect(await claim(job, { holder: "next", now: now + 999 })).toMatchObject({ state: "held" });
    expect(await claim(job, { holder: "next", now: now + 1000 })).toMatchObject({
      state: "ours",
      job: { status: "processing", lease: { holder: "next" } },
    });
  });

  test("the next one acquires it when its holder released it", async () => {
    const job = await put();
    await claim(job, { holder: "first" });
    await releaseJob(table, job, { holder: "somebody else", isInterrupted: false });
    expect(await find(job)).toMatchObject({ status: "processing" });
    await releaseJob(table, job, { holder: "first", isInterrupted: false });
    expect(await find(job)).toMatchObject({ status: "queued", lease: null });
    expect(await claim(job)).toMatchObject({ state: "ours" });
  });

  test("none acquires a job that has ended or does not exist", async () => {
    const job = await put();
    await claim(job, { holder: "me" });
    await finish(job, "me");
    expect(await claim(job)).toMatchObject({ state: "over", job: { status: "success" } });
    expect(await claim(aQueuedJob())).toEqual({ state: "missing" });
  });
});

describe("job outcome:", () => {
  test("is recorded by the lease holder only, and once", async () => {
    const job = await put();
    await claim(job, { holder: "me" });
    expect(await finish(job, "somebody else")).toBe(false);
    expect(await finish(job, "me")).toBe(true);
    expect(await finish(job, "me", failed)).toBe(false);
    expect(await find(job)).toMatchObject({ ...succeeded, lease: null, error: null, finished_at: expect.any(String) });
  });

  test("of a job that was taken over is recorded by its current holder", async () => {
    const job = await put();
    const now = Date.now();
    await claim(job, { holder: "slow", until: now });
    await claim(job, { holder: "next", now });
    expect(await finish(job, "slow")).toBe(false);
    expect(await finish(job, "next", failed)).toBe(true);
    expect(await find(job)).toMatchObject(failed);
  });

  test("of an abandoned job can be recorded by anyone, once its lease has expired", async () => {
    const job = await put();
    const now = Date.now();
    await claim(job, { until: now + 1000 });
    expect(await made(commitWrite(table, job, { by: "abandoned", now: now + 999, job: failed }))).toBe(false);
    expect(await made(commitWrite(table, job, { by: "abandoned", now: now + 1000, job: failed }))).toBe(true);
    expect(await made(commitWrite(table, await put(), { by: "abandoned", now, job: failed }))).toBe(false);
  });

  test("of one of several outputs is recorded once, also when another worker ends it again", async () => {
    const [first] = aQueuedJob().outputs;
    const named = (output: string) => ({ ...first, group: { output, size: 2 } });
    const job = await put({ outputs: [named("shot"), named("text")] });
    const now = Date.now();
    await claim(job, { holder: "me", until: now + 1000 });
    const end = (by: JobEnder, index: number, outcome: OutputOutcome) =>
      made(commitWrite(table, job, { by, now: now + 1000, output: { index, loads: 1, outcome } }));
    const failure: OutputOutcome = { ...failed, result: null, from_cache: false };
    expect(await end({ holder: "me" }, 0, success)).toBe(true);
    expect(await end({ holder: "me" }, 0, success)).toBe(false);
    expect(await end("abandoned", 0, failure)).toBe(false); // read before the worker ended it
    expect(await end("abandoned", 1, failure)).toBe(true);
    expect((await find(job))?.outputs.map(({ outcome }) => outcome?.status)).toEqual(["success", "failed"]);
  });

  test.each([
    [succeeded, true, "pending"],
    [failed, true, "pending"],
    [succeeded, false, "pending"],
    [failed, false, "skipped"],
  ] as const)("decides whether the webhook is sent (%#)", async (outcome, notifies_on_failure, status) => {
    const job = await put({ webhook: newWebhook({ ...aWebhook, notifies_on_failure }) });
    await claim(job, { holder: "me" });
    await finish(job, "me", outcome);
    expect(await find(job)).toMatchObject({ webhook: { status } });
  });
});

describe("requeue:", () => {
  test("a failed job becomes another attempt, and its webhook restarts", async () => {
    const job = await put({ webhook: newWebhook(aWebhook) });
    await claim(job, { holder: "me" });
    await finish(job, "me", failed);
    const over = await find(job);
    expect(over && (await requeueJob(table, over, "another"))).toBe(true);
    const { outputs, webhook, ...facts } = (await find(job)) ?? aQueuedJob();
    expect(facts).toEqual({ ...facts, status: "queued", error: null, finished_at: null, response_time_ms: null });
    expect(facts.request).toEqual(job.request);
    const [output] = job.outputs;
    expect(outputs).toEqual([{ ...output, allowance: { ...output.allowance, attempt: "another" }, outcome: null }]);
    expect(webhook).toMatchObject({ status: "pending", round: 1 });
  });

  test.each(["queued", "processing", "success"] as const)("a job that is %s stays as it is", async (status) => {
    const job = await put({ status });
    const before = await find(job);
    expect(await requeueJob(table, job, "another")).toBe(false);
    expect(await find(job)).toEqual(before);
  });

  test("does not undo a delivery recorded meanwhile", async () => {
    const webhook = newWebhook(aWebhook);
    const job = await put({
      status: "failed",
      webhook: startDeliveryAttempt(webhook, { holder: "me", now: Date.now() }),
    });
    expect(await requeueJob(table, { ...job, webhook }, "another")).toBe(false);
  });
});

test("job store: a deleted result is marked as such, and nothing else of its job changes", async () => {
  const job = await put(withOutcome(aQueuedJob({ status: "success", from_cache: false }), success));
  for (const _ of [1, 2]) await clearResult(table, job, 0);
  expect(await find(job)).toEqual(withOutcome(job, { ...success, result: { ...result, stored: null } }));
  const other = await put({ status: "failed" });
  const before = await find(other);
  await clearResult(table, other, 0);
  expect(await find(other)).toEqual(before);
});
