// Jobs whose messages are dead end once, and give back what was reserved for them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { readUsedQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import { failDeadJob } from "../../../lib/service/jobs/dead-jobs.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { claimJob, findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import { queryCaptures } from "../../../lib/service/usage/list-store.ts";
import { newWebhook } from "../../../lib/service/webhooks/webhook.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import {
  countMessages,
  receiveMessages,
  startTestResources,
  type TestResources,
} from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

const HOUR_MS = 60 * 60 * 1000;
const webhook = newWebhook({ url: "https://example.com/hook", is_signed: true, notifies_on_failure: true });
const messageOf = ({ account_id, id }: Pick<Job, "account_id" | "id">) => ({
  account_id,
  job_id: id,
  options: { inline: { html: "x" } },
});
const fail = (job: Pick<Job, "account_id" | "id">) => failDeadJob(JSON.stringify(messageOf(job)), env);
const jobNow = (job: Job) => findJob(env.ACTIVITY_TABLE, job, Date.now());

async function accepted(parts: Partial<Job> = {}): Promise<Job> {
  const job = await putJob(env.ACTIVITY_TABLE, aQueuedJob(parts));
  const now = Date.now();
  await reserveInPeriod(env.USAGE_TABLE, [job.outputs[0].allowance], { now, until: now + HOUR_MS });
  return job;
}

async function logsOf({ account_id: accountId }: Job) {
  const view = { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: 400, now: Date.now() };
  return (await queryCaptures({ ...view, accountId }, { page: 1, per_page: 25 })).logs.map(({ status }) => status);
}

const claim = (job: Job, until: number) =>
  claimJob(env.ACTIVITY_TABLE, job, { lease: { holder: "a worker", until }, now: Date.now() - HOUR_MS });

test("a queued job fails with one log, its quota is given back, and its webhook and its message are queued", async () => {
  const job = await accepted({ webhook });
  const [{ allowance }] = job.outputs;
  expect(await readUsedQuota(env.USAGE_TABLE, allowance, Date.now())).toBe(1);
  expect(await fail(job)).toBeUndefined();
  expect(await jobNow(job)).toMatchObject({
    status: "failed",
    error: { code: "INTERNAL_ERROR", error: expect.stringMatching(/no worker was free/), request_id: job.id },
  });
  expect(await logsOf(job)).toEqual(["failed"]);
  expect(await readUsedQuota(env.USAGE_TABLE, allowance, Date.now())).toBe(0);
  expect(await receiveMessages(env.WEBHOOK_QUEUE_URL)).toEqual([
    { kind: "deliver", account_id: job.account_id, job_id: job.id },
  ]);
  expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual([messageOf(job)]);
});

test("a job whose worker died fails; one that a worker holds is looked at again when its lease ends", async () => {
  const [dead, held] = [await accepted(), await accepted()];
  await claim(dead, Date.now() - 1);
  await claim(held, Date.now() + 30_000);
  expect([await fail(dead), await fail(held)]).toEqual([undefined, expect.closeTo(30, -1)]);
  expect([(await jobNow(dead))?.status, (await jobNow(held))?.status]).toEqual(["failed", "processing"]);
  expect([await logsOf(dead), await logsOf(held)]).toEqual([["failed"], []]);
  await receiveMessages(env.FAILED_RENDER_QUEUE_URL);
});

test("a message that comes twice fails its job once", async () => {
  const job = await accepted();
  await Promise.all([fail(job), fail(job)]);
  await fail(job);
  expect([(await jobNow(job))?.status, await logsOf(job)]).toEqual(["failed", ["failed"]]);
  await receiveMessages(env.FAILED_RENDER_QUEUE_URL);
});

test("the message of a job that has failed is kept if the service failed it, and dropped if its page or its caller did", async () => {
  const failedBy = (code: string) => accepted({ status: "failed", error: { error: "It failed.", code } });
  const [byService, byPage, cancelled] = await Promise.all(
    ["INTERNAL_ERROR", "SELECTOR_NOT_FOUND", "CANCELLED"].map(failedBy),
  );
  for (const job of [byService, byPage, cancelled]) await fail(job as Job);
  expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual([messageOf(byService as Job)]);
});

test("the message of a success, or of a job whose account was deleted, is dropped; one that is no job message is kept", async () => {
  const before = await countMessages(env.FAILED_RENDER_QUEUE_URL);
  expect(await fail(await accepted({ status: "success" }))).toBeUndefined();
  expect(await fail({ account_id: 1, id: 1 })).toBeUndefined();
  expect(await countMessages(env.FAILED_RENDER_QUEUE_URL)).toBe(before);
  expect(await failDeadJob('"nonsense"', env)).toBeUndefined();
  expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual(["nonsense"]);
});
