// Webhooks of the running service: delivered, retried, redelivered and signed, through real queues and functions.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { openAccount } from "../../lib/service/account/open-account.ts";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { jobKey } from "../../lib/service/aws/table-keys.ts";
import type { Job } from "../../lib/service/jobs/job.ts";
import { findJob, putJob } from "../../lib/service/jobs/job-store.ts";
import { newWebhook } from "../../lib/service/webhooks/webhook.ts";
import type { DeliveryRequest } from "../../lib/service/webhooks/webhook-queue.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { clientOptions } from "../../lib/tools/local/engines/client-options.ts";
import { startTrap } from "../fixtures/site.ts";
import { type Received, receivedAt } from "../fixtures/webhook-receiver.ts";
import { readJson, sendWith } from "../support/client.ts";
import { anEndedJob, jobError } from "../support/ended-job.ts";
import { problemFinder, schemaCheck } from "../support/openapi.ts";
import { serviceLogs } from "../support/service-logs.ts";
import { slowTest } from "../support/slow-run.ts";

const service = inject("service");
const { baseUrl, receiver } = service;
let nextId = Date.now() * 1_000;

/** An account for each test, so that none uses up the requests of another. */
let account: Awaited<ReturnType<typeof openAccount>>;
beforeAll(() => useLocalData(service));
beforeEach(async () => {
  account = await openAccount(service.accountsTable, { plan: "max", label: "Test", now: Date.now() });
});

interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly body?: object;
}

const send = (path: string, { method = "GET", key = account.key, body }: Sent = {}) =>
  readJson(sendWith({ key }, method, `/api/v1${path}`, { body }));

/** A stored job that has failed, or is something else, with a webhook to the receiver at its id. */
async function aJob({ query = "", ...parts }: Partial<Job> & { query?: string; url?: string } = {}): Promise<number> {
  const id = nextId++;
  const job = anEndedJob(account, { id, url: `${receiver}/to/${id}${query}`, ...parts });
  await putJob(service.activityTable, { ...job, ...parts });
  return id;
}

const redeliver = (id: number | string, sent: Sent = {}) =>
  send(`/screenshot/${id}/webhook/redeliver`, { method: "POST", ...sent });
const stateOf = async (id: number, key = account.key) => (await send(`/screenshot/${id}`, { key })).json;
const webhookOf = async (id: number, key = account.key) => (await stateOf(id, key)).webhook;
const received = (id: number | string) => receivedAt(receiver, String(id));
const verify = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** What came to a job's webhook once there is so much. */
const deliveriesTo = (id: number | string, count: number, timeout = 30_000) =>
  vi.waitFor(
    async () => {
      const requests = await received(id);
      expect(requests.length).toBeGreaterThanOrEqual(count);
      return requests;
    },
    { timeout, interval: 50 },
  );

/** Looks again until it does not throw; with vitest's own second, a busy machine would be taken for a failure. */
const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 15_000, interval: 50 });

const hasStatus = (id: number, status: string, key = account.key) =>
  vi.waitFor(async () => expect(await webhookOf(id, key)).toMatchObject({ status }), { timeout: 15_000, interval: 50 });

/** A client of the service's queues until the test has ended. */
function queues(): SQSClient {
  const client = new SQSClient(clientOptions(service.sqs));
  onTestFinished(() => client.destroy());
  return client;
}

/** Puts an order about a job into the queue, as the functions do that take captures. */
async function order(id: number, kind: DeliveryRequest["kind"] = "deliver"): Promise<void> {
  const MessageBody = JSON.stringify({
    kind,
    account_id: account.ring.account.id,
    job_id: id,
  } satisfies DeliveryRequest);
  await queues().send(new SendMessageCommand({ QueueUrl: service.webhookQueue, MessageBody }));
}

interface QueuedMessage {
  readonly body: string;
}

interface Order {
  readonly body: string;
  /** Of a message that is hidden: when it is visible, in milliseconds since 1970; of one in flight, its receipt handle. */
  readonly comesAt?: number;
  readonly receipt?: string;
}

/** The orders to deliver a job's webhook that are in the queue. */
async function ordersOf(id: number): Promise<Order[]> {
  const response = await fetch(`${service.sqs}/_fauxqs/queues/${service.webhookQueue.split("/").at(-1)}`);
  const { messages } = (await response.json()) as {
    messages: {
      ready: QueuedMessage[];
      delayed: (QueuedMessage & { delayUntil?: number })[];
      inflight: { message: QueuedMessage; receiptHandle: string; visibilityDeadline: number }[];
    };
  };
  const inFlight = messages.inflight.map(({ message, receiptHandle: receipt, visibilityDeadline: comesAt }) => ({
    body: message.body,
    comesAt,
    receipt,
  }));
  const delayed = messages.delayed.map(({ body, delayUntil: comesAt = Number.NaN }) => ({ body, comesAt }));
  return [...messages.ready, ...delayed, ...inFlight].filter(({ body }) => JSON.parse(body).job_id === id);
}

const areNoOrdersOf = (id: number) =>
  vi.waitFor(async () => expect(await ordersOf(id)).toEqual([]), { timeout: 30_000, interval: 100 });

describe("webhook: of an asynchronous capture", () => {
  /** Asks for a capture; resolves to its id. `name` is where the receiver gets its webhook. */
  async function capture(name: string, options: Record<string, unknown>): Promise<number> {
    const webhook_url = `${receiver}/to/${name}`;
    const { status, json } = await send("/screenshot", {
      method: "POST",
      body: { async: true, webhook_url, ...options },
    });
    expect([status, json.webhook_url]).toEqual([202, webhook_url]);
    return json.request_id;
  }

  test("reports its success, with a valid link", async () => {
    const name = `success-${nextId++}`;
    const id = await capture(name, { html: "<h1>Hello</h1>", format: "text", external_identifier: "order:18" });
    const [request] = await deliveriesTo(name, 1, 25_000);
    const event = request && (verify(request, account.apiKey.signing_secret) as { data: { url: string } });
    await hasStatus(id, "delivered");
    const state = await stateOf(id);
    expect(event).toEqual({
      type: "capture.succeeded",
      timestamp: state.finished_at,
      data: { ...state, webhook: { status: "pending", receiver_id: null, deliveries: [], next_attempt_at: null } },
    });
    expect(state).toMatchObject({ request_id: id, status: "success", external_identifier: "order:18" });
    expect(await (await fetch(event?.data.url ?? "")).text()).toContain("Hello");
    await areNoOrdersOf(id);
    expect(await received(name)).toHaveLength(1);
  }, 60_000);

  test("does not report a failure when only successes are requested, until it is redelivered, and is signed only if that is requested", async () => {
    const name = `quiet-${nextId++}`;
    const id = await capture(name, {
      url: `${service.site}/not-found`,
      webhook_errors: false,
      webhook_sign: false,
    });
    await hasStatus(id, "skipped");
    await areNoOrdersOf(id);
    expect(await received(name)).toEqual([]);
    await redeliver(id);
    const [request] = await deliveriesTo(name, 1);
    expect(Object.keys(request?.headers ?? {}).filter((header) => /webhook-signature$/.test(header))).toEqual([]);
    expect(JSON.parse(request?.body ?? "")).toMatchObject({
      type: "capture.failed",
      data: { request_id: id, status: "failed", error: { code: "TARGET_HTTP_ERROR" } },
    });
  }, 60_000);
});

describe("webhook: a redelivery", () => {
  test("has the state of the capture, a signature and the same id, and each delivery is listed", async () => {
    const id = await aJob();
    const answer = await redeliver(id);
    expect(answer).toMatchObject({
      status: 202,
      json: {
        message: "The webhook is delivered again. Get its state from `status_url`.",
        request_id: id,
        status_url: `${baseUrl}/api/v1/screenshot/${id}`,
      },
    });
    expect(answer.headers.get("location")).toBe(new URL(answer.json.status_url).pathname);
    await hasStatus(id, "delivered");
    await redeliver(id);
    const requests = await deliveriesTo(id, 2);
    await hasStatus(id, "delivered");

    const state = await stateOf(id);
    const reported = requests.map((request) => verify(request, account.apiKey.signing_secret));
    for (const event of reported) {
      expect(event).toEqual({
        type: "capture.failed",
        timestamp: state.finished_at,
        data: { ...state, webhook: expect.objectContaining({ status: "pending" }) },
      });
    }
    expect(state).toMatchObject({ request_id: id, status: "failed", external_identifier: "order:17", error: jobError });
    expect(state.webhook).toEqual({
      status: "delivered",
      deliveries: Array(2).fill({
        at: expect.any(String),
        http_status_code: 204,
        error: null,
        duration_ms: expect.any(Number),
      }),
      next_attempt_at: null,
      receiver_id: null,
    });
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await areNoOrdersOf(id);
  });
});

test("webhook: a redelivery is refused without a webhook, before the end, without the scope, with options, and of no capture", async () => {
  const [queued, without, id] = await Promise.all([
    aJob({ status: "queued", finished_at: null }),
    aJob({ webhook: null }),
    aJob(),
  ]);
  expect(await redeliver(queued)).toMatchObject({
    status: 409,
    json: { code: "CONFLICT", error: "The capture is queued. Its webhook is delivered when it has ended." },
  });
  expect(await redeliver(without)).toMatchObject({
    status: 409,
    json: { code: "CONFLICT", error: "This capture was requested without a webhook." },
  });
  const { key } = (await send("/keys", { method: "POST", body: { label: "x", scopes: ["usage", "keys"] } })).json;
  expect(await redeliver(id, { key })).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  expect(await redeliver(id, { body: { url: "x" } })).toMatchObject({
    status: 422,
    json: { details: { url: [expect.any(String)] } },
  });
  for (const answer of [redeliver(id + 1), redeliver("JOBS%23")])
    expect(await answer).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
  expect(await received(id)).toEqual([]);
});

test("webhook: it and the response to a redelivery match the OpenAPI document", async () => {
  const document = await (await fetch(`${baseUrl}/api/v1/openapi.json`)).json();
  const { responses } = document.paths["/api/v1/screenshot/{id}/webhook/redeliver"].post;
  const { parameters } = document.webhooks.captureEnded.post;
  const id = await aJob();
  const answer = await redeliver(id);
  const [request] = await deliveriesTo(id, 1);
  expect(schemaCheck(document, responses[202].content["application/json"].schema)(answer.json)).toBe(true);
  expect(problemFinder(document)("WebhookEvent", JSON.parse(request?.body ?? ""))).toEqual([]);
  const names = Object.keys(request?.headers ?? {}).filter((name) => name.includes("webhook"));
  expect(parameters.map(({ name }: { name: string }) => name.toLowerCase())).toEqual(expect.arrayContaining(names));
  expect(names).toHaveLength(parameters.length);
});

describe("webhook: one that its receiver does not accept", () => {
  test("waits in the queue for its next attempt, and is delivered at once when a redelivery is requested", async () => {
    const id = await aJob({ query: "?answers=500,200" });
    await redeliver(id);
    await deliveriesTo(id, 1);
    const hidden = await eventually(async () => {
      const [queued, ...others] = await ordersOf(id);
      const inMs = (queued?.comesAt ?? Number.NaN) - Date.now();
      expect([others.length, inMs < 8_000]).toEqual([0, true]); // not the queue's own time any more
      return inMs;
    });
    expect(hidden).toBeGreaterThan(0);
    const waiting = await webhookOf(id);
    expect(waiting).toMatchObject({ status: "pending", deliveries: [{ http_status_code: 500 }] });
    const seconds = (Date.parse(waiting.next_attempt_at) - Date.parse(waiting.deliveries[0].at)) / 1000;
    expect([seconds >= 4, seconds < 8]).toEqual([true, true]); // 5 s, a fifth more or less, after the try itself

    await redeliver(id);
    await hasStatus(id, "delivered");
    expect((await webhookOf(id)).deliveries).toMatchObject([
      { http_status_code: 500, error: "The receiver answered with 500 instead of 2xx." },
      { http_status_code: 200, error: null },
    ]);
    await areNoOrdersOf(id);
    expect(await received(id)).toHaveLength(2);
  });
});

describe("webhook: an abandoned capture", () => {
  const processing = { status: "processing", finished_at: null, error: null } as const;
  const lease = (until: number) => ({ lease: { holder: "somebody", until } });

  test("fails once its worker's lease has expired, and its webhook reports that, once", async () => {
    const id = await aJob({ ...processing, ...lease(Date.now()) });
    await Promise.all([order(id, "watch"), order(id, "watch")]);
    const [request] = await deliveriesTo(id, 1);
    await hasStatus(id, "delivered");
    const error = { code: "INTERNAL_ERROR", request_id: id, retryable: true };
    expect(request && verify(request, account.apiKey.signing_secret)).toMatchObject({
      type: "capture.failed",
      data: { request_id: id, status: "failed", error },
    });
    expect(await stateOf(id)).toMatchObject({ status: "failed", error });
    await areNoOrdersOf(id);
    expect(await received(id)).toHaveLength(1);
    const { data } = (await send("/usage")).json;
    expect(data).toMatchObject([{ id, status: "failed", error_message: expect.stringContaining("INTERNAL_ERROR") }]);
  }, 60_000);
});

test("webhook: reaches no address of this machine but the allowed one", async () => {
  const trap = await startTrap();
  onTestFinished(() => trap.close());
  const url = `https://127.0.0.1:${trap.port}/`;
  const id = await aJob({ webhook: newWebhook({ url, is_signed: true, notifies_on_failure: true }) });
  await redeliver(id);
  await eventually(async () => {
    const error = "The address of the receiver is not allowed: it must be public, and https.";
    expect((await webhookOf(id)).deliveries).toMatchObject([{ http_status_code: null, error }]);
  });
  expect(trap.connections).toBe(0);
});

slowTest("webhook: a function that dies during delivery is replaced, and the webhook keeps its id", async () => {
  const id = await aJob({ query: "?answers=none,200" });
  await redeliver(id);
  const [first] = await deliveriesTo(id, 1);
  process.kill(ownerOf(first?.port ?? 0), "SIGKILL");
  const held = await heldSeconds(id);
  expect(held).toHaveLength(2);
  for (const seconds of held) expect(seconds).toBeLessThan(60);
  await endHold(id);
  const [, second] = await deliveriesTo(id, 2);
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second && verify(second, account.apiKey.signing_secret)).toMatchObject({ data: { request_id: id } });
  await hasStatus(id, "delivered");
});

/** Seconds until what holds a delivery back ends by itself: its lease, and the visibility timeout of its message. */
async function heldSeconds(id: number): Promise<number[]> {
  const job = await findJob(service.activityTable, { account_id: account.ring.account.id, id }, Date.now());
  const ends = [job?.webhook?.next_at, ...(await ordersOf(id)).map(({ comesAt }) => comesAt)];
  return ends.map((time = Number.NaN) => (time - Date.now()) / 1000);
}

/** Ends the lease of a delivery and the visibility timeout of its message now, instead of waiting for both. */
async function endHold(id: number): Promise<void> {
  await dynamodb().send(
    new UpdateCommand({
      TableName: service.activityTable,
      Key: jobKey(account.ring.account.id, id),
      UpdateExpression: "SET webhook.next_at = :now",
      ExpressionAttributeValues: { ":now": Date.now() },
    }),
  );
  const client = queues();
  for (const { receipt: ReceiptHandle } of await ordersOf(id)) {
    const message = { QueueUrl: service.webhookQueue, ReceiptHandle };
    await client.send(new ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout: 0 }));
  }
}

test("webhook: neither its URL nor a signing secret is in any log", async () => {
  const token = "token-in-the-address-of-a-webhook";
  const id = await aJob({ query: `?${token}&answers=500` });
  await redeliver(id);
  await eventually(async () => expect((await webhookOf(id)).deliveries).toHaveLength(1));
  await expect.poll(() => serviceLogs().includes(`"job_id":${id}`)).toBe(true);
  const { signing_secret } = account.apiKey;
  expect([token, signing_secret, account.key].filter((secret) => serviceLogs().includes(secret))).toEqual([]);
});

/** The process that has the TCP connection from this port of loopback. */
function ownerOf(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const connections = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const inode = connections.map((line) => line.trim().split(/\s+/)).find(([, from = ""]) => from.endsWith(local))?.[9];
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const owner = processes.find((pid) => descriptorsOf(pid).includes(`socket:[${inode}]`));
  if (owner === undefined) throw new Error(`No process has a connection from port ${port}.`);
  return Number(owner);
}

function descriptorsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // it has ended, or is somebody else's
  }
}

describe("a queued capture that is cancelled", () => {
  const unfinished = { status: "queued", finished_at: null, error: null } as const;
  const cancel = (id: number) => send(`/screenshot/${id}`, { method: "DELETE" });

  test("ends as failed with CANCELLED, and its webhook says so", async () => {
    const id = await aJob(unfinished);
    expect((await cancel(id)).status).toBe(204);
    const error = { code: "CANCELLED", error: "The capture was cancelled before it began. Nothing was billed." };
    expect(await stateOf(id)).toMatchObject({ status: "failed", error });
    const [delivery] = await deliveriesTo(id, 1);
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({ type: "capture.failed", data: { request_id: id, error } });
    expect((await cancel(id)).status).toBe(204);
  });
});
