// Messages of the webhook queue that have to wait: delayed messages, schedules, and what happens where no schedule can be created.

import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type LaterResources, sendLater } from "../../../lib/service/webhooks/send-later.ts";
import { parseWebhookMessage } from "../../../lib/service/webhooks/webhook-queue.ts";
import { messageOf } from "../../../lib/tools/local/scheduler/schedule.ts";
import { openScheduler, type Scheduler } from "../../../lib/tools/local/scheduler/scheduler.ts";
import { startSchedulerApi } from "../../../lib/tools/local/scheduler/scheduler-api.ts";
import {
  countDelayedMessages,
  receiveMessages,
  startTestResources,
  type TestResources,
} from "../../support/test-resources.ts";

let running: TestResources;
let scheduler: Scheduler;
let env: LaterResources;
let closeAll: () => Promise<unknown>;
/** What Scheduler answers in place of the engine. */
let outage: { readonly status: number; readonly code: string } | undefined;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  running = await startTestResources();
  const { WEBHOOK_QUEUE_URL } = running.env;
  scheduler = await openScheduler({
    dataDir: mkdtempSync(join(tmpdir(), "schedules-")),
    sqsEndpoint: new URL(WEBHOOK_QUEUE_URL).origin,
    maySend: () => true,
    onLog: () => {},
  });
  const api = await startSchedulerApi(scheduler);
  const front = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (outage) return response.writeHead(outage.status, { "x-amzn-ErrorType": outage.code }).end("{}");
    const answer = await fetch(`${api.endpoint}${request.url}`, { method: request.method ?? "", body });
    const headers = { "x-amzn-ErrorType": answer.headers.get("x-amzn-ErrorType") ?? "" };
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await once(front.listen(0, "127.0.0.1"), "listening");
  process.env["AWS_ENDPOINT_URL_SCHEDULER"] = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  env = {
    WEBHOOK_QUEUE_URL,
    WEBHOOK_SCHEDULE_GROUP: "group",
    WEBHOOK_SCHEDULE_ROLE_ARN: "arn:aws:iam::000000000000:role/sender",
    WEBHOOK_DEAD_LETTER_QUEUE_ARN: "arn:aws:sqs:us-east-1:000000000000:dead",
  };
  closeAll = async () => {
    front.close();
    front.closeAllConnections();
    await api.stop();
    await scheduler.stop();
    await running.close();
  };
});
afterAll(() => closeAll());
beforeEach(() => {
  outage = undefined;
});

const MINUTE_MS = 60_000;
let nextJob = 1;
const aMessage = () => ({ kind: "deliver", account_id: 7, job_id: nextJob++, round: 0, waits: 3 }) as const;
const inMinutes = (minutes: number) => Date.now() + minutes * MINUTE_MS;

test("webhook: waits for up to 15 minutes as a delayed message", async () => {
  const before = await countDelayedMessages(env.WEBHOOK_QUEUE_URL);
  for (const minutes of [-1, 0.5, 14.9]) await sendLater(aMessage(), inMinutes(minutes), env);
  expect(await countDelayedMessages(env.WEBHOOK_QUEUE_URL)).toBe(before + 3);
  expect(scheduler.list()).toEqual([]);
});

test("webhook: waits for longer as a schedule, which sends the message to its account's group", async () => {
  const message = aMessage();
  await sendLater(message, inMinutes(60), env);
  const [schedule] = scheduler.list();
  expect(schedule && messageOf(schedule)).toMatchObject({ MessageGroupId: "7" });
  expect(schedule).toMatchObject({
    GroupName: "group",
    Target: { DeadLetterConfig: { Arn: env.WEBHOOK_DEAD_LETTER_QUEUE_ARN } },
  });
  await scheduler.advance(61 * MINUTE_MS);
  expect(await receiveMessages(env.WEBHOOK_QUEUE_URL)).toEqual([message]);
});

test("webhook: two messages that wait for the same attempt make one schedule, and those of another time or round their own", async () => {
  const message = aMessage();
  const until = inMinutes(120);
  for (const waits of [3, 5]) await sendLater({ ...message, waits }, until, env);
  expect(scheduler.list()).toHaveLength(1);
  await sendLater({ ...message, round: 1 }, until, env);
  await sendLater(message, until + 2_000, env);
  expect(scheduler.list()).toHaveLength(3);
  await scheduler.advance(24 * 60 * MINUTE_MS);
  await receiveMessages(env.WEBHOOK_QUEUE_URL);
});

test.each([
  { status: 429, code: "ThrottlingException" },
  { status: 402, code: "ServiceQuotaExceededException" },
  { status: 500, code: "InternalServerException" },
  { status: 403, code: "AccessDeniedException" },
])("webhook: waits as a delayed message where Scheduler answers $code", async (answer) => {
  outage = answer;
  const before = await countDelayedMessages(env.WEBHOOK_QUEUE_URL);
  await sendLater(aMessage(), inMinutes(240), env);
  expect(await countDelayedMessages(env.WEBHOOK_QUEUE_URL)).toBe(before + 1);
  expect(scheduler.list()).toEqual([]);
});

test("webhook: what Scheduler leaves in the dead-letter queue is read as the message that it could not send", () => {
  const message = aMessage();
  const call = { QueueUrl: env.WEBHOOK_QUEUE_URL, MessageBody: JSON.stringify(message), MessageGroupId: "7" };
  expect(parseWebhookMessage(JSON.stringify(call))).toEqual(message);
});
