// Events for the operator: the outbox, deliveries by several workers at once, retries, signatures, mails, and addresses that get nothing.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { NoSuchAccount, updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { queryItems } from "../../../lib/service/aws/items.ts";
import { operatorEventsPartition } from "../../../lib/service/aws/table-keys.ts";
import { transact } from "../../../lib/service/aws/transaction.ts";
import { deliverOperatorEvent, type EventDelivery } from "../../../lib/service/operator-events/deliver-event.ts";
import {
  findOperatorEvent,
  listPending,
  operatorEventWrites,
  readOperatorEvents,
  replaceEventWebhook,
} from "../../../lib/service/operator-events/event-store.ts";
import {
  eventTime,
  type OperatorEvent,
  type OperatorEventInput,
  operatorEvent,
} from "../../../lib/service/operator-events/operator-event.ts";
import { issueOperatorSecret, operatorSecrets } from "../../../lib/service/operator-events/operator-secret.ts";
import {
  queueEventAgain,
  queueOperatorEvent,
  queuePendingEvents,
} from "../../../lib/service/operator-events/queue-event.ts";
import { startDeliveryAttempt } from "../../../lib/service/webhooks/webhook.ts";
import { parseWebhookMessage } from "../../../lib/service/webhooks/webhook-queue.ts";
import { listen, stopListening } from "../../../lib/tools/local/loopback.ts";
import {
  type Received,
  receivedAt,
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../fixtures/webhook-receiver.ts";
import { startTestResources, type TestResources, takeMessages } from "../../support/test-resources.ts";

const HOUR_MS = 60 * 60_000;
let running: TestResources;
let receiver: WebhookReceiver;
let accounts: string;
let activity: string;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  [running, receiver] = await Promise.all([startTestResources(), startWebhookReceiver()]);
  ({ accounts, activity } = running.tables);
  process.env["WEBHOOK_QUEUE_URL"] = running.env.WEBHOOK_QUEUE_URL;
  await issueOperatorSecret(accounts, { isRotation: false, now: Date.now() });
});
afterAll(() => Promise.all([running.close(), receiver.close()]));

let nextAccount = 1_000;
const account = { label: "Acme", email: "ann@customer.example" };

/** An event of an account of its own, which is stored. */
async function anEvent(input: Partial<OperatorEventInput> = {}, now = Date.now()): Promise<OperatorEvent> {
  const data = { account, from: "starter", plan: "pro" };
  const event = operatorEvent(
    { type: "plan.requested", account_id: nextAccount++, data, ...input } as OperatorEventInput,
    now,
  );
  await transact(operatorEventWrites(activity, event));
  return event;
}

/** How an event is delivered to the receiver; `query` says what that answers. */
const toReceiver = (event: OperatorEvent, query = ""): EventDelivery => ({
  env: running.env,
  url: `${receiver.origin}/to/${event.id}${query}`,
  allowed: parseAllowedOrigins(receiver.hostPort),
});
const message = ({ id, account_id }: OperatorEvent, again?: number) => ({
  kind: "operator_event" as const,
  id,
  account_id,
  ...(again !== undefined && { again }),
});
const deliver = (event: OperatorEvent, delivery: Partial<EventDelivery> = {}, again?: number) =>
  deliverOperatorEvent(message(event, again), { ...toReceiver(event), ...delivery });
const received = (event: OperatorEvent) => receivedAt(receiver.origin, event.id);
const stored = async ({ id }: OperatorEvent) => (await findOperatorEvent(activity, id))?.webhook;
const isPending = async ({ id }: OperatorEvent) => (await listPending(activity)).some((each) => each.id === id);
const verify = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const secret = async () => (await operatorSecrets(accounts, Date.now()))[0] ?? "";

/** Makes the next attempt of an event due now. */
async function makeDue(event: OperatorEvent): Promise<void> {
  const webhook = await stored(event);
  if (!webhook) throw new Error("The event has gone.");
  const due = { ...webhook, next_at: 0, version: webhook.version + 1 };
  if (!(await replaceEventWebhook(activity, { ...event, webhook }, due))) throw new Error("Another worker was faster.");
}

describe("operator event: the outbox", () => {
  test("an event is stored with the change that it reports, or not at all", async () => {
    const { ring } = await openAccount(accounts, { plan: "pro", label: "Acme", now: Date.now() });
    const { id } = ring.account;
    const data = { account, plan: "pro" } as const;
    const event = operatorEvent({ type: "plan.continued", account_id: id, data }, Date.now());
    const change = (accountId: number) =>
      updateKeyRing(
        accounts,
        accountId,
        (current) => ({ ...current, account: { ...current.account, label: "Acme Ltd" } }),
        () => operatorEventWrites(activity, event),
      );
    await expect(change(1)).rejects.toThrow(NoSuchAccount);
    expect(await findOperatorEvent(activity, event.id)).toBeUndefined();
    await change(id);
    expect(await findOperatorEvent(activity, event.id)).toMatchObject({ ...event, webhook: { status: "pending" } });
    expect(await isPending(event)).toBe(true);
    await expect(change(id)).rejects.toThrow("further write"); // it is never replaced
  });

  test("an event that was never queued, or whose message was lost, is queued half an hour after it was due", async () => {
    const event = await anEvent();
    await takeMessages(running.env.WEBHOOK_QUEUE_URL);
    const queued = async (now: number) => {
      await queuePendingEvents(running.env, now);
      const messages = await takeMessages(running.env.WEBHOOK_QUEUE_URL);
      return messages
        .map((body) => parseWebhookMessage(JSON.stringify(body)))
        .some((each) => "id" in each && each.id === event.id);
    };
    const at = eventTime(event.id);
    expect([await queued(at + HOUR_MS / 4), await queued(at + HOUR_MS)]).toEqual([false, true]);
    const until = (await deliver(event, toReceiver(event, "?answers=500"))) ?? 0;
    expect([await queued(until), await queued(until + HOUR_MS)]).toEqual([false, true]);
    await makeDue(event);
    await deliver(event);
    expect(await queued(until + HOUR_MS)).toBe(false);
  });

  test("an event is queued for its account, and a queue that doesn't answer doesn't reject", async () => {
    const event = await anEvent();
    await takeMessages(running.env.WEBHOOK_QUEUE_URL);
    await queueOperatorEvent(event);
    expect(await takeMessages(running.env.WEBHOOK_QUEUE_URL)).toEqual([message(event)]);
    await queueEventAgain(running.env.WEBHOOK_QUEUE_URL, event, 7);
    expect(await takeMessages(running.env.WEBHOOK_QUEUE_URL)).toEqual([message(event, 7)]);
    vi.stubEnv("WEBHOOK_QUEUE_URL", "http://127.0.0.1:9/none");
    onTestFinished(() => void vi.unstubAllEnvs());
    await queueOperatorEvent(event);
  });

  test("events are read newest first, over months, page by page", async () => {
    const now = Date.UTC(2031, 5, 15);
    const times = [now - 91 * 24 * HOUR_MS, now - 80 * 24 * HOUR_MS, now - HOUR_MS, now - 1, now - 1];
    const [, ...events] = await Promise.all(times.map((at) => anEvent({}, at)));
    const found: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await readOperatorEvents(activity, { before, pageSize: 2, now });
      found.push(...page.events.map(({ id }) => id));
      before = page.next;
      if (before === undefined) break;
    }
    expect(found).toEqual(
      events
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  });
});

describe("operator event: one that is due", () => {
  test("is delivered with its facts and a signature, which a forged body doesn't have", async () => {
    const event = await anEvent();
    expect(await deliver(event)).toBeUndefined();
    const [request, ...others] = await received(event);
    if (!request) throw new Error("Nothing came.");
    expect(others).toEqual([]);
    const { id, type, created_at: timestamp, account_id, data } = event;
    expect(verify(request, await secret())).toEqual({ id, type, timestamp, account_id, data });
    expect(request.headers).toMatchObject({ "webhook-id": id, "user-agent": "Screen-Capture-API/1 (webhook)" });
    const forged = { ...request, body: request.body.replace('"pro"', '"max"') };
    expect(forged.body).not.toBe(request.body);
    const current = await secret();
    expect(() => verify(forged, current)).toThrow("No matching signature found");
    const late = { ...request, headers: { ...request.headers, "webhook-timestamp": "1700000000" } };
    expect(() => verify(late, current)).toThrow("Message timestamp too old");
    expect(await stored(event)).toMatchObject({
      status: "delivered",
      deliveries: [{ http_status_code: 204, error: null }],
    });
    expect(await isPending(event)).toBe(false);
  });

  test("is delivered once for several messages at the same time", async () => {
    const event = await anEvent();
    await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    expect(await deliver(event)).toBeUndefined();
    expect(await received(event)).toHaveLength(1);
  });

  test("waits while another worker delivers it, also when the operator asks to send it again, and is tried when that has died", async () => {
    const event = await anEvent();
    const webhook = await stored(event);
    if (!webhook) throw new Error("The event has gone.");
    const claimed = startDeliveryAttempt(webhook, { holder: "another", now: Date.now() });
    await replaceEventWebhook(activity, { ...event, webhook }, claimed);
    expect([await deliver(event), await deliver(event, {}, Date.now())]).toEqual([claimed.next_at, claimed.next_at]);
    expect(await received(event)).toEqual([]);
    await makeDue(event);
    await deliver(event);
    expect(await received(event)).toHaveLength(1);
  });

  test("is retried with the same id by the schedule of webhooks, and fails after its last attempt", async () => {
    const event = await anEvent();
    const delays: number[] = [];
    for (;;) {
      const until = await deliver(event, toReceiver(event, "?answers=500"));
      if (until === undefined) break;
      delays.push(until - Date.now());
      expect(await deliver(event)).toBe(until); // it is early
      await makeDue(event);
    }
    const minute = 60_000;
    const expected = [minute / 12, minute, 5 * minute, 15 * minute, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS];
    expect(delays.map((delay, index) => Math.abs(delay / (expected[index] ?? 0) - 1) < 0.25)).toEqual(
      expected.map(() => true),
    );
    expect(await stored(event)).toMatchObject({ status: "failed", failures: 8 });
    expect(new Set((await received(event)).map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([event.id]));
    expect(await isPending(event)).toBe(false);
  });

  test("is sent again when the operator asks for it, once for each time", async () => {
    const event = await anEvent();
    await deliver(event);
    const again = Date.now();
    await deliver(event, {}, again);
    await deliver(event, {}, again); // SQS may deliver a message twice
    expect(await received(event)).toHaveLength(2);
    await deliver(event, {}, again + 1);
    expect(await received(event)).toHaveLength(3);
  });

  test("is stored only without an address, and is sent when there is one and the operator asks for it", async () => {
    const event = await anEvent();
    expect(await deliver(event, { url: undefined })).toBeUndefined();
    expect(await stored(event)).toMatchObject({ status: "not_configured", deliveries: [] });
    expect(await isPending(event)).toBe(false);
    expect(await deliver(event)).toBeUndefined();
    expect(await received(event)).toEqual([]);
    await deliver(event, {}, Date.now());
    expect(await received(event)).toHaveLength(1);
  });

  test("is signed with each secret that is valid, for a day after a rotation", async () => {
    const previous = await secret();
    await issueOperatorSecret(accounts, { isRotation: true, now: Date.now() });
    const event = await anEvent();
    await deliver(event);
    const [request] = await received(event);
    if (!request) throw new Error("Nothing came.");
    for (const known of [await secret(), previous]) expect(() => verify(request, known)).not.toThrow();
    expect(await secret()).not.toBe(previous);
    expect(await operatorSecrets(accounts, Date.now() + 25 * HOUR_MS)).toEqual([await secret()]);
  });
});

describe("operator event: an address that gets nothing", () => {
  /** What became of an event that is to be sent there. */
  async function attempt(url: string, allowed = "") {
    const event = await anEvent();
    await deliver(event, { url, allowed: parseAllowedOrigins(allowed), timeoutMs: 2_000 });
    const { status, deliveries: [delivery] = [] } = (await stored(event)) ?? {};
    return { status, code: delivery?.http_status_code, error: delivery?.error };
  }

  /** A server on loopback that counts the connections to it. */
  async function aTrap() {
    let connections = 0;
    const server = createServer((_, answer) => void answer.end()).on("connection", () => connections++);
    const hostPort = await listen(server);
    onTestFinished(() => stopListening(server));
    return { hostPort, port: hostPort.split(":")[1] ?? "", connections: () => connections };
  }

  test("is private, however it is written, also by a name that resolves there", async () => {
    const trap = await aTrap();
    const hosts = ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "169.254.169.254"];
    const urls = hosts.flatMap((host) => [`https://${host}:${trap.port}/`, `http://${host}:${trap.port}/`]);
    for (const url of urls) {
      const outcome = await attempt(url);
      expect([url, outcome]).toEqual([
        url,
        { status: "pending", code: null, error: expect.stringMatching(/not allowed|does not resolve/) },
      ]);
    }
    expect(trap.connections()).toBe(0);
    expect(await attempt(`http://${trap.hostPort}/`, trap.hostPort)).toMatchObject({ status: "delivered" });
    expect(trap.connections()).toBe(1);
  });

  test("is where a redirect leads", async () => {
    const trap = await aTrap();
    const redirecting = createServer(
      (_, answer) => void answer.writeHead(307, { location: `http://${trap.hostPort}/` }).end(),
    );
    const hostPort = await listen(redirecting);
    onTestFinished(() => stopListening(redirecting));
    const allowed = `${hostPort},${trap.hostPort}`;
    expect(await attempt(`http://${hostPort}/`, allowed)).toMatchObject({ status: "pending", code: 307 });
    expect(trap.connections()).toBe(0);
    expect(await attempt(`http://${trap.hostPort}/`, allowed)).toMatchObject({ status: "delivered" });
    expect(trap.connections()).toBe(1);
  });
});

test("operator event: nothing stored or sent has a secret of the operator or of the customer", async () => {
  const { ring, apiKey, key } = await openAccount(accounts, { plan: "pro", label: "Acme", now: Date.now() });
  const event = await anEvent({ account_id: ring.account.id });
  await deliver(event, toReceiver(event, "?answers=500"));
  const items = await queryItems(
    activity,
    operatorEventsPartition(new Date(eventTime(event.id)).toISOString().slice(0, 7)),
  );
  const seen = JSON.stringify([items, await received(event)]);
  expect(seen).toContain(event.id);
  for (const text of [...(await operatorSecrets(accounts, Date.now())), apiKey.signing_secret, apiKey.hash, key])
    expect(seen).not.toContain(text);
});

describe("operator event: mails", () => {
  /** Types of the mails that are queued for events. */
  async function mailed(events: readonly OperatorEvent[]): Promise<string[]> {
    vi.stubEnv("QUOTA_ALERT_QUEUE_URL", running.env.RENDER_QUEUE_URL);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const event of events) await deliver(event, { url: undefined });
    const types: string[] = [];
    for (let messages = await takeMessages(running.env.RENDER_QUEUE_URL); messages.length > 0; ) {
      types.push(...messages.map((each) => (each as { operator_event: OperatorEvent }).operator_event.type));
      messages = await takeMessages(running.env.RENDER_QUEUE_URL);
    }
    return types;
  }

  const invoice = {
    account,
    number: "SC-1",
    period: { start: "2026-01-01T00:00:00.000Z", end: "2026-02-01T00:00:00.000Z" },
    plan: "pro",
    currency: "usd",
    total: "49.01",
  } as const;

  test("one is queued for each event, however often it is delivered, and none for a closed invoice", async () => {
    const event = await anEvent();
    const closed = await anEvent({ type: "invoice.closed", data: invoice });
    const overdue = await anEvent({ type: "invoice.overdue", data: invoice });
    expect(await mailed([event, event, closed, overdue])).toEqual(["plan.requested", "invoice.overdue"]);
  });

  test("an owner causes five in a day, and overdue invoices come on top", async () => {
    const account_id = nextAccount++;
    const events = [];
    for (let count = 0; count < 8; count++) events.push(await anEvent({ account_id }));
    events.push(await anEvent({ account_id, type: "invoice.overdue", data: invoice }));
    const types = await mailed(events);
    expect(types.filter((type) => type === "plan.requested")).toHaveLength(5);
    expect(types.filter((type) => type === "invoice.overdue")).toHaveLength(1);
    expect((await findOperatorEvent(activity, events[7]?.id ?? ""))?.mail).toBe("over_limit");
  });
});
