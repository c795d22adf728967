// Delivery of webhooks by several workers at once: signatures, retries, redeliveries and slots.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { readKeyRing, updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import { issueSecrets } from "../../../lib/service/keys/issue-key.ts";
import { withRevokedKey, withRotatedKey } from "../../../lib/service/keys/key-ring.ts";
import { type DeliveryResources, deliverWebhook } from "../../../lib/service/webhooks/deliver-webhook.ts";
import {
  type Webhook as JobWebhook,
  newWebhook,
  restartedWebhook,
  startDeliveryAttempt,
} from "../../../lib/service/webhooks/webhook.ts";
import type { DeliveryRequest } from "../../../lib/service/webhooks/webhook-queue.ts";
import { replaceWebhook } from "../../../lib/service/webhooks/webhook-store.ts";
import {
  type Received,
  receivedAt,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../fixtures/webhook-receiver.ts";
import { anEndedJob, jobError } from "../../support/ended-job.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let receiver: WebhookReceiver;
let delivering: DeliveryResources;
let account: Awaited<ReturnType<typeof openAccount>>;
let nextId = 1_000_000;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  [running, receiver] = await Promise.all([startTestResources(), startWebhookReceiver()]);
  delivering = { env: running.env, allowed: parseAllowedOrigins(receiver.hostPort) };
});
afterAll(() => Promise.all([running.close(), receiver.close()]));
beforeEach(async () => {
  account = await openAccount(running.tables.accounts, { plan: "pro", label: "Test", now: Date.now() });
});

type WithWebhook = Job & { readonly webhook: JobWebhook };

/** A stored job that has failed, or is something else, with a webhook to the receiver. */
async function aJob({ query = "", ...parts }: Partial<Job> & { query?: string } = {}): Promise<WithWebhook> {
  const id = nextId++;
  const job = anEndedJob(account, { id, url: `${receiver.origin}/to/${id}${query}`, ...parts });
  await putJob(running.tables.activity, { ...job, ...parts });
  return job;
}

const orderOf = (job: Job, parts: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  kind: "deliver",
  account_id: job.account_id,
  job_id: job.id,
  ...parts,
});
const deliver = (job: Job, parts: Partial<DeliveryRequest> = {}) => deliverWebhook(orderOf(job, parts), delivering);
const received = (job: Job) => receivedAt(receiver.origin, String(job.id));
const stored = async (job: Job) => (await findJob(running.tables.activity, job, Date.now()))?.webhook;
const replace = (job: WithWebhook, webhook: JobWebhook) => replaceWebhook(running.tables.activity, job, webhook);
const verify = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe("webhook: one that is due", () => {
  test("is delivered with the state of the job and a signature, and the delivery is stored", async () => {
    const job = await aJob();
    expect(await deliver(job)).toBeUndefined();
    const [request, ...others] = await received(job);
    expect(others).toEqual([]);
    expect(request && verify(request, account.apiKey.signing_secret)).toEqual({
      type: "capture.failed",
      timestamp: job.finished_at,
      data: expect.objectContaining({
        request_id: job.id,
        status: "failed",
        external_identifier: "order:17",
        error: jobError,
      }),
    });
    expect(request?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Screen-Capture-API/1 (webhook)",
      "webhook-id": `capture_${job.account_id}_${job.id}_${Date.parse(job.finished_at ?? "")}`,
    });
    expect(await stored(job)).toMatchObject({
      status: "delivered",
      deliveries: [{ http_status_code: 204, error: null }],
    });
  });

  test("is delivered once for several messages", async () => {
    const job = await aJob();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => deliver(job)));
    expect(await received(job)).toHaveLength(1);
    // Each of the others is looked at again when its worker must have ended, in case that one was killed.
    expect(outcomes.filter((until) => until === undefined).length).toBeGreaterThanOrEqual(1);
    expect(await deliver(job)).toBeUndefined();
    expect(await received(job)).toHaveLength(1);
  });

  test("is delivered once when all workers start in the same millisecond", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const job = await aJob();
    await Promise.all(Array.from({ length: 10 }, () => deliver(job)));
    expect(await received(job)).toHaveLength(1);
  });

  test("has an id but no signature with webhook_sign=false", async () => {
    const webhook = newWebhook({ url: `${receiver.origin}/to/unsigned`, is_signed: false, notifies_on_failure: true });
    await deliver(await aJob({ webhook }));
    const [request] = await receivedAt(receiver.origin, "unsigned");
    const names = Object.keys(request?.headers ?? {});
    expect(names.filter((name) => name.includes("webhook"))).toEqual(["webhook-id", "webhook-timestamp"]);
  });
});

describe("webhook: the signing secret", () => {
  const rotate = async () => {
    const { secrets } = issueSecrets();
    const { accounts } = running.tables;
    await updateKeyRing(accounts, account.ring.account.id, (ring) =>
      withRotatedKey(ring, account.apiKey.id, { secrets, now: Date.now() }),
    );
    return secrets.signing_secret;
  };

  test("is the new and the previous one after a key rotation", async () => {
    const job = await aJob();
    const secret = await rotate();
    await deliver(job);
    const [request] = await received(job);
    if (!request) throw new Error("Nothing came.");
    for (const known of [secret, account.apiKey.signing_secret]) expect(() => verify(request, known)).not.toThrow();
    expect(() => verify(request, `whsec_${Buffer.from("another").toString("base64")}`)).toThrow();
    expect(() => verify({ ...request, body: request.body.replace("order:17", "order:18") }, secret)).toThrow();
  });

  test("still signs after the key was revoked", async () => {
    const job = await aJob();
    const { id } = account.ring.account;
    await updateKeyRing(running.tables.accounts, id, (ring) =>
      withRevokedKey(ring, account.apiKey.id, new Date().toISOString()),
    );
    await deliver(job);
    const [request] = await received(job);
    expect(() => request && verify(request, account.apiKey.signing_secret)).not.toThrow();
    expect((await readKeyRing(running.tables.accounts, id)).keys[0]?.revoked_at).not.toBeNull();
  });
});

describe("webhook: one that the receiver does not accept", () => {
  test("is retried some seconds later with the same id", async () => {
    const job = await aJob({ query: "?answers=500,200" });
    const before = Date.now();
    const until = (await deliver(job)) ?? 0;
    expect(until).toBeGreaterThanOrEqual(before + 4_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 6_000);
    expect(await deliver(job)).toBe(until);
    expect(await received(job)).toHaveLength(1);

    const webhook = await stored(job);
    if (!webhook) throw new Error("The webhook has gone.");
    await replace({ ...job, webhook }, { ...webhook, next_at: Date.now(), version: webhook.version + 1 });
    expect(await deliver(job)).toBeUndefined();
    const requests = await received(job);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(requests).toHaveLength(2);
    expect(await stored(job)).toMatchObject({
      status: "delivered",
      deliveries: [
        { http_status_code: 500, error: "The receiver answered with 500 instead of 2xx." },
        { http_status_code: 200, error: null },
      ],
    });
  });

  test("is not retried after 410 Gone", async () => {
    const job = await aJob({ query: "?answers=410" });
    expect(await deliver(job)).toBeUndefined();
    expect(await stored(job)).toMatchObject({ status: "failed", deliveries: [{ http_status_code: 410 }] });
  });

  test("waits while another worker delivers it, which may have died", async () => {
    const job = await aJob();
    const claimed = startDeliveryAttempt(job.webhook, { holder: "somebody", now: Date.now() });
    await replace(job, claimed);
    expect(await deliver(job)).toBe(claimed.next_at);
    expect(await received(job)).toEqual([]);
  });
});

describe("webhook: a redelivered one", () => {
  test("leaves nothing to do for an earlier message", async () => {
    const job = await aJob();
    await replace(job, restartedWebhook(job.webhook));
    expect(await deliver(job, { round: 0 })).toBeUndefined();
    expect(await received(job)).toEqual([]);
    expect(await deliver(job, { round: 1 })).toBeUndefined();
    expect(await received(job)).toHaveLength(1);
  });

  test("stores both deliveries when one is running", async () => {
    const job = await aJob();
    let count = 0;
    const server = createServer(async (_, answer) => {
      const webhook = await stored(job);
      if (webhook && count++ === 0) await replace({ ...job, webhook }, restartedWebhook(webhook));
      answer.writeHead(count === 1 ? 500 : 200).end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const allowed = parseAllowedOrigins(hostPort);
    const there = { ...job.webhook, url: `http://${hostPort}/`, version: 1 };
    await replace(job, there);

    await deliverWebhook(orderOf(job, { round: 0 }), { ...delivering, allowed });
    expect(await stored(job)).toMatchObject({
      status: "pending",
      failures: 0,
      deliveries: [{ http_status_code: 500 }],
    });
    await deliverWebhook(orderOf(job, { round: 1 }), { ...delivering, allowed });
    expect(await stored(job)).toMatchObject({
      status: "delivered",
      deliveries: [{ http_status_code: 500 }, { http_status_code: 200 }],
    });
  });
});

describe("webhook: there is nothing to deliver", () => {
  test.each<[string, Partial<Job>]>([
    ["for a job that waits", { status: "queued", finished_at: null }],
    ["for a job that is being taken", { status: "processing", finished_at: null }],
    ["for a job that has no webhook", { webhook: null }],
    ["for a job of which nothing is known any more", { created_at: "2020-01-01T00:00:00.000Z" }],
  ])("%s", async (_, parts) => {
    const job = await aJob(parts);
    expect(await deliver(job)).toBeUndefined();
    expect(await received(job)).toEqual([]);
  });

  test("for an unknown job, or one of another account", async () => {
    const job = await aJob();
    expect(await deliver(job, { job_id: job.id + 1 })).toBeUndefined();
    expect(await deliver(job, { account_id: job.account_id + 1 })).toBeUndefined();
    expect(await received(job)).toEqual([]);
  });
});

describe("webhook: the deliveries of one account", () => {
  /** A receiver that answers nothing until it is let go. */
  async function aReceiver() {
    let waiting = 0;
    let arrived = () => {};
    const letGo = Promise.withResolvers<void>();
    const server = createServer(async (request, answer) => {
      request.resume();
      waiting++;
      arrived();
      await letGo.promise;
      answer.writeHead(204).end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      letGo.resolve();
      server.close();
      server.closeAllConnections();
    });
    const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const requests = (count: number) =>
      new Promise<void>((resolve) => {
        arrived = () => waiting >= count && resolve();
        arrived();
      });
    return { hostPort, requests, letGo: letGo.resolve, count: () => waiting };
  }

  const jobTo = (hostPort: string) =>
    aJob({ webhook: newWebhook({ url: `http://${hostPort}/`, is_signed: false, notifies_on_failure: true }) });
  const allowing = (hostPort: string, parts: Partial<DeliveryResources> = {}) => ({
    ...delivering,
    allowed: parseAllowedOrigins(`${receiver.hostPort},${hostPort}`),
    ...parts,
  });

  test("to slow receivers run four at a time, without delaying those of another account", async () => {
    const slow = await aReceiver();
    const jobs = await Promise.all(Array.from({ length: 6 }, () => jobTo(slow.hostPort)));
    const outcomes = jobs.map((job) => deliverWebhook(orderOf(job), allowing(slow.hostPort)));
    const before = Date.now();
    const waiting: number[] = [];
    for (const outcome of outcomes) void outcome.then((until) => until !== undefined && waiting.push(until));
    await slow.requests(4);
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const until of waiting) {
      expect(until).toBeGreaterThan(before);
      expect(until).toBeLessThanOrEqual(Date.now() + 1_000);
    }
    const tries = await Promise.all(jobs.map(async (job) => (await stored(job))?.holder));
    expect(tries.filter((holder) => holder === null)).toHaveLength(2);

    account = await openAccount(running.tables.accounts, { plan: "pro", label: "Other", now: Date.now() });
    const other = await aJob();
    expect(await deliver(other)).toBeUndefined();
    expect(await received(other)).toHaveLength(1);

    slow.letGo();
    await Promise.all(outcomes);
    for (const job of jobs) await deliverWebhook(orderOf(job), allowing(slow.hostPort));
    expect(slow.count()).toBe(6); // their slots are free again
  });

  test("back off exponentially while there is no slot", async () => {
    const slow = await aReceiver();
    const jobs = await Promise.all(Array.from({ length: 5 }, () => jobTo(slow.hostPort)));
    const [last, ...first] = jobs;
    const outcomes = first.map((job) => deliverWebhook(orderOf(job), allowing(slow.hostPort)));
    await slow.requests(4);
    const before = Date.now();
    const outcomesAfter = [0, 3, 59].map((waits) =>
      deliverWebhook(orderOf(last as Job, { waits }), allowing(slow.hostPort)),
    );
    const [none = 0, three = 0, many = 0] = (await Promise.all(outcomesAfter)).map((until) => (until ?? 0) - before);
    expect(none).toBeLessThan(2_000);
    expect(three).toBeGreaterThanOrEqual(4_000);
    expect(many).toBeGreaterThanOrEqual(30 * 60_000);
    expect(many).toBeLessThanOrEqual(61 * 60_000);
    slow.letGo();
    await Promise.all(outcomes);
  });

  test("to a receiver that has timed out for hours are not tried for some minutes, and wait about as long as it has failed", async () => {
    const hung = await aReceiver();
    const hours = 4 * 60 * 60_000;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - hours });
    onTestFinished(() => void vi.useRealTimers());
    await deliverWebhook(orderOf(await jobTo(hung.hostPort)), allowing(hung.hostPort, { timeoutMs: 50 }));
    vi.setSystemTime(Date.now() + hours);
    const now = Date.now();
    await deliverWebhook(orderOf(await jobTo(hung.hostPort)), allowing(hung.hostPort, { timeoutMs: 50 }));
    expect(hung.count()).toBe(2);
    const next = await jobTo(hung.hostPort);
    const until = (await deliverWebhook(orderOf(next), allowing(hung.hostPort, { timeoutMs: 50 }))) ?? 0;
    expect(hung.count()).toBe(2);
    expect(until - now).toBeGreaterThanOrEqual(hours / 2);
    expect(until - now).toBeLessThanOrEqual(hours + 60_000);
    vi.setSystemTime(now + 6 * 60_000);
    await deliverWebhook(orderOf(next), allowing(hung.hostPort, { timeoutMs: 50 }));
    expect(hung.count()).toBe(3);
  });

  test("to a receiver that timed out run one at a time until it responds", async () => {
    const hung = await aReceiver();
    const first = await jobTo(hung.hostPort);
    await deliverWebhook(orderOf(first), allowing(hung.hostPort, { timeoutMs: 50 }));
    expect(await stored(first)).toMatchObject({ failures: 1, deliveries: [{ http_status_code: null }] });

    const [second, third, fourth] = await Promise.all([1, 2, 3].map(() => jobTo(hung.hostPort)));
    const trying = deliverWebhook(orderOf(second as Job), allowing(hung.hostPort));
    await hung.requests(2);
    expect(await deliverWebhook(orderOf(third as Job), allowing(hung.hostPort))).toBeGreaterThan(Date.now());
    expect(await stored(third as Job)).toMatchObject({ failures: 0, deliveries: [], holder: null });
    const elsewhere = await aJob(); // other receivers of the account are not concerned
    expect(await deliverWebhook(orderOf(elsewhere), allowing(hung.hostPort))).toBeUndefined();
    expect(await received(elsewhere)).toHaveLength(1);

    hung.letGo();
    expect(await trying).toBeUndefined();
    const both = [third, fourth].map((job) => deliverWebhook(orderOf(job as Job), allowing(hung.hostPort)));
    expect(await Promise.all(both)).toEqual([undefined, undefined]);
  });
});
