// Captures that are accepted for the background: where they lie, what is kept where, and what a failure leaves.

import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamodb } from "../../lib/aws/clients/dynamodb.ts";
import { s3 } from "../../lib/aws/clients/s3.ts";
import { jobsPartition } from "../../lib/aws/table-keys.ts";
import { plans } from "../../lib/billing/plans.ts";
import { readUsedQuota, reserveQuota } from "../../lib/billing/quota-store.ts";
import { accepted, enqueueCapture } from "../../lib/captures/enqueue-capture.ts";
import type { CaptureRequest } from "../../lib/captures/render-capture.ts";
import { PhaseClock } from "../../lib/engine/pipeline/phase-clock.ts";
import { MAX_INLINE_BYTES, parseJobMessage } from "../../lib/jobs/job-queue.ts";
import { findJob } from "../../lib/jobs/job-store.ts";
import { parseCaptureOptions } from "../../lib/options/capture-options.ts";
import { getResult } from "../../lib/results/result-store.ts";
import { aQueuedJob } from "../support/queued-job.ts";
import { receiveMessages, startTestResources, type TestResources } from "../support/test-resources.ts";

let running: TestResources;
let places: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  places = running.env;
});
afterAll(() => running.close());

/** An admitted capture of an account of its own, unless told, whose quota is reserved. */
async function anOrder(sent: Record<string, unknown> = { html: "x" }, accountId?: number): Promise<CaptureRequest> {
  const { request: order, id } = aQueuedJob(accountId === undefined ? {} : { account_id: accountId });
  const { caller, allowance } = order;
  await reserveQuota(places.USAGE_TABLE, allowance, { now: Date.now(), until: Date.now() + 60_000 });
  const options = parseCaptureOptions({ async: true, ...sent });
  const facts = { sent, options, sourceIp: "192.0.2.1", requestId: id, startedAt: 0, clock: new PhaseClock() };
  return { ...facts, caller, allowance, refusal: undefined };
}

const reservedOf = ({ allowance }: CaptureRequest) => readUsedQuota(places.USAGE_TABLE, allowance, Date.now());

async function jobsOf({ caller }: CaptureRequest): Promise<unknown[]> {
  const command = new QueryCommand({
    TableName: places.ACTIVITY_TABLE,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": jobsPartition(caller.account.id) },
  });
  return (await dynamodb().send(command)).Items ?? [];
}

const objects = async () =>
  ((await s3().send(new ListObjectsV2Command({ Bucket: places.RESULTS_BUCKET }))).Contents ?? []).map(
    ({ Key = "" }) => Key,
  );

const secrets = { url: "https://ann:pass-word@example.com/", authorization: "Bearer secret-token" };

describe("a capture that is accepted", () => {
  test("is a job that waits, and a message with its options", async () => {
    const sent = { html: "x", async: true, external_identifier: "order-1" };
    const order = await anOrder(sent);
    const job = await enqueueCapture(order, places);
    expect(await findJob(places.ACTIVITY_TABLE, job, Date.now())).toEqual(job);
    expect(job).toMatchObject({ id: order.requestId, status: "queued", external_identifier: "order-1", webhook: null });
    expect(await receiveMessages(places.RENDER_QUEUE_URL)).toEqual([
      { account_id: job.account_id, job_id: job.id, options: { inline: sent } },
    ]);
    expect(await reservedOf(order)).toBe(1);
  });

  test("has its secrets in the message alone", async () => {
    const order = await anOrder(secrets);
    await enqueueCapture(order, places);
    expect(JSON.stringify(await jobsOf(order))).not.toMatch(/pass-word|secret-token/);
    expect(JSON.stringify(await receiveMessages(places.RENDER_QUEUE_URL))).toMatch(/pass-word.*secret-token/);
  });

  test.each([
    [MAX_INLINE_BYTES - 11, "x", "inline"],
    [MAX_INLINE_BYTES - 10, "x", "object"],
    [MAX_INLINE_BYTES / 2, "é", "object"],
  ])("has options with HTML of %i times '%s': %s", async (length, character, place) => {
    const sent = { html: character.repeat(length) };
    await enqueueCapture(await anOrder(sent), places);
    const [message] = await receiveMessages(places.RENDER_QUEUE_URL);
    const options = parseJobMessage(JSON.stringify(message))?.options ?? { inline: {} };
    expect(Object.keys(options)).toEqual([place]);
    if ("inline" in options) return expect(options.inline).toEqual(sent);
    expect(options.object).toMatch(/^options\//);
    const stored = await getResult(places.RESULTS_BUCKET, options.object);
    expect(JSON.parse(String(stored))).toEqual(sent);
  });

  test("is answered with where its state is told, under whatever address the service has", async () => {
    const job = aQueuedJob();
    const { status, headers, body } = accepted(job, { BASE_URL: "https://x.example/live" });
    expect([status, headers]).toMatchObject([
      202,
      { Location: `/live/api/v1/screenshot/${job.id}`, "X-Request-Id": String(job.id) },
    ]);
    expect(JSON.parse(String(body))).toMatchObject({
      status_url: `https://x.example/live/api/v1/screenshot/${job.id}`,
    });
  });
});

describe("nothing is left of a capture", () => {
  test("whose message cannot be sent", async () => {
    const order = await anOrder({ html: "x".repeat(MAX_INLINE_BYTES) });
    const before = await objects();
    const nowhere = { ...places, RENDER_QUEUE_URL: `${places.RENDER_QUEUE_URL}-none` };
    await expect(enqueueCapture(order, nowhere)).rejects.toThrow();
    expect(await jobsOf(order)).toEqual([]);
    expect(await reservedOf(order)).toBe(0);
    expect(await objects()).toEqual(before);
    const all = Array.from({ length: plans.free.concurrentJobs }, async () => {
      const next = await anOrder(undefined, order.caller.account.id);
      return enqueueCapture(next, places);
    });
    await expect(Promise.all(all)).resolves.toHaveLength(5); // its slot is free, too
    await receiveMessages(places.RENDER_QUEUE_URL);
  });

  test("which is one more than the account may have at once", async () => {
    const first = await anOrder();
    const { id } = first.caller.account;
    const orders = [first, ...(await Promise.all(Array.from({ length: 9 }, () => anOrder(undefined, id))))];
    const settled = await Promise.allSettled(orders.map((order) => enqueueCapture(order, places)));
    const refused = settled.filter((each) => each.status === "rejected");
    expect(refused.map(({ reason }) => [reason.code, reason.headers])).toEqual(
      Array(5).fill(["RATE_LIMITED", { "Retry-After": "10" }]),
    );
    expect(await jobsOf(first)).toHaveLength(5);
    expect(await reservedOf(first)).toBe(5);
  });
});
