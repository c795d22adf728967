// The operator's commands about captures in the background that the service failed to take.
import { CreateQueueCommand, PurgeQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sqs } from "../../../lib/service/aws/clients/sqs.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import { readAudit } from "../../../lib/service/operator/audit-log.ts";
import { newWebhook } from "../../../lib/service/webhooks/webhook.ts";
import type { JobResources } from "../../../lib/tools/local/cli/find-service.ts";
import { readCommandLine } from "../../../lib/tools/operate/command-line.ts";
import { jobCommands } from "../../../lib/tools/operate/job-commands.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { sampled } from "../../support/slow-run.ts";
import {
  countMessages,
  receiveMessages,
  startTestResources,
  type TestResources,
} from "../../support/test-resources.ts";

let running: TestResources;
let site: JobResources;
beforeAll(async () => {
  running = await startTestResources();
  const { QueueUrl = "" } = await sqs().send(new CreateQueueCommand({ QueueName: "dead-webhooks" }));
  const { ACTIVITY_TABLE, RENDER_QUEUE_URL, FAILED_RENDER_QUEUE_URL, WEBHOOK_QUEUE_URL } = running.env;
  const WEBHOOK_DEAD_LETTER_QUEUE_URL = `${new URL(WEBHOOK_QUEUE_URL).origin}${new URL(QueueUrl).pathname}`;
  site = {
    ACTIVITY_TABLE,
    RENDER_QUEUE_URL,
    FAILED_RENDER_QUEUE_URL,
    WEBHOOK_QUEUE_URL,
    WEBHOOK_DEAD_LETTER_QUEUE_URL,
  };
});
afterAll(() => running.close());
beforeEach(() =>
  Promise.all(
    Object.values(site)
      .filter((each) => each !== site.ACTIVITY_TABLE)
      .map(empty),
  ),
);

async function empty(QueueUrl: string): Promise<void> {
  await sqs().send(new PurgeQueueCommand({ QueueUrl }));
}

/** Runs a command; resolves to what is printed. */
async function run(line: string): Promise<unknown> {
  const { run: carryOut, args } = readCommandLine(jobCommands, line.split(" "));
  const context = { jobs: async () => site, actor: { operator: "ops@host", from: "host" }, now: Date.now() + 60_000 };
  return JSON.parse(JSON.stringify(await carryOut(args, context)));
}

const messageOf = ({ account_id, id }: Job) => ({ account_id, job_id: id, options: { inline: { html: "x" } } });
const error = { error: "The service failed.", code: "INTERNAL_ERROR" };

/** A job whose message is a dead letter. */
async function aDeadJob(parts: Partial<Job> = { status: "failed", error }): Promise<Job> {
  const job = await putJob(site.ACTIVITY_TABLE, aQueuedJob(parts));
  await bury(JSON.stringify(messageOf(job)));
  return job;
}

const bury = (MessageBody: string) =>
  sqs().send(new SendMessageCommand({ QueueUrl: site.FAILED_RENDER_QUEUE_URL, MessageBody }));
const jobNow = (job: Job) => findJob(site.ACTIVITY_TABLE, job, Date.now());

test("npm run jobs: list shows dead letters and keeps them", async () => {
  const job = await aDeadJob();
  for (const _ of [1, 2]) {
    expect(await run("list")).toEqual([
      {
        account_id: job.account_id,
        request_id: job.id,
        age_seconds: expect.closeTo(60, -1),
        status: "failed",
        error: error.error,
      },
    ]);
  }
});

test("npm run jobs: list shows messages without a job", async () => {
  await bury("<xml>");
  await bury(JSON.stringify(messageOf(aQueuedJob({ account_id: 5, id: 6 }))));
  expect(await run("list")).toEqual([
    { account_id: null, request_id: null, age_seconds: expect.closeTo(60, -1), status: null, error: null },
    { account_id: 5, request_id: 6, age_seconds: expect.closeTo(60, -1), status: null, error: null },
  ]);
});

test("npm run jobs: list is empty without dead letters", async () => {
  expect(await run("list")).toEqual([]);
});

test("npm run jobs: redrive queues each failed job once, as a new attempt", async () => {
  const webhook = newWebhook({ url: "https://example.com/hook", is_signed: true, notifies_on_failure: true });
  const jobs = [
    await aDeadJob(),
    await aDeadJob({ status: "failed", error, webhook: { ...webhook, status: "failed" } }),
  ];
  expect(await run("redrive")).toEqual(
    jobs.map((job) => ({ account_id: job.account_id, request_id: job.id, outcome: "queued" })),
  );
  expect(await receiveMessages(site.RENDER_QUEUE_URL)).toEqual(jobs.map(messageOf));
  const now = await Promise.all(jobs.map(jobNow));
  expect(now).toMatchObject([
    { status: "queued", error: null },
    { status: "queued", webhook: { status: "pending" } },
  ]);
  for (const [index, job] of jobs.entries()) {
    expect(now[index]?.outputs[0].allowance.attempt).not.toBe(job.outputs[0].allowance.attempt);
  }
  expect(await countMessages(site.FAILED_RENDER_QUEUE_URL)).toBe(0);
});

test("npm run jobs: redrive queues a job whose message an interrupted redrive lost", async () => {
  const job = await aDeadJob({ status: "queued" });
  expect(await run("redrive")).toMatchObject([{ outcome: "queued" }]);
  expect(await receiveMessages(site.RENDER_QUEUE_URL)).toEqual([messageOf(job)]);
  expect(await jobNow(job)).toEqual(job);
});

sampled(test, 2).each(["success", "processing"] as const)(
  "npm run jobs: redrive deletes the dead letter of a job that is %s",
  async (status) => {
    const job = await aDeadJob({ status });
    const before = await jobNow(job);
    expect(await run("redrive")).toMatchObject([{ outcome: `is ${status}` }]);
    expect(await receiveMessages(site.RENDER_QUEUE_URL)).toEqual([]);
    expect(await jobNow(job)).toEqual(before);
    expect(await countMessages(site.FAILED_RENDER_QUEUE_URL)).toBe(0);
  },
);

test("npm run jobs: redrive keeps a dead letter without a job", async () => {
  await bury("<xml>");
  expect(await run("redrive")).toEqual([{ account_id: null, request_id: null, outcome: "no such job" }]);
  expect(await run("list")).toHaveLength(1);
});

const buryWebhook = (MessageBody: string) =>
  sqs().send(new SendMessageCommand({ QueueUrl: site.WEBHOOK_DEAD_LETTER_QUEUE_URL, MessageBody }));

test("npm run jobs: webhooks list shows dead webhooks with the state of their captures, and keeps them", async () => {
  const webhook = newWebhook({ url: "https://example.com/hook", is_signed: true, notifies_on_failure: true });
  const job = await putJob(site.ACTIVITY_TABLE, aQueuedJob({ status: "success", webhook }));
  await buryWebhook(JSON.stringify({ kind: "deliver", account_id: job.account_id, job_id: job.id, round: 1 }));
  for (const _ of [1, 2]) {
    expect(await run("webhooks list")).toEqual([
      {
        account_id: job.account_id,
        request_id: job.id,
        age_seconds: expect.closeTo(60, -1),
        status: "success",
        webhook_status: "pending",
      },
    ]);
  }
});

test("npm run jobs: webhooks redrive queues each webhook once, and keeps what is none", async () => {
  const request = { kind: "deliver", account_id: 5, job_id: 6, round: 1 };
  await buryWebhook(JSON.stringify(request));
  await buryWebhook("<xml>");
  expect(await run("webhooks redrive")).toEqual([
    { account_id: 5, request_id: 6, outcome: "queued" },
    { account_id: null, request_id: null, outcome: "not a webhook" },
  ]);
  expect(await receiveMessages(site.WEBHOOK_QUEUE_URL)).toEqual([request]);
  expect(await run("webhooks list")).toHaveLength(1);
});

test("npm run jobs: drain returns when no capture is queued or running, and counts the webhooks that are left", async () => {
  await sqs().send(new SendMessageCommand({ QueueUrl: site.WEBHOOK_QUEUE_URL, MessageBody: "{}" }));
  expect(await run("drain --minutes 0")).toEqual({ captures: 0, webhooks: 1 });
});

test("npm run jobs: drain fails with the number of captures that are left", async () => {
  await sqs().send(new SendMessageCommand({ QueueUrl: site.RENDER_QUEUE_URL, MessageBody: "{}" }));
  await expect(run("drain --minutes 0")).rejects.toThrow("1 captures are left after 0 minutes.");
  await expect(run("drain --minutes soon")).rejects.toThrow("--minutes must be a number from 0 to 1440, not 'soon'.");
});

test("npm run jobs: the audit log has who retries jobs or webhooks, and nothing of a list", async () => {
  const entries = async () => (await readAudit(site.ACTIVITY_TABLE, { pageSize: 100, now: Date.now() })).entries;
  const before = await entries();
  for (const line of ["list", "webhooks list", "redrive", "webhooks redrive"]) await run(line);
  const added = (await entries()).slice(0, -before.length || undefined);
  expect(added.map(({ action, operator }) => [action, operator]).toSorted()).toEqual([
    ["jobs.retried", "ops@host"],
    ["webhooks.retried", "ops@host"],
  ]);
});
