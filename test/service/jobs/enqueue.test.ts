// Enqueued captures: what is stored where, and what a failure leaves behind.

import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { plans } from "../../../lib/contract/plans.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { s3 } from "../../../lib/service/aws/clients/s3.ts";
import { jobsPartition } from "../../../lib/service/aws/table-keys.ts";
import { QuotaReservation } from "../../../lib/service/billing/quota-reservation.ts";
import { readUsedQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import type { RequestedCapture } from "../../../lib/service/captures/capture-request.ts";
import { enqueueCaptures } from "../../../lib/service/jobs/enqueue.ts";
import { MAX_INLINE_BYTES, parseJobMessage } from "../../../lib/service/jobs/job-queue.ts";
import { findJob } from "../../../lib/service/jobs/job-store.ts";
import { readResult } from "../../../lib/service/results/result-store.ts";
import { whileCallsFail } from "../../support/aws-calls.ts";
import { collectLoggedErrors } from "../../support/logged-errors.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { receiveMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

/** An admitted capture whose quota is reserved, of a new account unless `accountId` names one. */
async function aRequest(
  rawOptions: Record<string, unknown> = { html: "x" },
  accountId?: number,
): Promise<RequestedCapture> {
  const {
    request: { caller },
    outputs: [{ allowance }],
    id,
  } = aQueuedJob(accountId === undefined ? {} : { account_id: accountId });
  await reserveInPeriod(env.USAGE_TABLE, [allowance], { now: Date.now(), until: Date.now() + 60_000 });
  const options = parseCaptureOptions({ async: true, ...rawOptions });
  const reservation = new QuotaReservation(allowance, env);
  return { rawOptions, options, sourceIp: "192.0.2.1", requestId: id, caller, reservation };
}

const enqueue = (capture: RequestedCapture, resources: typeof env) =>
  enqueueCaptures({ captures: [capture], rawOptions: capture.rawOptions }, resources);

const reservedOf = ({ reservation }: RequestedCapture) =>
  readUsedQuota(env.USAGE_TABLE, reservation.allowance, Date.now());

async function jobsOf({ caller }: RequestedCapture): Promise<unknown[]> {
  const command = new QueryCommand({
    TableName: env.ACTIVITY_TABLE,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": jobsPartition(caller.account.id) },
  });
  return (await dynamodb().send(command)).Items ?? [];
}

const objects = async () =>
  ((await s3().send(new ListObjectsV2Command({ Bucket: env.RESULTS_BUCKET }))).Contents ?? []).map(
    ({ Key = "" }) => Key,
  );

const secrets = { url: "https://ann:pass-word@example.com/", authorization: "Bearer secret-token" };

describe("enqueue: a capture", () => {
  test("becomes a queued job and a message with its options", async () => {
    const sent = { html: "x", async: true, external_identifier: "order-1" };
    const request = await aRequest(sent);
    const job = await enqueue(request, env);
    expect(await findJob(env.ACTIVITY_TABLE, job, Date.now())).toEqual(job);
    expect(job).toMatchObject({
      id: request.requestId,
      status: "queued",
      external_identifier: "order-1",
      webhook: null,
    });
    expect(await receiveMessages(env.RENDER_QUEUE_URL)).toEqual([
      { account_id: job.account_id, job_id: job.id, options: { inline: sent } },
    ]);
    expect(await reservedOf(request)).toBe(1);
  });

  test("has its secrets in the message only", async () => {
    const request = await aRequest(secrets);
    await enqueue(request, env);
    expect(JSON.stringify(await jobsOf(request))).not.toMatch(/pass-word|secret-token/);
    expect(JSON.stringify(await receiveMessages(env.RENDER_QUEUE_URL))).toMatch(/pass-word.*secret-token/);
  });

  test.each([
    [MAX_INLINE_BYTES - 11, "x", "inline"],
    [MAX_INLINE_BYTES - 10, "x", "object"],
    [MAX_INLINE_BYTES / 2, "é", "object"],
  ])("has options with HTML of %i times '%s': %s", async (length, character, place) => {
    const sent = { html: character.repeat(length) };
    await enqueue(await aRequest(sent), env);
    const [message] = await receiveMessages(env.RENDER_QUEUE_URL);
    const options = parseJobMessage(JSON.stringify(message))?.options ?? { inline: {} };
    expect(Object.keys(options)).toEqual([place]);
    if ("inline" in options) return expect(options.inline).toEqual(sent);
    expect(options.object).toMatch(/^options\//);
    const stored = await readResult(env.RESULTS_BUCKET, options.object);
    expect(JSON.parse(String(stored))).toEqual(sent);
  });
});

describe("enqueue: nothing is left behind by a capture", () => {
  test("whose message cannot be sent", async () => {
    const request = await aRequest({ html: "x".repeat(MAX_INLINE_BYTES) });
    const before = await objects();
    const nowhere = { ...env, RENDER_QUEUE_URL: `${env.RENDER_QUEUE_URL}-none` };
    await expect(enqueue(request, nowhere)).rejects.toThrow();
    expect(await jobsOf(request)).toEqual([]);
    expect(await reservedOf(request)).toBe(0);
    expect(await objects()).toEqual(before);
    const all = Array.from({ length: plans.free.concurrentJobs }, async () => {
      const next = await aRequest(undefined, request.caller.account.id);
      return enqueue(next, env);
    });
    await expect(Promise.all(all)).resolves.toHaveLength(5); // its slot is free, too
    await receiveMessages(env.RENDER_QUEUE_URL);
  });

  test("whose message cannot be sent, unless the clean-up fails: that is logged, and the error stays", async () => {
    const loggedErrors = collectLoggedErrors();
    const request = await aRequest({ html: "x".repeat(MAX_INLINE_BYTES) });
    const nowhere = { ...env, RENDER_QUEUE_URL: `${env.RENDER_QUEUE_URL}-none` };
    const enqueuing = whileCallsFail(/^Delete|:released|:minus_one/, () => enqueue(request, nowhere));
    await expect(enqueuing).rejects.toMatchObject({ name: "QueueDoesNotExist" });
    expect(loggedErrors()).toEqual([
      "job not removed",
      "job slot not released",
      "options of a job not deleted",
      "quota reservation not released",
    ]);
  });

  test("that exceeds the jobs of the account's plan, although its quota can't be released", async () => {
    const loggedErrors = collectLoggedErrors();
    const first = await aRequest();
    const { id } = first.caller.account;
    for (let count = 0; count < plans.free.concurrentJobs; count++) await enqueue(await aRequest(undefined, id), env);
    const enqueuing = whileCallsFail(/:released/, () => enqueue(first, env));
    await expect(enqueuing).rejects.toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(loggedErrors()).toEqual(["quota reservation not released"]);
    await receiveMessages(env.RENDER_QUEUE_URL);
  });

  test.each([0, 2, 9])("that exceeds the %d jobs that the operator has set for the account", async (value) => {
    const first = await aRequest();
    const account = { ...first.caller.account, limits: { concurrent_jobs: { value, until: null } } };
    const requests = [
      first,
      ...(await Promise.all(Array.from({ length: value }, () => aRequest(undefined, account.id)))),
    ];
    const settled = await Promise.allSettled(
      requests.map((request) => enqueue({ ...request, caller: { ...request.caller, account } }, env)),
    );
    const refused = settled.filter((each) => each.status === "rejected");
    expect(refused.map(({ reason }) => [reason.code, reason.message])).toEqual([
      [
        "RATE_LIMITED",
        `The account has ${value} asynchronous captures that are queued or processing; the operator of the service allows it ${value} at once. Try again in 10 s.`,
      ],
    ]);
    expect(await jobsOf(first)).toHaveLength(value);
    await receiveMessages(env.RENDER_QUEUE_URL);
  });

  test("that exceeds the jobs of the account's plan", async () => {
    const first = await aRequest();
    const { id } = first.caller.account;
    const requests = [first, ...(await Promise.all(Array.from({ length: 9 }, () => aRequest(undefined, id))))];
    const settled = await Promise.allSettled(requests.map((request) => enqueue(request, env)));
    const refused = settled.filter((each) => each.status === "rejected");
    expect(refused.map(({ reason }) => [reason.code, reason.headers])).toEqual(
      Array(5).fill(["RATE_LIMITED", { "Retry-After": "10" }]),
    );
    expect(await jobsOf(first)).toHaveLength(5);
    expect(await reservedOf(first)).toBe(5);
  });
});
