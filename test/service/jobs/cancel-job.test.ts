// Cancelling a job: one that waits ends with its quota and its slot, once; one that a worker holds is marked.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plans } from "../../../lib/contract/plans.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { cancellationReason } from "../../../lib/service/aws/transaction.ts";
import {
  readUsedFailures,
  readUsedQuota,
  releaseQuota,
  reserveFailure,
  reserveInPeriod,
} from "../../../lib/service/billing/quota-store.ts";
import { cancelJob } from "../../../lib/service/jobs/cancel-job.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { claimJob, findJob, putJob, releaseJob, startDelivery } from "../../../lib/service/jobs/job-store.ts";
import { commitWrite } from "../../../lib/service/jobs/job-writes.ts";
import { acquireSlot } from "../../../lib/service/jobs/slot-store.ts";
import { newWebhook } from "../../../lib/service/webhooks/webhook.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

/** A stored job of a trial with one slot, with its quota and its slot taken. */
async function aStoredJob(parts: Partial<Job> = {}): Promise<Job> {
  const job = aQueuedJob(parts);
  const now = Date.now();
  await reserveInPeriod(env.USAGE_TABLE, [job.outputs[0].allowance], { now, until: now + 60_000 });
  const acquired = await acquireSlot(env.USAGE_TABLE, job.account_id, { limits: oneSlot, now });
  if (!("slot" in acquired)) throw new Error("The account has no slot left.");
  return putJob(env.ACTIVITY_TABLE, { ...job, slot: acquired.slot });
}

const oneSlot = { ...plans.free, concurrentJobs: 1 };
const usedQuota = ({ outputs: [{ allowance }] }: Job) => readUsedQuota(env.USAGE_TABLE, allowance, Date.now());
const isSlotFree = async ({ account_id }: Job) =>
  "slot" in (await acquireSlot(env.USAGE_TABLE, account_id, { limits: oneSlot, now: Date.now() }));
const usedFailures = ({ outputs: [{ allowance }] }: Job) => readUsedFailures(env.USAGE_TABLE, allowance, Date.now());
const stored = (job: Job) => findJob(env.ACTIVITY_TABLE, job, Date.now());

const cancelled = (job: Job) => ({
  status: "failed",
  error: expect.objectContaining({ code: "CANCELLED" }),
  id: job.id,
});
const claim = (job: Job, until: number) =>
  claimJob(env.ACTIVITY_TABLE, job, { lease: { holder: "worker", until }, now: Date.now() });

describe("cancel: a queued job", () => {
  test("ends as failed with CANCELLED, and its quota, its slot, and its webhook are due", async () => {
    const job = await aStoredJob({
      webhook: newWebhook({ url: "https://example.com", is_signed: true, notifies_on_failure: true }),
    });
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([1, false]);
    const ended = await cancelJob(job, env);
    expect(ended).toEqual(await stored(job));
    expect(ended).toMatchObject({
      status: "failed",
      finished_at: expect.any(String),
      error: {
        code: "CANCELLED",
        error: "The capture was cancelled before it began. Nothing was billed.",
        retryable: false,
      },
      webhook: { status: "pending" },
    });
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([0, true]);
  });

  test("is cancelled once by simultaneous requests", async () => {
    const job = await aStoredJob();
    const outcomes = await Promise.all([1, 2, 3].map(() => cancelJob(job, env)));
    expect(new Set(outcomes.map(({ finished_at }) => finished_at)).size).toBe(1);
    expect(await usedQuota(job)).toBe(0);
  });

  test("is cancelled although its reservation has expired", async () => {
    const job = await aStoredJob();
    await releaseQuota(env.USAGE_TABLE, job.outputs[0].allowance);
    expect(await cancelJob(job, env)).toMatchObject(cancelled(job));
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([0, true]);
  });

  test("is not claimed by a worker any more", async () => {
    const job = await aStoredJob();
    await cancelJob(job, env);
    expect((await claim(job, Date.now() + 60_000)).state).toBe("over");
  });

  test("that waits for another attempt ends at once, too", async () => {
    const job = await aStoredJob();
    await claim(job, Date.now() + 60_000);
    await releaseJob(env.ACTIVITY_TABLE, job, { holder: "worker", isInterrupted: false });
    const ended = await cancelJob(job, env); // it was read before the attempt
    expect(ended).toMatchObject(cancelled(job));
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([0, true]);
  });
});

describe("cancel: a job that a worker holds", () => {
  test("is marked, once, and keeps its quota and its slot until the worker ends it", async () => {
    const job = await aStoredJob();
    expect((await claim(job, Date.now() + 60_000)).state).toBe("ours");
    const marked = await cancelJob(job, env); // it was read while it was queued
    expect(marked).toMatchObject({ status: "processing", cancel_requested_at: expect.stringMatching(/Z$/) });
    expect(await cancelJob(marked, env)).toEqual(await stored(job));
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([1, false]);
  });

  test("either succeeds or is marked when both happen at once", async () => {
    const ended = { status: "success", from_cache: false, response_time_ms: 1 } as const;
    for (let round = 0; round < 20; round++) {
      const job = await putJob(env.ACTIVITY_TABLE, aQueuedJob());
      const { job: held = job } = await claim(job, Date.now() + 60_000);
      const finish = commitWrite(env.ACTIVITY_TABLE, job, { by: { holder: "worker" }, now: Date.now(), job: ended });
      const [refused, cancelled] = await Promise.all([
        cancellationReason(() => dynamodb().send(new UpdateCommand(finish))),
        cancelJob(held, env),
      ]);
      expect(cancelled.status).toBe(refused ? "processing" : "success");
      expect((await stored(job))?.status).toBe(cancelled.status);
    }
  });

  test("is marked or delivers its result when both happen at once, and is refused with 409 then", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const job = await putJob(env.ACTIVITY_TABLE, aQueuedJob());
      const { job: held = job } = await claim(job, Date.now() + 60_000);
      const [{ isChanged }, cancelled] = await Promise.all([
        startDelivery(env.ACTIVITY_TABLE, job, "worker"),
        cancelJob(held, env).catch((error) => error),
      ]);
      expect(cancelled).toMatchObject(
        isChanged ? { code: "CONFLICT", status: 409 } : { cancel_requested_at: expect.any(String) },
      );
      const { delivery_started_at, cancel_requested_at } = (await stored(job)) as Job;
      expect([delivery_started_at === null, cancel_requested_at === null]).toEqual([!isChanged, isChanged]);
      expect(await usedFailures(job)).toBe(isChanged ? 0 : 1);
      outcomes.add(String(isChanged));
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test("that delivers its result can't be cancelled after its worker has died either", async () => {
    const job = await aStoredJob();
    await claim(job, Date.now() + 60_000);
    await startDelivery(env.ACTIVITY_TABLE, job, "worker");
    await releaseJob(env.ACTIVITY_TABLE, job, { holder: "worker", isInterrupted: true });
    await expect(cancelJob((await stored(job)) as Job, env)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await stored(job))?.status).toBe("queued");
  });

  test("is not cancelled once the free failures of its account are used up", async () => {
    const job = await aStoredJob();
    const { job: held = job } = await claim(job, Date.now() + 60_000);
    const [{ allowance }] = job.outputs;
    const times = { now: Date.now(), until: Date.now() + 60_000, limit: 100 };
    for (let index = 0; index < 100; index++)
      await reserveFailure(env.USAGE_TABLE, [{ ...allowance, attempt: `other${index}` }], times);
    await expect(cancelJob(held, env)).rejects.toMatchObject({ status: 429 });
    expect((await stored(job))?.cancel_requested_at).toBeNull();
  });

  test("that has died ends at once", async () => {
    const job = await aStoredJob();
    const { job: held } = await claim(job, Date.now() - 1);
    expect(await cancelJob(held as Job, env)).toMatchObject(cancelled(job));
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([0, true]);
  });
});

test("cancel: a job that has ended stays as it is", async () => {
  const job = await aStoredJob({ status: "success" });
  const stored = await findJob(env.ACTIVITY_TABLE, job, Date.now());
  expect(await cancelJob({ ...job, status: "queued" }, env)).toEqual(stored);
  expect(stored).toMatchObject({ status: "success" });
  expect(await usedQuota(job)).toBe(1);
});
