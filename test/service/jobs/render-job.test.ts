// Jobs: a job ends once, also when its message is delivered twice or its worker fails or is killed.
import { randomUUID } from "node:crypto";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { plans } from "../../../lib/contract/plans.ts";
import type { LazyBrowser } from "../../../lib/engine/browser-launcher.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { jobKey, leaseKey } from "../../../lib/service/aws/table-keys.ts";
import { readCounts } from "../../../lib/service/billing/period-store.ts";
import { readUsedQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import { type CachePolicy, cachePolicy } from "../../../lib/service/captures/cache-key.ts";
import { acquireLease } from "../../../lib/service/captures/lease-store.ts";
import { failIfAbandoned } from "../../../lib/service/jobs/abandoned-jobs.ts";
import { cancelJob } from "../../../lib/service/jobs/cancel-job.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import type { JobRendering } from "../../../lib/service/jobs/job-capture.ts";
import type { JobMessage } from "../../../lib/service/jobs/job-queue.ts";
import { jobState } from "../../../lib/service/jobs/job-state.ts";
import { claimJob, findJob, putJob, requestCancellation } from "../../../lib/service/jobs/job-store.ts";
import { renderJob } from "../../../lib/service/jobs/render-job.ts";
import { acquireSlot } from "../../../lib/service/jobs/slot-store.ts";
import { embeddedRenderer } from "../../../lib/service/rendering/embedded-renderer.ts";
import type { CreateRenderer } from "../../../lib/service/rendering/renderer.ts";
import { hasResult, putResult } from "../../../lib/service/results/result-store.ts";
import { queryCaptures } from "../../../lib/service/usage/list-store.ts";
import { newWebhook } from "../../../lib/service/webhooks/webhook.ts";
import { chromiumFiles, noLists, realBrowser } from "../../support/chromium.ts";
import { createFakeRenderer } from "../../support/fake-renderer/fake-renderer.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import {
  countDelayedMessages,
  receiveMessages,
  startTestResources,
  type TestResources,
} from "../../support/test-resources.ts";

const HOUR_MS = 60 * 60 * 1000;
const FUNCTION_MS = 120_000;
const options = { html: "<h1>Hello</h1>", viewport_width: 200, viewport_height: 100 };

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
  await chromiumFiles();
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

/** A browser that starts only to be killed. */
function stuck(): LazyBrowser {
  const killed = Promise.withResolvers<never>();
  killed.promise.catch(() => undefined);
  return { ...beginNone(), first: killed.promise, kill: () => killed.reject(new Error("killed")) };
}

/** A job as it is once it was accepted: stored, with its slot and its quota. */
async function accepted(parts: Partial<Job> = {}): Promise<Job> {
  const queued = aQueuedJob(parts);
  const times = { now: Date.now(), until: Date.now() + HOUR_MS };
  await reserveInPeriod(env.USAGE_TABLE, [queued.outputs[0].allowance], times);
  const acquired = await acquireSlot(env.USAGE_TABLE, queued.account_id, { limits: plans.free, now: times.now });
  return putJob(env.ACTIVITY_TABLE, { ...queued, slot: "slot" in acquired ? acquired.slot : null });
}

const messageOf = (job: Job, sent: JobMessage["options"] = { inline: options }) =>
  JSON.stringify({ account_id: job.account_id, job_id: job.id, options: sent });

interface Delivered extends Partial<JobRendering> {
  readonly body?: string;
  /** Happens each time the message is hidden: once the function holds the job, and with each heartbeat. */
  readonly onHeld?: (seconds: number) => Promise<void>;
}

/** Hands the message of a job to a function. */
const deliver = (job: Job, { body = messageOf(job), onHeld, ...rendering }: Delivered = {}) =>
  renderJob(
    { body, receives: 1, hide: async (seconds) => onHeld?.(seconds) },
    { createRenderer: createFakeRenderer, env, ...rendering },
  );

const view = () => ({ results: new Map(), links: { baseUrl: "https://api.test", secret: "" }, now: Date.now() });
const jobNow = (job: Job) => findJob(env.ACTIVITY_TABLE, job, Date.now());

/** All that is left of a job: its status, its logs, what is billed, and what is still reserved. */
async function tracesOf(job: Job) {
  const [{ allowance }] = job.outputs;
  const view = { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: 400, now: Date.now() };
  const [stored, { logs }, billed, taken, slots] = await Promise.all([
    jobNow(job),
    queryCaptures({ ...view, accountId: job.account_id }, { page: 1, per_page: 25 }),
    readCounts(env.USAGE_TABLE, job.account_id, allowance.period),
    readUsedQuota(env.USAGE_TABLE, allowance, Date.now()),
    slotsOf(job),
  ]);
  return {
    status: stored?.status,
    logs: logs.map(({ status }) => status),
    billed: billed.screenshots,
    reserved: taken - billed.screenshots,
    slots,
  };
}

/** How many slots are taken, as a refused acquisition reports it. */
async function slotsOf(job: Job): Promise<number> {
  const limits = { ...plans.free, concurrentJobs: 0 };
  const requested = await acquireSlot(env.USAGE_TABLE, job.account_id, { limits, now: Date.now() });
  return "taken" in requested ? requested.taken : Number.NaN;
}

const waiting = { status: "queued", logs: [], billed: 0, reserved: 1, slots: 1 };
const successful = { status: "success", logs: ["success"], billed: 1, reserved: 0, slots: 0 };
const failed = { status: "failed", logs: ["failed"], billed: 0, reserved: 0, slots: 0 };

const aWebhook = newWebhook({ url: "https://example.com/hook", is_signed: true, notifies_on_failure: true });

test("a queued job holds a slot and reserves quota", async () => {
  expect(await tracesOf(await accepted())).toEqual(waiting);
});

describe("job: a capture that succeeds", () => {
  test("ends its job, is logged and billed, and releases its slot", async () => {
    const job = await accepted();
    expect(await deliver(job, { createRenderer: embeddedRenderer(realBrowser) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
    const stored = { inline: expect.any(String) };
    const result = { mime_type: "image/png", size_bytes: expect.any(Number), stored };
    expect(await jobNow(job)).toMatchObject({
      lease: null,
      from_cache: false,
      outputs: [{ outcome: { status: "success", result } }],
    });
  });

  test("enqueues its webhook", async () => {
    const job = await accepted({ webhook: aWebhook });
    await deliver(job);
    expect(await receiveMessages(env.WEBHOOK_QUEUE_URL)).toEqual([
      { kind: "deliver", account_id: job.account_id, job_id: job.id },
    ]);
  });

  test("is not repeated when the message is delivered again", async () => {
    const job = await accepted();
    await deliver(job);
    const before = await jobNow(job);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
    expect(await jobNow(job)).toEqual(before);
  });

  test("runs once when the message is delivered several times at once", async () => {
    const job = await accepted();
    const answers = await Promise.all([1, 2, 3].map(() => deliver(job)));
    const seconds = answers.filter((answer) => answer !== undefined);
    expect(seconds).toHaveLength(2);
    for (const each of seconds) {
      expect(each).toBeGreaterThan(0);
      expect(each).toBeLessThanOrEqual(60); // one that was killed is missed within a minute
    }
    expect(await tracesOf(job)).toEqual(successful);
  });

  test("enqueues its webhook again when that was not delivered", async () => {
    const job = await accepted({ webhook: aWebhook });
    for (const _ of [1, 2]) await deliver(job);
    expect(await receiveMessages(env.WEBHOOK_QUEUE_URL)).toHaveLength(2);
  });

  test("deletes the object of options that were too long for a message", async () => {
    const job = await accepted();
    const object = `options/${job.id}`;
    await putResult(env.RESULTS_BUCKET, object, Buffer.from(JSON.stringify(options)), {
      mimeType: "application/json",
      disposition: "attachment",
    });
    expect(await deliver(job, { body: messageOf(job, { object }) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
    expect(await hasResult(env.RESULTS_BUCKET, object)).toBe(false);
  });
});

describe("job: a capture that fails", () => {
  test("by the page's fault ends its job at once", async () => {
    const job = await accepted();
    const body = messageOf(job, { inline: { ...options, selector: "#none", timeout: 5 } });
    expect(await deliver(job, { body })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject({ error: { code: "SELECTOR_NOT_FOUND", request_id: job.id } });
  });

  test("by options that are no longer valid ends its job at once", async () => {
    const job = await accepted();
    expect(await deliver(job, { body: messageOf(job, { inline: { html: "x", retired: true } }) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
  });

  test("by our fault is retried after 5 and 30 seconds, without a log or webhook", async () => {
    const job = await accepted();
    expect(await deliver(job, { createRenderer: embeddedRenderer(beginNone) })).toBe(5);
    expect(await tracesOf(job)).toEqual(waiting);
    expect(await deliver(job, { createRenderer: embeddedRenderer(beginNone) })).toBe(30);
    expect(await tracesOf(job)).toEqual(waiting);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
  });

  test("by our fault for the third time ends its job, and its message is kept for the operator", async () => {
    const job = await accepted({ webhook: aWebhook, attempts: 2 });
    expect(await deliver(job, { createRenderer: embeddedRenderer(beginNone) })).toBeUndefined();
    expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual([JSON.parse(messageOf(job))]);
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject({ error: { code: "INTERNAL_ERROR", retryable: true } });
    expect(await receiveMessages(env.WEBHOOK_QUEUE_URL)).toEqual([
      { kind: "deliver", account_id: job.account_id, job_id: job.id },
    ]);
  });

  test("by our fault is kept for the operator with its options, also when its worker was killed before that", async () => {
    const job = await accepted({ attempts: 2 });
    const object = `options/${job.id}`;
    const file = { mimeType: "application/json", disposition: "attachment" };
    await putResult(env.RESULTS_BUCKET, object, Buffer.from(JSON.stringify(options)), file);
    await claimJob(env.ACTIVITY_TABLE, job, { lease: { holder: "killed", until: Date.now() - 1 }, now: Date.now() });
    await failIfAbandoned(job, env); // which has no message to keep
    expect(await deliver(job, { body: messageOf(job, { object }) })).toBeUndefined();
    expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual([JSON.parse(messageOf(job, { object }))]);
    expect(await hasResult(env.RESULTS_BUCKET, object)).toBe(true);
  });

  test("by the page's fault is not kept for the operator when its message comes again", async () => {
    const job = await accepted();
    const body = messageOf(job, { inline: { ...options, selector: "#none", timeout: 5 } });
    for (const _ of [1, 2]) await deliver(job, { body });
    expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual([]);
  });

  test("by missing options fails by our fault", async () => {
    const job = await accepted({ attempts: 1 });
    const body = messageOf(job, { object: "options/none" });
    expect(await deliver(job, { body })).toBe(30);
    expect(await deliver(job, { body })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
  });
});

describe("job: a worker", () => {
  test("extends its lease by heartbeats, which store the phase of the capture, and the message stays invisible until the lease expires", async () => {
    const job = await accepted();
    const leaseMs = 3_000;
    const enough = Promise.withResolvers<void>();
    const beats: { readonly visibleAt: number; readonly leaseEnd: number }[] = [];
    const shown: (string | undefined)[] = [];
    const onHeld = async (seconds: number) => {
      const visibleAt = Date.now() + seconds * 1000;
      const held = await jobNow(job);
      beats.push({ visibleAt, leaseEnd: held?.lease?.until ?? 0 });
      shown.push(held && jobState(held, view()).phase);
      if (beats.length === 5) enough.resolve(); // four thirds of a lease
    };
    const patient: CreateRenderer = () => {
      const renderer = createFakeRenderer();
      const capture = renderer.capture.bind(renderer);
      return Object.assign(renderer, {
        capture: async (...request: Parameters<typeof capture>) => {
          const [, { clock }] = request;
          await clock.measure("settle", () => enough.promise);
          return capture(...request);
        },
      });
    };
    const working = deliver(job, { leaseMs, onHeld, createRenderer: patient });
    await enough.promise;
    expect(await deliver(job)).toBeGreaterThan(0); // it is held
    expect(await working).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
    expect(shown).toEqual([undefined, "settle", "settle", "settle", "settle"]); // the first one is the claim
    const ended = await jobNow(job);
    expect(ended && jobState(ended, view()).phase).toBeUndefined();
    for (const { visibleAt, leaseEnd } of beats) expect(visibleAt).toBeGreaterThanOrEqual(leaseEnd);
  });

  test("releases its job at shutdown, and another one claims it", async () => {
    const job = await accepted();
    const started = Promise.withResolvers<void>();
    const browser = stuck();
    const startBrowser = () => {
      started.resolve();
      return browser;
    };
    const working = deliver(job, { createRenderer: embeddedRenderer(startBrowser) });
    await started.promise;
    process.emit("SIGTERM", "SIGTERM");
    expect(await working).toBe(0);
    browser.kill(); // or its work would go on after the tests
    expect(await tracesOf(job)).toEqual(waiting);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
  });

  test("releases its job at a shutdown while it claims it", async () => {
    const job = await accepted();
    const working = deliver(job);
    process.emit("SIGTERM", "SIGTERM");
    expect(await working).toBe(0);
    expect(await tracesOf(job)).toEqual(waiting);
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
  });

  test("releases its job at shutdown during the last attempt, too, which another one makes", async () => {
    const job = await accepted({ attempts: 2 });
    const started = Promise.withResolvers<void>();
    const browser = stuck();
    const startBrowser = () => {
      started.resolve();
      return browser;
    };
    const working = deliver(job, { createRenderer: embeddedRenderer(startBrowser) });
    await started.promise;
    process.emit("SIGTERM", "SIGTERM");
    expect(await working).toBe(0);
    browser.kill(); // or its work would go on after the tests
    expect(await jobNow(job)).toMatchObject({ status: "queued", attempts: 2 });
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
  });
});

describe("job: a worker that dies", () => {
  /** A job whose function has gone without a word. */
  async function abandoned(parts: Partial<Job> = {}): Promise<Job> {
    const job = await accepted(parts);
    const lease = { holder: "killed", until: Date.now() - 1 };
    await claimJob(env.ACTIVITY_TABLE, job, { lease, now: lease.until - FUNCTION_MS });
    return job;
  }

  test("loses its job when the message is delivered again", async () => {
    const job = await abandoned();
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(successful);
  });

  test("during the last attempt has scheduled a check of its job", async () => {
    const before = await countDelayedMessages(env.WEBHOOK_QUEUE_URL);
    await deliver(await accepted({ attempts: 1 }));
    expect(await countDelayedMessages(env.WEBHOOK_QUEUE_URL)).toBe(before);
    await deliver(await accepted({ attempts: 2 }));
    expect(await countDelayedMessages(env.WEBHOOK_QUEUE_URL)).toBe(before + 1);
  });

  test("during the last attempt leaves a job that fails when its message comes before the check", async () => {
    const job = await abandoned({ attempts: 2 });
    expect(await deliver(job)).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject({ error: { error: expect.stringMatching(/interrupted/) } });
    expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toContainEqual(JSON.parse(messageOf(job)));
  });

  test("leaves an abandoned job, which fails once, with one log and nothing billed", async () => {
    const job = await abandoned();
    const looks = await Promise.all([1, 2, 3].map(() => failIfAbandoned(job, env)));
    expect(looks.map((look) => look?.status)).toEqual(["failed", "failed", "failed"]);
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject({
      error: { code: "INTERNAL_ERROR", error: expect.stringMatching(/interrupted/), request_id: job.id },
    });
  });

  test.each(["queued", "success", "failed"] as const)("does not fail a job that is %s", async (status) => {
    const job = await accepted({ status });
    expect(await failIfAbandoned(job, env)).toEqual(await jobNow(job));
    expect(await tracesOf(job)).toEqual({ ...waiting, status });
  });

  test("is not assumed while the lease has not expired", async () => {
    const job = await accepted();
    await claimJob(env.ACTIVITY_TABLE, job, { lease: { holder: "me", until: Date.now() + 1000 }, now: Date.now() });
    expect(await failIfAbandoned(job, env)).toMatchObject({ status: "processing" });
  });
});

describe("job: a capture that is cancelled", () => {
  const neverBegin = () => expect.unreachable("A browser was started.");
  const cancel = async (job: Job) => cancelJob((await jobNow(job)) as Job, env);
  const cancelled = { status: "failed", error: { code: "CANCELLED" } };

  /** Hands the message to a function, and resolves once that renders. */
  async function delivering(job: Job, rendering: Delivered = {}) {
    const started = Promise.withResolvers<void>();
    const startBrowser = () => {
      started.resolve();
      return stuck();
    };
    const answer = deliver(job, { createRenderer: embeddedRenderer(startBrowser), ...rendering });
    await started.promise;
    return { answer };
  }

  test("while it is rendered ends it: it is logged as failed and not billed, and its webhook is queued", async () => {
    const job = await accepted({ webhook: aWebhook });
    const { answer } = await delivering(job);
    expect((await Promise.all([cancel(job), cancel(job)])).map(({ status }) => status)).toEqual([
      "processing",
      "processing",
    ]);
    expect(await answer).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject(cancelled);
    expect(await receiveMessages(env.WEBHOOK_QUEUE_URL)).toEqual([
      { kind: "deliver", account_id: job.account_id, job_id: job.id },
    ]);
    expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toEqual([]);
  });

  test("before its success is recorded is not billed, although its worker has not seen that yet", async () => {
    const job = await accepted();
    expect(await deliver(job, { onHeld: async () => void (await cancel(job)) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject({ ...cancelled, outputs: [{ outcome: { result: null } }] });
  });

  test("after its success was recorded stays a success, which is billed", async () => {
    const job = await accepted();
    await deliver(job);
    expect((await cancel(job)).status).toBe("success");
    expect(await tracesOf(job)).toEqual(successful);
  });

  test("while it waits for the same capture of another request ends, too", async () => {
    const job = await accepted();
    const cached = { ...options, cache_ttl: 600 };
    const { key } = cachePolicy(parseCaptureOptions(cached), job.account_id) as CachePolicy;
    const leader = { table: env.ACTIVITY_TABLE, key: leaseKey(job.account_id, key), holder: "leader" };
    await acquireLease(leader, { now: Date.now(), leaseMs: HOUR_MS });
    const held = Promise.withResolvers<void>();
    const body = messageOf(job, { inline: cached });
    const answer = deliver(job, {
      body,
      createRenderer: embeddedRenderer(neverBegin),
      onHeld: async () => held.resolve(),
    });
    await held.promise;
    await cancel(job);
    expect(await answer).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject(cancelled);
  });

  test("while it fails by our fault is not attempted again", async () => {
    const job = await accepted();
    expect(
      await deliver(job, { createRenderer: embeddedRenderer(beginNone), onHeld: async () => void (await cancel(job)) }),
    ).toBe(0);
    expect(await deliver(job, { createRenderer: embeddedRenderer(neverBegin) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject(cancelled);
  });

  /** A job that was cancelled while a function held it, which was killed then. */
  async function abandoned(): Promise<Job> {
    const job = await accepted({ attempts: 2 });
    await claimJob(env.ACTIVITY_TABLE, job, { lease: { holder: "killed", until: Date.now() - 1 }, now: Date.now() });
    await requestCancellation(env.ACTIVITY_TABLE, job, { now: Date.now(), by: "account" });
    return job;
  }

  test("and whose worker is killed ends when its message is delivered again", async () => {
    const job = await abandoned();
    expect(await deliver(job, { createRenderer: embeddedRenderer(neverBegin) })).toBeUndefined();
    expect(await tracesOf(job)).toEqual(failed);
    expect(await jobNow(job)).toMatchObject(cancelled);
  });

  test("and whose last worker is killed ends when it is missed", async () => {
    const job = await abandoned();
    expect(await failIfAbandoned(job, env)).toMatchObject(cancelled);
    expect(await tracesOf(job)).toEqual(failed);
  });
});

test("a worker that lost its job to another one cannot end it", async () => {
  const job = await accepted();
  const takeOver = async () => {
    const command = new UpdateCommand({
      TableName: env.ACTIVITY_TABLE,
      Key: jobKey(job.account_id, job.id),
      UpdateExpression: "SET #lease.holder = :other",
      ExpressionAttributeNames: { "#lease": "lease" },
      ExpressionAttributeValues: { ":other": "another" },
    });
    await dynamodb().send(command);
  };
  expect(await deliver(job, { onHeld: takeOver })).toBeUndefined();
  expect(await tracesOf(job)).toEqual({ ...waiting, status: "processing" });
});

describe("job: a message", () => {
  test.each(["null", "{}", '{"account_id":1}', '"<xml>"'])(
    "that is none of a job is kept for the operator: %s",
    async (body) => {
      expect(await deliver(aQueuedJob(), { body })).toBeUndefined();
      expect(await receiveMessages(env.FAILED_RENDER_QUEUE_URL)).toContainEqual(JSON.parse(body));
    },
  );

  test("of a job whose account was deleted is dropped with its options", async () => {
    const object = `options/${randomUUID()}`;
    await putResult(env.RESULTS_BUCKET, object, Buffer.from("{}"), {
      mimeType: "application/json",
      disposition: "inline",
    });
    const { account_id, id } = aQueuedJob();
    const body = JSON.stringify({ account_id, job_id: id, options: { object } });
    expect(await hasResult(env.RESULTS_BUCKET, object)).toBe(true);
    expect(await deliver(aQueuedJob(), { body })).toBeUndefined();
    expect(await hasResult(env.RESULTS_BUCKET, object)).toBe(false);
  });

  test("that arrives a moment before its job finds it", async () => {
    const job = aQueuedJob();
    const delivered = deliver(job);
    await putJob(env.ACTIVITY_TABLE, job);
    expect(await delivered).toBeUndefined();
    expect(await jobNow(job)).toMatchObject({ status: "success" });
  });
});
