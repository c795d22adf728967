// Cancelling a queued job: its state, its quota, and its slot change together, once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plans } from "../../../lib/contract/plans.ts";
import { readUsedQuota, releaseQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import { cancelJob } from "../../../lib/service/jobs/cancel-job.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { claimJob, findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
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
  await reserveInPeriod(env.USAGE_TABLE, job.request.allowance, { now, until: now + 60_000 });
  const acquired = await acquireSlot(env.USAGE_TABLE, job.account_id, { plan: oneSlot, now });
  if (!("slot" in acquired)) throw new Error("The account has no slot left.");
  return putJob(env.ACTIVITY_TABLE, { ...job, slot: acquired.slot });
}

const oneSlot = { ...plans.free, concurrentJobs: 1 };
const usedQuota = ({ request }: Job) => readUsedQuota(env.USAGE_TABLE, request.allowance, Date.now());
const isSlotFree = async ({ account_id }: Job) =>
  "slot" in (await acquireSlot(env.USAGE_TABLE, account_id, { plan: oneSlot, now: Date.now() }));
const stored = (job: Job) => findJob(env.ACTIVITY_TABLE, job, Date.now());

describe("cancel: a queued job", () => {
  test("ends as failed with CANCELLED, and its quota, its slot, and its webhook are due", async () => {
    const job = await aStoredJob({
      webhook: newWebhook({ url: "https://example.com", is_signed: true, notifies_on_failure: true }),
    });
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([1, false]);
    expect(await cancelJob(job, env, Date.now())).toBe(true);
    expect(await stored(job)).toMatchObject({
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
    const outcomes = await Promise.all([1, 2, 3].map(() => cancelJob(job, env, Date.now())));
    expect(outcomes.toSorted()).toEqual([false, false, true]);
    expect(await usedQuota(job)).toBe(0);
  });

  test("is cancelled although its reservation has expired", async () => {
    const job = await aStoredJob();
    await releaseQuota(env.USAGE_TABLE, job.request.allowance);
    expect(await cancelJob(job, env, Date.now())).toBe(true);
    expect([await usedQuota(job), await isSlotFree(job)]).toEqual([0, true]);
  });
});

test("cancel: a job that a worker has claimed goes on, with its quota", async () => {
  const job = await aStoredJob();
  const lease = { holder: "worker", until: Date.now() + 60_000 };
  expect((await claimJob(env.ACTIVITY_TABLE, job, { lease, now: Date.now() })).state).toBe("ours");
  expect(await cancelJob(job, env, Date.now())).toBe(false);
  expect([(await stored(job))?.status, await usedQuota(job)]).toEqual(["processing", 1]);
});

test("cancel: a worker does not claim a job that is cancelled", async () => {
  const job = await aStoredJob();
  await cancelJob(job, env, Date.now());
  const lease = { holder: "worker", until: Date.now() + 60_000 };
  expect((await claimJob(env.ACTIVITY_TABLE, job, { lease, now: Date.now() })).state).toBe("over");
});
