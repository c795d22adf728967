// Jobs with `outputs`: each output is recorded and billed once, also when a worker fails, is killed, or is cancelled in between.
import { randomBytes } from "node:crypto";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { plans } from "../../../lib/contract/plans.ts";
import type { LazyBrowser } from "../../../lib/engine/browser-launcher.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { jobKey } from "../../../lib/service/aws/table-keys.ts";
import { readCounts } from "../../../lib/service/billing/period-store.ts";
import { readUsedQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import { failIfAbandoned } from "../../../lib/service/jobs/abandoned-jobs.ts";
import { cancelJob } from "../../../lib/service/jobs/cancel-job.ts";
import { deleteJobResult } from "../../../lib/service/jobs/delete-job-result.ts";
import { describeJob } from "../../../lib/service/jobs/describe-job.ts";
import { availableResults, type Job, type OutputOutcome } from "../../../lib/service/jobs/job.ts";
import { findJob, putJob, requeueJob } from "../../../lib/service/jobs/job-store.ts";
import { commitWrite } from "../../../lib/service/jobs/job-writes.ts";
import { renderJob } from "../../../lib/service/jobs/render-job.ts";
import { acquireSlot } from "../../../lib/service/jobs/slot-store.ts";
import { embeddedRenderer } from "../../../lib/service/rendering/embedded-renderer.ts";
import type { CreateRenderer } from "../../../lib/service/rendering/renderer.ts";
import { createLinkSecret } from "../../../lib/service/results/link-secret.ts";
import { queryCaptures } from "../../../lib/service/usage/list-store.ts";
import { chromiumFiles, noLists, realBrowser } from "../../support/chromium.ts";
import { createFakeRenderer } from "../../support/fake-renderer/fake-renderer.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { receiveMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

const HOUR_MS = 60 * 60 * 1000;

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
  await Promise.all([chromiumFiles(), createLinkSecret(env.ACCOUNTS_TABLE)]);
});
afterAll(() => running.close());
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

/** Browsers that do not start, which is a fault of ours. */
function beginNone(): LazyBrowser {
  const launch = () => Promise.reject(new Error("no browser starts"));
  const first = launch();
  first.catch(() => undefined);
  return {
    first,
    launch,
    lists: noLists,
    egressRefusals: () => 0,
    kill: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
const noBrowser = embeddedRenderer(beginNone);

const shot = { name: "shot" };
const text = { name: "text", format: "text" };
const missing = { name: "missing", selector: "#missing" };
const shared = { html: "<h1>Hello</h1>", viewport_width: 200, viewport_height: 100, async: true };

interface Requested {
  readonly outputs?: readonly { readonly name: string; readonly format?: string }[];
  readonly parts?: Partial<Job>;
  /** How outputs have ended. @default none has */
  readonly outcomes?: readonly (OutputOutcome | null)[];
}

/** A job as it is once it was accepted: stored, with its slot and with quota for each output. */
async function accepted({ outputs = [shot, text], parts = {}, outcomes = [] }: Requested = {}): Promise<Job> {
  const queued = aQueuedJob(parts);
  const requested = outputs.map(({ name, format = "png" }, index) => {
    const allowance = { ...queued.outputs[0].allowance, attempt: randomBytes(16).toString("hex") };
    const group = { output: name, size: outputs.length };
    return { group, allowance, format, options: {}, outcome: outcomes[index] ?? null };
  });
  const times = { now: Date.now(), until: Date.now() + HOUR_MS };
  for (const { allowance } of requested) await reserveInPeriod(env.USAGE_TABLE, [allowance], times);
  const acquired = await acquireSlot(env.USAGE_TABLE, queued.account_id, { limits: plans.free, now: times.now });
  return putJob(env.ACTIVITY_TABLE, {
    ...queued,
    outputs: requested as unknown as Job["outputs"],
    slot: "slot" in acquired ? acquired.slot : null,
  });
}

const messageOf = (job: Job, outputs: readonly object[], options: object) =>
  JSON.stringify({
    account_id: job.account_id,
    job_id: job.id,
    options: { inline: { ...shared, ...options, outputs } },
  });

interface Delivered {
  /** @default a renderer without Chromium */
  readonly createRenderer?: CreateRenderer;
  readonly outputs?: readonly object[];
  readonly options?: object;
}

/** Hands the message of a job to a worker. */
const deliver = (
  job: Job,
  { createRenderer = createFakeRenderer, outputs = [shot, text], options = {} }: Delivered = {},
) =>
  renderJob(
    { body: messageOf(job, outputs, options), receives: 1, hide: async () => undefined },
    { createRenderer, env },
  );

const jobNow = async (job: Job) => (await findJob(env.ACTIVITY_TABLE, job, Date.now())) as Job;
const outcomesOf = async (job: Job) => (await jobNow(job)).outputs.map(({ outcome }) => outcome?.status ?? null);

/** All that is left of a job: its status, its logs, what is billed, and what is still reserved. */
async function tracesOf(job: Job) {
  const [{ allowance }] = job.outputs;
  const view = { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: 400, now: Date.now() };
  const [{ status }, { logs }, billed, taken, slots] = await Promise.all([
    jobNow(job),
    queryCaptures({ ...view, accountId: job.account_id }, { page: 1, per_page: 25 }),
    readCounts(env.USAGE_TABLE, job.account_id, allowance.period),
    readUsedQuota(env.USAGE_TABLE, allowance, Date.now()),
    slotsOf(job),
  ]);
  const outcomes = logs.map((log) => `${log.output_name} ${log.status}`).sort();
  return { status, logs: outcomes, billed: billed.screenshots, reserved: taken - billed.screenshots, slots };
}

/** How many slots are taken, as a refused acquisition reports it. */
async function slotsOf(job: Job): Promise<number> {
  const limits = { ...plans.free, concurrentJobs: 0 };
  const requested = await acquireSlot(env.USAGE_TABLE, job.account_id, { limits, now: Date.now() });
  return "taken" in requested ? requested.taken : Number.NaN;
}

const describeNow = async (job: Job) =>
  describeJob(await jobNow(job), { ...env, BASE_URL: "https://api.example" }, { now: Date.now(), withContent: true });

const complete = { status: "success", logs: ["shot success", "text success"], billed: 2, reserved: 0, slots: 0 };
const waiting = { status: "queued", logs: [], billed: 0, reserved: 2, slots: 1 };

describe("a job with outputs", () => {
  test("reserves quota for each, and bills and logs each of them", async () => {
    const job = await accepted();
    expect(await tracesOf(job)).toEqual(waiting);
    expect(await deliver(job, { createRenderer: embeddedRenderer(realBrowser) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(complete);
    expect(await describeNow(job)).toMatchObject({
      status: "success",
      loads: 1,
      from_cache: false,
      billed: { screenshots: 2, videos: 0 },
      outputs: [
        { name: "shot", status: "success", request_id: job.id, mime_type: "image/png", width: 200, height: 100 },
        { name: "text", status: "success", request_id: job.id + 1, content: expect.stringContaining("Hello") },
      ],
    });
  });

  test("is not repeated when the message is delivered again", async () => {
    const job = await accepted();
    await deliver(job);
    const before = await jobNow(job);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(complete);
    expect(await jobNow(job)).toEqual(before);
  });

  test("runs once when the message is delivered several times at once", async () => {
    const job = await accepted();
    await Promise.all([1, 2, 3].map(() => deliver(job)));
    expect(await tracesOf(job)).toEqual(complete);
  });

  test("is a success if one succeeds; the other is free and has its error", async () => {
    const outputs = [missing, shot];
    const job = await accepted({ outputs });
    expect(await deliver(job, { outputs })).toBeUndefined();
    expect(await tracesOf(job)).toEqual({ ...complete, logs: ["missing failed", "shot success"], billed: 1 });
    expect((await describeNow(job)).outputs).toMatchObject([
      { name: "missing", status: "failed", error: { code: "SELECTOR_NOT_FOUND", request_id: job.id } },
      { name: "shot", status: "success" },
    ]);
  });

  test("fails with the first error if all of them fail", async () => {
    const outputs = [missing, { ...missing, name: "other", format: "webp" }];
    const job = await accepted({ outputs });
    await deliver(job, { outputs });
    expect(await tracesOf(job)).toMatchObject({
      status: "failed",
      logs: ["missing failed", "other failed"],
      billed: 0,
    });
    expect(await jobNow(job)).toMatchObject({ error: { code: "SELECTOR_NOT_FOUND", request_id: job.id } });
  });

  test("fails with each output if its options are no longer valid", async () => {
    const job = await accepted();
    await deliver(job, { options: { retired: true } });
    expect(await tracesOf(job)).toMatchObject({ status: "failed", logs: ["shot failed", "text failed"], reserved: 0 });
  });

  test("is answered from the cache as a whole, free of charge", async () => {
    const options = { cache_ttl: 600 };
    const first = await accepted();
    await deliver(first, { options });
    const again = await accepted({ parts: { account_id: first.account_id } });
    await deliver(again, { options, createRenderer: noBrowser });
    expect(await tracesOf(again)).toMatchObject({ status: "success", billed: 2, reserved: 0, slots: 0 });
    expect(await describeNow(again)).toMatchObject({ from_cache: true, loads: 0, billed: { screenshots: 0 } });
  });
});

/** Lets only the first `count` writes to DynamoDB through, as those of a worker that is killed after them. */
async function killedAfter<T>(count: number, work: () => Promise<T>): Promise<void> {
  let writes = 0;
  const { middlewareStack } = dynamodb();
  middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!/^Get|Query/.test(commandName ?? "") && ++writes > count) throw new Error("killed");
        return next(args);
      },
    { step: "initialize", name: "killed" },
  );
  try {
    await work().catch(() => undefined);
  } finally {
    middlewareStack.remove("killed");
  }
}

/** Ends the lease of a worker that was killed. */
const expireLease = ({ account_id, id }: Job) =>
  dynamodb().send(
    new UpdateCommand({
      TableName: env.ACTIVITY_TABLE,
      Key: jobKey(account_id, id),
      UpdateExpression: "SET #lease.#until = :past",
      ConditionExpression: "#status = :processing",
      ExpressionAttributeNames: { "#lease": "lease", "#until": "until", "#status": "status" },
      ExpressionAttributeValues: { ":past": 1, ":processing": "processing" },
    }),
  );

/** A job whose worker was killed once it had recorded the first of two outputs. */
async function halfRecorded(parts: Partial<Job> = {}): Promise<Job> {
  const job = await accepted({ parts });
  await killedAfter(2, () => deliver(job)); // the claim, and the first output
  await expireLease(job);
  expect(await outcomesOf(job)).toEqual(["success", null]);
  return job;
}

describe("a worker with outputs", () => {
  test.each([
    ["it has recorded anything", 1],
    ["it has recorded the second output, with which the job ends", 2],
  ])("that is killed before %s is replaced, and each output is captured and billed once", async (_, writes) => {
    const job = await accepted();
    await killedAfter(writes, () => deliver(job));
    expect((await jobNow(job)).status).toBe("processing");
    await expireLease(job);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(complete);
  });

  test("that takes over a job whose outputs have all ended only ends it, as after a worker of the version before", async () => {
    const job = await halfRecorded();
    const { outputs } = await jobNow(job);
    const outcome = outputs[0].outcome ?? expect.unreachable();
    const end = { by: "abandoned", now: Date.now(), output: { index: 1, outcome, loads: 1 } } as const;
    await dynamodb().send(new UpdateCommand(commitWrite(env.ACTIVITY_TABLE, job, end)));
    await deliver(job, { createRenderer: noBrowser });
    expect(await jobNow(job)).toMatchObject({ status: "success", lease: null, from_cache: false });
    expect((await tracesOf(job)).slots).toBe(0);
  });

  test("whose message lacks an output of the job does not end the job, and tries it again", async () => {
    const job = await accepted({ outputs: [shot, text, missing] });
    expect(await deliver(job, { outputs: [shot, text] })).toBe(5);
    expect(await outcomesOf(job)).toEqual(["success", null, null]);
    expect(await jobNow(job)).toMatchObject({ status: "queued", finished_at: null });
  });

  test("that takes over captures only the outputs that were not recorded", async () => {
    const job = await halfRecorded();
    const [recorded] = (await jobNow(job)).outputs;
    await deliver(job);
    const { outputs, loads } = await jobNow(job);
    expect(outputs[0]).toEqual(recorded);
    expect(loads).toBe(2);
  });

  test("that takes over from one that was answering from the cache answers the others from it, too", async () => {
    const options = { cache_ttl: 600 };
    const first = await accepted();
    await deliver(first, { options });
    const job = await accepted({ parts: { account_id: first.account_id } });
    await killedAfter(4, () => deliver(job, { options })); // the claim, two references to cached results, and the first output
    await expireLease(job);
    expect(await outcomesOf(job)).toEqual(["success", null]);
    await deliver(job, { options, createRenderer: noBrowser });
    expect(await tracesOf(job)).toMatchObject({ status: "success", billed: 2, reserved: 0, slots: 0 });
  });

  test("tries again what fails by our fault, without a log", async () => {
    const job = await accepted();
    expect(await deliver(job, { createRenderer: noBrowser })).toBe(5);
    expect(await tracesOf(job)).toEqual(waiting);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(complete);
  });

  test("fails for the third time with the outputs that are left, which the operator can have captured again", async () => {
    const job = await halfRecorded({ attempts: 1 });
    expect(await deliver(job, { createRenderer: noBrowser })).toBeUndefined();
    const failed = { status: "failed", logs: ["shot success", "text failed"], billed: 1, reserved: 0, slots: 0 };
    expect(await tracesOf(job)).toEqual(failed);
    const kept = await receiveMessages(env.FAILED_RENDER_QUEUE_URL);
    expect(kept).toEqual([JSON.parse(messageOf(job, [shot, text], {}))]);
    expect(await describeNow(job)).toMatchObject({
      error: { code: "INTERNAL_ERROR" },
      billed: { screenshots: 1 },
      outputs: [{ status: "success" }, { status: "failed", error: { code: "INTERNAL_ERROR" } }],
    });
    await requeueJob(env.ACTIVITY_TABLE, await jobNow(job), randomBytes(16).toString("hex"));
    await deliver(job);
    expect(await tracesOf(job)).toMatchObject({ status: "success", billed: 2 });
  });

  test("that died leaves a job that fails with the outputs that are left, once", async () => {
    const job = await halfRecorded();
    await Promise.all([1, 2, 3].map(() => failIfAbandoned(job, env)));
    const failed = { status: "failed", logs: ["shot success", "text failed"], billed: 1, reserved: 0, slots: 0 };
    expect(await tracesOf(job)).toEqual(failed);
    expect((await jobNow(job)).error).toMatchObject({ error: expect.stringMatching(/interrupted.*are available/) });
  });
});

describe("a job with outputs that is cancelled", () => {
  const cancel = async (job: Job) => cancelJob(await jobNow(job), env);

  test("while it is queued ends at once, and gives all quota back", async () => {
    const job = await accepted();
    expect(await cancel(job)).toMatchObject({ status: "failed", error: { code: "CANCELLED" } });
    expect(await tracesOf(job)).toEqual({ status: "failed", logs: [], billed: 0, reserved: 0, slots: 0 });
    expect(await outcomesOf(job)).toEqual(["failed", "failed"]);
  });

  test("keeps the outputs that were recorded, which stay billed", async () => {
    const job = await halfRecorded();
    await cancel(job);
    expect(await tracesOf(job)).toEqual({
      status: "failed",
      logs: ["shot success"],
      billed: 1,
      reserved: 0,
      slots: 0,
    });
    expect((await describeNow(job)).outputs).toMatchObject([
      { status: "success", url: expect.any(String) },
      { status: "failed", error: { code: "CANCELLED" } },
    ]);
  });

  test("before an output is recorded ends with all of them, logged and not billed", async () => {
    const job = await accepted();
    const body = messageOf(job, [shot, text], {});
    const message = { body, receives: 1, hide: async () => void (await cancel(job)) };
    expect(await renderJob(message, { createRenderer: createFakeRenderer, env })).toBeUndefined();
    expect(await tracesOf(job)).toEqual({
      status: "failed",
      logs: ["shot failed", "text failed"],
      billed: 0,
      reserved: 0,
      slots: 0,
    });
    expect((await jobNow(job)).error).toMatchObject({ code: "CANCELLED" });
  });
});

test("the results of a job with outputs can be deleted one by one", async () => {
  const job = await accepted();
  await deliver(job);
  const ended = await jobNow(job);
  const [first] = availableResults(ended);
  if (first) await deleteJobResult(ended, first, env);
  expect((await describeNow(job)).outputs).toMatchObject([
    { status: "success", url: null, unavailable_reason: "deleted" },
    { status: "success", url: expect.any(String) },
  ]);
});
