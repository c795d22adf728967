// A receiver that fails for a day is paused, its account is told, and no event of that time is lost: with the service's own code and
// stores, and a clock that the tests move.

import { CreateQueueCommand } from "@aws-sdk/client-sqs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { sqs } from "../../../lib/service/aws/clients/sqs.ts";
import { findJob, putJob } from "../../../lib/service/jobs/job-store.ts";
import { mailText } from "../../../lib/service/mail/mail-text.ts";
import { MAX_PAUSE_MAILS, pauseIfFailing } from "../../../lib/service/receivers/pause-failing.ts";
import { pauseMail } from "../../../lib/service/receivers/pause-notice.ts";
import {
  automaticReceiverId,
  createReceiverId,
  MAX_FAILING_MS,
  MIN_FAILING_MINUTES,
  type Receiver,
} from "../../../lib/service/receivers/receiver.ts";
import {
  createReceiver,
  findReceiver,
  listAutomaticReceivers,
  pauseAs,
  resumeReceiver,
  storeAutomaticFailure,
} from "../../../lib/service/receivers/receiver-store.ts";
import { sendReceiverEvents } from "../../../lib/service/receivers/send-events.ts";
import { countStoredEvents, listEndedEvents, putStoredEvent } from "../../../lib/service/receivers/stored-events.ts";
import { type DeliveryResources, deliverWebhook } from "../../../lib/service/webhooks/deliver-webhook.ts";
import { newWebhook, restartedWebhook } from "../../../lib/service/webhooks/webhook.ts";
import {
  enqueueReceiverChange,
  isReceiverRequest,
  parseWebhookMessage,
  type WebhookMessage,
} from "../../../lib/service/webhooks/webhook-queue.ts";
import { replaceWebhook } from "../../../lib/service/webhooks/webhook-store.ts";
import { receivedAt, startWebhookReceiver, type WebhookReceiver } from "../../fixtures/webhook-receiver.ts";
import { anEndedJob } from "../../support/ended-job.ts";
import { startTestResources, type TestResources, takeMessages } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
let account: Awaited<ReturnType<typeof openAccount>>;
let server: WebhookReceiver;
let delivering: DeliveryResources;
let notices: string;
/** What the receiver answers. */
let status = 204;
/** Messages that wait, with the time at which each comes again. */
let waiting: { readonly message: WebhookMessage; readonly until: number }[] = [];
let nextId = 3_000_000;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  running = await startTestResources();
  env = running.env;
  const { QueueUrl = "" } = await sqs().send(new CreateQueueCommand({ QueueName: "notices" }));
  notices = `${new URL(env.WEBHOOK_QUEUE_URL).origin}${new URL(QueueUrl).pathname}`;
  process.env["QUOTA_ALERT_QUEUE_URL"] = notices;
});
afterAll(() => running.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  account = await openAccount(env.ACCOUNTS_TABLE, { plan: "pro", label: "Test", now: Date.now() });
  // A server of its own for each test: an automatic receiver is one for each origin.
  server = await startWebhookReceiver(() => status);
  delivering = { env, allowed: parseAllowedOrigins(server.hostPort) };
  status = 503;
  waiting = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Handles what is queued, and what has waited long enough, until nothing is left for now. */
async function work(): Promise<void> {
  for (;;) {
    vi.setSystemTime(Date.now() + 2_000); // messages that follow a change have a delay of one second
    const queued = (await takeMessages(env.WEBHOOK_QUEUE_URL)).map((body) => parseWebhookMessage(JSON.stringify(body)));
    const due = waiting.filter(({ until }) => until <= Date.now()).map(({ message }) => message);
    waiting = waiting.filter(({ until }) => until > Date.now());
    if (queued.length + due.length === 0) return;
    for (const message of [...queued, ...due]) {
      if (!isReceiverRequest(message) && !("job_id" in message)) throw new Error("It is about no receiver and no job.");
      const until =
        "job_id" in message ? await deliverWebhook(message, delivering) : await sendReceiverEvents(message, { env });
      if (until !== undefined) waiting.push({ message, until });
    }
  }
}

/** Lets time pass, in steps, and handles what comes due. */
async function pass(milliseconds: number, stepMs = HOUR_MS): Promise<void> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    vi.setSystemTime(Math.min(end, Date.now() + stepMs));
    await work();
  }
}

/** A stored job that has just ended, with a webhook that is due, after so many failed attempts. */
async function anEvent(receiver?: Receiver, failures = 0) {
  const id = nextId++;
  const to = receiver ? { url: null, receiver_id: receiver.id } : { url: `${server.origin}/to/${id}?secret=1` };
  const webhook = { ...newWebhook({ ...to, is_signed: false, notifies_on_failure: true }), failures };
  const job = anEndedJob(account, { id, url: "", webhook });
  await putJob(env.ACTIVITY_TABLE, job);
  waiting.push({ message: { kind: "deliver", account_id: job.account_id, job_id: id, round: 0 }, until: 0 });
  await work();
  return job;
}
const anEndingEvent = () => anEvent(undefined, 7);
type Event = Awaited<ReturnType<typeof anEvent>>;

async function aReceiver(): Promise<Receiver> {
  const id = createReceiverId();
  const receiver: Receiver = {
    id,
    account_id: account.ring.account.id,
    name: "Orders",
    url: `${server.origin}/to/${id}`,
    status: "active",
    created_at: new Date().toISOString(),
  };
  await createReceiver(env.ACCOUNTS_TABLE, receiver, "whsec_1");
  return receiver;
}

const automatic = () => ({ account_id: account.ring.account.id, id: automaticReceiverId(server.origin) });
const receiverNow = (ids: { account_id: number; id: string } = automatic()) => findReceiver(env.ACCOUNTS_TABLE, ids);
const stored = async (job: Event) => (await findJob(env.ACTIVITY_TABLE, job, Date.now()))?.webhook;
const statuses = (jobs: readonly Event[]) => Promise.all(jobs.map(async (job) => (await stored(job))?.status));
const received = async (job: Event) => (await receivedAt(server.origin, String(job.id))).length;

/** Resumes a receiver as the route does. */
async function resume(ids: { account_id: number; id: string } = automatic()): Promise<void> {
  const at = Date.now();
  await resumeReceiver(env.ACCOUNTS_TABLE, ids, at);
  waiting.push({ message: { kind: "resume", account_id: ids.account_id, receiver_id: ids.id, at }, until: 0 });
  await work();
}

describe("receiver: one that fails for a day", () => {
  test("is paused, and every event of that time is kept and sent when it is resumed: ended ones, waiting ones, and new ones", async () => {
    const events: Event[] = [await anEndingEvent()];
    expect(await statuses(events)).toEqual(["failed"]);
    for (let hour = 0; hour < 24; hour += 6) {
      events.push(await anEvent());
      await pass(6 * HOUR_MS, 2 * HOUR_MS);
    }
    await pass(3 * HOUR_MS);
    expect(await receiverNow()).toMatchObject({ status: "paused", paused_by: "automatic", url: server.origin });
    expect(await stored(events[0] as Event)).toMatchObject({ status: "paused" });

    events.push(await anEvent());
    expect(await stored(events.at(-1) as Event)).toMatchObject({ status: "paused", deliveries: [] });
    await pass(20 * HOUR_MS, 5 * HOUR_MS); // the last schedule of the others comes due
    expect(new Set(await statuses(events))).toEqual(new Set(["paused"]));
    expect(await countStoredEvents(env.ACTIVITY_TABLE, automatic())).toBe(events.length);

    status = 204;
    await resume();
    await work();
    expect(new Set(await statuses(events))).toEqual(new Set(["delivered"]));
    expect(await countStoredEvents(env.ACTIVITY_TABLE, automatic())).toBe(0);
    expect(await receiverNow()).toMatchObject({ status: "active" });
    expect((await receiverNow())?.paused_by).toBeUndefined();
  }, 60_000);

  test("and is a saved one is paused, too; its own log says what failed", async () => {
    const receiver = await aReceiver();
    for (let hour = 0; hour < 27; hour += 9) {
      await anEvent(receiver);
      await pass(9 * HOUR_MS, 2 * HOUR_MS);
    }
    expect(await receiverNow(receiver)).toMatchObject({ status: "paused", paused_by: "automatic" });
    expect(await receiverNow()).toBeUndefined(); // the origin has no receiver of its own
  }, 60_000);

  test("is not paused when it has accepted one in between, and what had failed before stays failed", async () => {
    const first = await anEndingEvent();
    await failForADay(20 * HOUR_MS);
    expect(await stored(first)).toMatchObject({ status: "failed" });
    status = 204;
    await anEvent();
    expect((await receiverNow())?.failing_since).toBeUndefined();
    status = 503;
    await failForADay(20 * HOUR_MS);
    expect(await receiverNow()).toMatchObject({ status: "active" });
    await failForADay(8 * HOUR_MS);
    expect(await receiverNow()).toMatchObject({ status: "paused" });
    status = 204;
    await resume();
    expect(await stored(first)).toMatchObject({ status: "failed" });
  }, 60_000);

  test("is not paused for a few failures that are a day apart", async () => {
    for (let day = 0; day < 3; day++) {
      const { account_id, id } = automatic();
      const receiver = await storeAutomaticFailure(env.ACCOUNTS_TABLE, { account_id, url: server.origin }, Date.now());
      if (receiver) await pauseIfFailing(receiver, Date.now(), env);
      expect(await receiverNow({ account_id, id })).toMatchObject({ status: "active", failing_minutes: day + 1 });
      vi.setSystemTime(Date.now() + DAY_MS);
    }
  });

  test("counts the failures of a minute once, however many workers store them", async () => {
    const { account_id } = automatic();
    const fail = () => storeAutomaticFailure(env.ACCOUNTS_TABLE, { account_id, url: server.origin }, Date.now());
    await Promise.all([fail(), fail(), fail(), fail()]);
    expect(await receiverNow()).toMatchObject({ failing_minutes: 1 });
  });

  test("gets a day again after it was resumed", async () => {
    await failForADay();
    expect(await receiverNow()).toMatchObject({ status: "paused" });
    await resume();
    await pass(20 * HOUR_MS, 10 * HOUR_MS);
    expect(await receiverNow()).toMatchObject({ status: "active" });
  }, 60_000);

  test("does not keep an event that its receiver wants no more of, with 410", async () => {
    await failForADay(20 * HOUR_MS);
    status = 410;
    const gone = await anEvent();
    status = 503;
    await failForADay(8 * HOUR_MS);
    expect(await receiverNow()).toMatchObject({ status: "paused" });
    expect(await stored(gone)).toMatchObject({ status: "failed" });
  }, 60_000);
});

describe("receiver: the account of one that is paused", () => {
  test("is told once, without the path and the query of the address", async () => {
    await receiveNotices();
    await failForADay();
    await pass(HOUR_MS);
    expect(await receiveNotices()).toEqual([
      {
        account_id: account.ring.account.id,
        paused_receiver: {
          id: automatic().id,
          name: server.origin,
          origin: server.origin,
          failing_since: expect.any(String),
          is_last: false,
        },
      },
    ]);
  }, 60_000);

  test(`gets ${MAX_PAUSE_MAILS} e-mails a day, of which the last one says so`, async () => {
    await receiveNotices();
    const { account_id } = automatic();
    const now = Date.now();
    for (let index = 0; index < MAX_PAUSE_MAILS + 2; index++) {
      const url = `https://receiver-${index}.example`;
      for (let minutes = MIN_FAILING_MINUTES; minutes > 0; minutes--)
        await storeAutomaticFailure(
          env.ACCOUNTS_TABLE,
          { account_id, url },
          now - MAX_FAILING_MS - minutes * MINUTE_MS,
        );
      const receiver = await storeAutomaticFailure(env.ACCOUNTS_TABLE, { account_id, url }, now);
      if (receiver) await pauseIfFailing(receiver, now, env);
    }
    await pass(HOUR_MS);
    const told = (await receiveNotices()) as { readonly paused_receiver: { readonly is_last: boolean } }[];
    expect(told.map(({ paused_receiver }) => paused_receiver.is_last)).toEqual([
      ...Array.from({ length: MAX_PAUSE_MAILS - 1 }, () => false),
      true,
    ]);
    const listed = await listAutomaticReceivers(env.ACCOUNTS_TABLE, account_id);
    expect(listed.map((receiver) => receiver.status)).toEqual(
      Array.from({ length: MAX_PAUSE_MAILS + 2 }, () => "paused"),
    );
  });

  test("reads what to do, and a name cannot write lines of the mail", () => {
    const receiver = { id: "rcv_1", name: "Orders\nBcc: x", origin: "https://a.example", is_last: false };
    const failing_since = "2026-11-21T06:00:00.000Z";
    const text = mailText(pauseMail({ ...receiver, failing_since }, "https://api.test"));
    expect(text).toContain("“Orders Bcc: x” (https://a.example) has been accepted since November 21, 2026");
    expect(text).toContain("https://api.test/app/webhooks?receiver=rcv_1");
  });
});

describe("receiver: while ended events are kept", () => {
  test("a message of the pause that comes twice changes nothing", async () => {
    const event = await anEndingEvent();
    await failForADay();
    const receiver = await receiverNow();
    const at = Date.parse(receiver?.paused_at ?? "");
    waiting.push({
      message: { kind: "pause", account_id: event.account_id, receiver_id: automatic().id, at },
      until: 0,
    });
    await work();
    status = 204;
    await resume();
    expect(await stored(event)).toMatchObject({ status: "delivered" });
    const before = await received(event);
    await resume();
    expect(await received(event)).toBe(before);
  }, 60_000);

  test("more of them than one message handles are handled part by part", async () => {
    const event = await anEndingEvent();
    const receiver = await receiverNow();
    if (!receiver?.failing_since) throw new Error("The receiver is not failing.");
    const { failing_since } = receiver;
    const gone = { finished_at: "2026-01-01T00:00:00.000Z", failing_since }; // older than the event, of jobs that are gone
    for (let id = 1; id <= 200; id++) await putStoredEvent(env.ACTIVITY_TABLE, receiver, { id, ...gone }, Date.now());
    const now = Date.now();
    await enqueueReceiverChange(env.WEBHOOK_QUEUE_URL, { kind: "pause", at: now }, receiver);
    await pauseAs(env.ACCOUNTS_TABLE, receiver, "account", now);
    await work();
    expect(await stored(event)).toMatchObject({ status: "paused" });
    expect(await listEndedEvents(env.ACTIVITY_TABLE, receiver, { limit: 10 })).toEqual([]);
  }, 60_000);

  test("an event that its account has sent again meanwhile is not taken back", async () => {
    const event = await anEndingEvent();
    const webhook = await stored(event);
    expect(webhook).toMatchObject({ status: "failed" });
    if (!webhook) return;
    const restarted = restartedWebhook(webhook);
    await replaceWebhook(env.ACTIVITY_TABLE, { ...event, webhook }, { ...restarted, status: "delivered" });
    await failForADay();
    expect(await receiverNow()).toMatchObject({ status: "paused" });
    expect(await stored(event)).toMatchObject({ status: "delivered" });
  }, 60_000);

  test("a resumption that is faster than the keeping sends them", async () => {
    const event = await anEndingEvent();
    expect(await stored(event)).toMatchObject({ status: "failed" });
    const receiver = await receiverNow();
    if (!receiver) throw new Error("The receiver is unknown.");
    await pauseAs(env.ACCOUNTS_TABLE, receiver, "account", Date.now()); // without the message that follows
    status = 204;
    await resume();
    expect(await stored(event)).toMatchObject({ status: "delivered" });
  }, 60_000);
});

/**
 * Lets the receiver fail for a time, by default so long that it is paused: in as many minutes as that takes, and at the end with what
 * has come due, and with a new event.
 */
async function failForADay(milliseconds = 27 * HOUR_MS): Promise<void> {
  const end = Date.now() + milliseconds;
  for (let minute = 0; minute < MIN_FAILING_MINUTES; minute++) {
    const { account_id } = automatic();
    await storeAutomaticFailure(env.ACCOUNTS_TABLE, { account_id, url: server.origin }, Date.now());
    vi.setSystemTime(Date.now() + MINUTE_MS);
  }
  await pass(end - Date.now(), milliseconds);
  await anEvent();
}

async function receiveNotices(): Promise<unknown[]> {
  const all: unknown[] = [];
  for (;;) {
    const some = await takeMessages(notices);
    if (some.length === 0) return all;
    all.push(...some);
  }
}
