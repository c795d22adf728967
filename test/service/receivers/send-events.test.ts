// Deliveries to saved receivers: signed by their own secret, logged, kept while a receiver is paused, and sent again.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import { createSigningSecret } from "../../../lib/service/keys/issue-key.ts";
import { listDeliveries, logRange } from "../../../lib/service/receivers/delivery-log.ts";
import { createReceiverId, type Receiver, withRotatedSecret } from "../../../lib/service/receivers/receiver.ts";
import {
  createReceiver,
  deleteReceiver,
  findReceiver,
  pauseReceiver,
  resumeReceiver,
  updateReceiverSecrets,
} from "../../../lib/service/receivers/receiver-store.ts";
import { sendReceiverEvents } from "../../../lib/service/receivers/send-events.ts";
import { storeEvent } from "../../../lib/service/receivers/store-event.ts";
import { countStoredEvents, listStoredEvents, putStoredEvent } from "../../../lib/service/receivers/stored-events.ts";
import { type DeliveryResources, deliverWebhook } from "../../../lib/service/webhooks/deliver-webhook.ts";
import { newWebhook, resumedWebhook } from "../../../lib/service/webhooks/webhook.ts";
import {
  type DeliveryRequest,
  isReceiverRequest,
  parseWebhookMessage,
} from "../../../lib/service/webhooks/webhook-queue.ts";
import { replaceWebhook } from "../../../lib/service/webhooks/webhook-store.ts";
import { receivedAt, startWebhookReceiver, type WebhookReceiver } from "../../fixtures/webhook-receiver.ts";
import { anEndedJob } from "../../support/ended-job.ts";
import { receiveMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let server: WebhookReceiver;
let delivering: DeliveryResources;
let env: TestResources["env"];
let account: Awaited<ReturnType<typeof openAccount>>;
let nextId = 2_000_000;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  [running, server] = await Promise.all([startTestResources(), startWebhookReceiver()]);
  env = running.env;
  delivering = { env, allowed: parseAllowedOrigins(server.hostPort) };
});
afterAll(() => Promise.all([running.close(), server.close()]));
beforeEach(async () => {
  account = await openAccount(env.ACCOUNTS_TABLE, { plan: "pro", label: "Test", now: Date.now() });
});

const secret = createSigningSecret();

async function aReceiver(query = ""): Promise<Receiver & { readonly name: string }> {
  const id = createReceiverId();
  const url = `${server.origin}/to/${id}${query}`;
  const account_id = account.ring.account.id;
  const created_at = new Date().toISOString();
  const receiver: Receiver = { id, account_id, name: id, url, status: "active", created_at };
  await createReceiver(env.ACCOUNTS_TABLE, receiver, secret);
  return receiver;
}

/** A stored job that ended `secondsAgo`, with a webhook to the receiver. */
async function aJob(receiver: Receiver, secondsAgo = 0) {
  const id = nextId++;
  const webhook = newWebhook({ url: null, receiver_id: receiver.id, is_signed: true, notifies_on_failure: true });
  const finished_at = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const job = anEndedJob(account, { id, url: "", finished_at, webhook });
  await putJob(env.ACTIVITY_TABLE, job);
  return { ...job, finished_at, status: "failed" as const };
}

type TestJob = Awaited<ReturnType<typeof aJob>>;

const deliver = (job: TestJob, parts: Partial<DeliveryRequest> = {}) =>
  deliverWebhook({ kind: "deliver", account_id: job.account_id, job_id: job.id, ...parts }, delivering);
const stored = async (job: TestJob) => (await findJob(env.ACTIVITY_TABLE, job, Date.now()))?.webhook;
async function makeRetryDue(job: TestJob): Promise<void> {
  const webhook = await stored(job);
  if (!webhook) throw new Error("The webhook has gone.");
  await replaceWebhook(
    env.ACTIVITY_TABLE,
    { ...job, webhook },
    { ...webhook, next_at: 0, version: webhook.version + 1 },
  );
}
const receivedBy = (receiver: Receiver) => receivedAt(server.origin, receiver.id);
const logOf = async (receiver: Receiver) => {
  const all = { status: undefined, before: undefined, limit: 100 };
  return (await listDeliveries(env.ACTIVITY_TABLE, receiver, all, Date.now())).deliveries;
};
const pause = (receiver: Receiver) => pauseReceiver(env.ACCOUNTS_TABLE, receiver, Date.now());

/** Resumes as the route does, and handles the message. Resolves to when the message is handled again. */
async function resume(receiver: Receiver) {
  const at = Date.now();
  await resumeReceiver(env.ACCOUNTS_TABLE, receiver, at);
  return sendStored(receiver, at);
}
const sendStored = ({ account_id, id }: Receiver, at: number) =>
  sendReceiverEvents({ kind: "resume", account_id, receiver_id: id, at }, { env });

/** The ids of the jobs whose webhooks are queued, in their order; handles the messages if `isHandled`. */
async function queued({ isHandled = false } = {}): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const messages = (await receiveMessages(env.WEBHOOK_QUEUE_URL)).map((message) =>
      parseWebhookMessage(JSON.stringify(message)),
    );
    if (messages.length === 0) return ids;
    for (const message of messages) {
      if (!("job_id" in message)) {
        if (isHandled && isReceiverRequest(message)) await sendReceiverEvents(message, { env });
        continue;
      }
      ids.push(message.job_id);
      if (isHandled) await deliverWebhook(message, delivering);
    }
  }
}

describe("receiver: a delivery", () => {
  test("is signed with the receiver's secret alone, also with the previous one after a rotation, and is logged", async () => {
    const receiver = await aReceiver();
    await deliver(await aJob(receiver));
    const next = createSigningSecret();
    await updateReceiverSecrets(env.ACCOUNTS_TABLE, receiver, (secrets) =>
      withRotatedSecret(secrets, { secret: next, now: Date.now(), overlapSeconds: 60 }),
    );
    const job = await aJob(receiver);
    await deliver(job);
    const [first, second] = await receivedBy(receiver);
    const verify = (request: typeof first, by: string) => () =>
      new Webhook(by).verify(request?.body ?? "", request?.headers as Record<string, string>);
    expect(verify(first, secret)).not.toThrow();
    for (const by of [secret, next]) expect(verify(second, by)).not.toThrow();
    expect(verify(second, account.apiKey.signing_secret)).toThrow();
    expect(await logOf(receiver)).toMatchObject([
      { type: "capture.failed", request_id: job.id, attempt: 1, http_status_code: 204, error: null },
      { http_status_code: 204 },
    ]);
    expect(await findReceiver(env.ACCOUNTS_TABLE, receiver)).toHaveProperty("last_success_at");
  });

  test("that fails is logged with the answer, and retried at the address that the receiver has then", async () => {
    const receiver = await aReceiver("?answers=500");
    const job = await aJob(receiver);
    expect(await deliver(job)).toBeGreaterThan(Date.now());
    expect(await logOf(receiver)).toMatchObject([
      { http_status_code: 500, error: "The receiver answered with 500 instead of 2xx." },
    ]);
    expect(await findReceiver(env.ACCOUNTS_TABLE, receiver)).toHaveProperty("failing_since");
  });

  test("fails for good when the receiver was deleted", async () => {
    const receiver = await aReceiver();
    const job = await aJob(receiver);
    await deleteReceiver(env.ACCOUNTS_TABLE, receiver);
    expect(await deliver(job)).toBeUndefined();
    const error = "The webhook receiver was deleted before the webhook was sent.";
    expect(await stored(job)).toMatchObject({ status: "failed", deliveries: [{ http_status_code: null, error }] });
    expect(await receivedBy(receiver)).toEqual([]);
  });

  test("to the receiver of another account is none", async () => {
    const other = await aReceiver();
    account = await openAccount(env.ACCOUNTS_TABLE, { plan: "pro", label: "Other", now: Date.now() });
    await deliver(await aJob(other));
    expect(await receivedBy(other)).toEqual([]);
  });
});

describe("receiver: while it is paused", () => {
  test("events are kept, and sent oldest first when it is resumed", async () => {
    const receiver = await aReceiver();
    await pause(receiver);
    const jobs = [await aJob(receiver, 10), await aJob(receiver, 30), await aJob(receiver, 20)];
    for (const job of jobs) expect(await deliver(job)).toBeUndefined();
    expect(await receivedBy(receiver)).toEqual([]);
    for (const job of jobs) expect(await stored(job)).toMatchObject({ status: "paused", deliveries: [] });
    const kept = await listStoredEvents(env.ACTIVITY_TABLE, receiver, 10);
    expect(kept.map(({ job_id }) => job_id)).toEqual([jobs[1]?.id, jobs[2]?.id, jobs[0]?.id]);

    expect(await resume(receiver)).toBeUndefined();
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(0);
    expect((await queued()).toSorted()).toEqual(jobs.map(({ id }) => id));
    for (const job of jobs) await deliver(job);
    expect(await receivedBy(receiver)).toHaveLength(3);
  });

  test("an event that was attempted before the pause is kept instead of retried", async () => {
    const receiver = await aReceiver("?answers=500");
    const job = await aJob(receiver);
    await deliver(job);
    await pause(receiver);
    await makeRetryDue(job);
    expect(await deliver(job)).toBeUndefined();
    expect(await receivedBy(receiver)).toHaveLength(1);
    expect(await stored(job)).toMatchObject({ status: "paused", deliveries: [{ http_status_code: 500 }] });
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(1);
  });

  test("an event whose worker dies after keeping it is sent once it is resumed", async () => {
    const receiver = await aReceiver();
    await pause(receiver);
    const job = await aJob(receiver);
    await putStoredEvent(env.ACTIVITY_TABLE, receiver, job, Date.now()); // and not marked as paused
    await resume(receiver);
    expect(await queued({ isHandled: true })).toEqual([job.id]);
    expect(await receivedBy(receiver)).toHaveLength(1);
  });

  test("an event is sent once when the worker that resumes dies before it is queued", async () => {
    const receiver = await aReceiver();
    await pause(receiver);
    const job = await aJob(receiver);
    await deliver(job);
    const webhook = await stored(job);
    if (!webhook) throw new Error("The webhook has gone.");
    await replaceWebhook(env.ACTIVITY_TABLE, { ...job, webhook }, resumedWebhook(webhook));
    await resume(receiver);
    await resume(receiver);
    await queued({ isHandled: true });
    expect(await receivedBy(receiver)).toHaveLength(1);
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(0);
  });

  test("an event that a worker keeps just when the receiver is resumed is delivered by this worker", async () => {
    const receiver = await aReceiver();
    const job = await aJob(receiver);
    expect(await storeEvent(job, receiver, env)).toBe(false);
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(0);
    await deliver(job, { round: 0 });
    expect(await receivedBy(receiver)).toHaveLength(1);
  });

  test("a resumption whose message comes before the change is stored is waited for", async () => {
    const receiver = await aReceiver();
    await pause(receiver);
    const now = Date.now();
    expect(await sendStored(receiver, now)).toBeGreaterThan(now);
    expect(await sendStored(receiver, now - 61_000)).toBeUndefined();
  });

  test("more events than one message queues are queued part by part", async () => {
    const receiver = await aReceiver();
    const keep = (id: number) =>
      putStoredEvent(env.ACTIVITY_TABLE, receiver, { id, finished_at: "2026-01-01T00:00:00.000Z" }, Date.now());
    for (const id of [1, 2, 3, 4, 5]) await keep(id); // of jobs that are gone
    const at = Date.now();
    const { account_id, id: receiver_id } = receiver;
    const handle = () =>
      sendReceiverEvents({ kind: "resume", account_id, receiver_id, at }, { env, eventsPerMessage: 2 });
    expect(await handle()).toBeGreaterThan(at);
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(3);
    expect(await handle()).toBeGreaterThan(at);
    expect(await handle()).toBeUndefined();
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(0);
  });

  test("an event is not sent after seven days", async () => {
    const receiver = await aReceiver();
    await pause(receiver);
    const job = await aJob(receiver);
    await putStoredEvent(env.ACTIVITY_TABLE, receiver, job, Date.now() - 8 * 24 * 60 * 60 * 1000);
    await resume(receiver);
    expect(await queued()).toEqual([]);
    expect(await countStoredEvents(env.ACTIVITY_TABLE, receiver)).toBe(0);
  });

  test("and then deleted, kept events end as failed", async () => {
    const receiver = await aReceiver();
    await pause(receiver);
    const job = await aJob(receiver);
    await deliver(job);
    await deleteReceiver(env.ACCOUNTS_TABLE, receiver);
    await sendStored(receiver, Date.now());
    await queued({ isHandled: true });
    expect(await stored(job)).toMatchObject({ status: "failed" });
  });
});

describe("receiver: events that are sent again", () => {
  const replay = ({ account_id, id }: Receiver, at: number, since = 0) =>
    sendReceiverEvents(
      { kind: "replay", account_id, receiver_id: id, at, ...logRange(Math.max(since, at - 86_400_000), at + 1_000) },
      { env },
    );

  test("are those of each capture, once, with the same id, whether they were delivered or not", async () => {
    const receiver = await aReceiver("?answers=410,204,204,204");
    const [failed, delivered] = [await aJob(receiver), await aJob(receiver)];
    for (const job of [failed, delivered]) await deliver(job);
    expect(await stored(failed)).toMatchObject({ status: "failed" });
    await replay(receiver, Date.now());
    expect((await queued({ isHandled: true })).toSorted()).toEqual([failed.id, delivered.id]);
    const ids = (await receivedBy(receiver)).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    expect(await stored(failed)).toMatchObject({ status: "delivered" });
  });

  test("are sent once when the message is handled twice", async () => {
    const receiver = await aReceiver();
    const job = await aJob(receiver);
    await deliver(job);
    const at = Date.now();
    await replay(receiver, at);
    await queued({ isHandled: true });
    await replay(receiver, at);
    await queued({ isHandled: true });
    expect(await receivedBy(receiver)).toHaveLength(2);
  });

  test("are those of the receiver and of the time alone", async () => {
    const [receiver, other] = [await aReceiver(), await aReceiver()];
    for (const each of [receiver, other]) await deliver(await aJob(each));
    await replay(receiver, Date.now() + 120_000, Date.now() + 60_000);
    expect(await queued()).toEqual([]);
  });
});
