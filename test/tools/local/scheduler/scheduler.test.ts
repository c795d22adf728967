// The local engine of EventBridge Scheduler, called with the SDK: what it sends and when, restarts, and what it refuses.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  SchedulerClient,
} from "@aws-sdk/client-scheduler";
import { type Message, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { sqs } from "../../../../lib/service/aws/clients/sqs.ts";
import { clientOptions } from "../../../../lib/tools/local/engines/client-options.ts";
import { openScheduler, type SchedulerOptions } from "../../../../lib/tools/local/scheduler/scheduler.ts";
import { startSchedulerApi } from "../../../../lib/tools/local/scheduler/scheduler-api.ts";
import { startTestResources, type TestResources } from "../../../support/test-resources.ts";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());

const HOUR_MS = 60 * 60 * 1000;

/** An engine with the schedules of a folder, and a client of its API. */
async function anEngine(parts: Partial<SchedulerOptions> = {}) {
  const queueUrl = running.env.WEBHOOK_QUEUE_URL;
  const scheduler = await openScheduler({
    dataDir: parts.dataDir ?? mkdtempSync(join(tmpdir(), "schedules-")),
    sqsEndpoint: new URL(queueUrl).origin,
    maySend: () => true,
    onLog: () => {},
    ...parts,
  });
  const api = await startSchedulerApi(scheduler);
  scheduler.start();
  const client = new SchedulerClient(clientOptions(api.endpoint));
  const stop = async () => {
    client.destroy();
    await api.stop();
    await scheduler.stop();
  };
  onTestFinished(stop);
  return { scheduler, api, client, stop };
}

let nextName = 1;

/** A schedule that is due in an hour, or after `inMs`. */
function aSchedule({ inMs = HOUR_MS, ...parts }: Partial<CreateScheduleCommandInput> & { inMs?: number } = {}) {
  const due = new Date(Date.now() + inMs).toISOString().slice(0, 19);
  const Name = `schedule-${nextName++}`;
  return {
    Name,
    GroupName: "webhooks",
    ScheduleExpression: `at(${due})`,
    FlexibleTimeWindow: { Mode: "OFF" as const },
    ActionAfterCompletion: "DELETE" as const,
    Target: {
      Arn: "arn:aws:scheduler:::aws-sdk:sqs:sendMessage",
      RoleArn: "arn:aws:iam::000000000000:role/sender",
      Input: JSON.stringify({
        QueueUrl: "http://an.earlier.address:1/000000000000/webhooks",
        MessageBody: Name,
        MessageGroupId: "7",
        MessageAttributes: { account: { DataType: "String", StringValue: "7" } },
      }),
    },
    ...parts,
  };
}

/** The messages that the queue hands out now. */
async function received(): Promise<Message[]> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: running.env.WEBHOOK_QUEUE_URL,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ["All"],
      VisibilityTimeout: 3600,
    }),
  );
  return Messages;
}
const bodies = async () => (await received()).map(({ Body }) => Body);

test("local scheduler: a schedule sends its message with its group when its time comes, and is deleted", async () => {
  const { client, scheduler } = await anEngine();
  const [first, second] = [aSchedule(), aSchedule({ inMs: 2 * HOUR_MS })];
  for (const each of [second, first]) await client.send(new CreateScheduleCommand(each));
  await scheduler.advance(HOUR_MS - 60_000);
  expect(await received()).toEqual([]);
  await scheduler.advance(2 * 60_000);
  expect(await received()).toMatchObject([{ Body: first.Name, MessageAttributes: { account: { StringValue: "7" } } }]);
  expect(scheduler.list().map(({ Name }) => Name)).toEqual([second.Name]);
  await scheduler.advance(HOUR_MS);
  expect(await bodies()).toEqual([second.Name]);
});

test("local scheduler: a schedule that is due by the real clock needs no test to advance it", async () => {
  const { client } = await anEngine();
  const schedule = aSchedule({ inMs: 1_000 });
  await client.send(new CreateScheduleCommand(schedule));
  await vi.waitFor(async () => expect(await bodies()).toEqual([schedule.Name]), { timeout: 5_000, interval: 50 });
});

test("local scheduler: schedules survive a restart, and what came due meanwhile is sent at once", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "schedules-"));
  const before = await anEngine({ dataDir });
  const [due, later] = [aSchedule({ inMs: 1_000 }), aSchedule()];
  for (const each of [due, later]) await before.client.send(new CreateScheduleCommand(each));
  await before.stop();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const after = await anEngine({ dataDir });
  await expect.poll(bodies).toEqual([due.Name]);
  expect(after.scheduler.list()).toMatchObject([later]);
});

test("local scheduler: one schedule of a name is created, which can be read and deleted", async () => {
  const { client, scheduler } = await anEngine();
  const schedule = aSchedule();
  const ids = { Name: schedule.Name, GroupName: schedule.GroupName };
  await client.send(new CreateScheduleCommand(schedule));
  await expect(client.send(new CreateScheduleCommand(schedule))).rejects.toMatchObject({ name: "ConflictException" });
  expect(await client.send(new GetScheduleCommand(ids))).toMatchObject({ Target: schedule.Target });
  await client.send(new DeleteScheduleCommand(ids));
  const missing = { name: "ResourceNotFoundException" };
  await expect(client.send(new GetScheduleCommand(ids))).rejects.toMatchObject(missing);
  await expect(client.send(new DeleteScheduleCommand(ids))).rejects.toMatchObject(missing);
  await scheduler.advance(2 * HOUR_MS);
  expect(await received()).toEqual([]);
});

test("local scheduler: delivers twice where that is asked for, as Scheduler may", async () => {
  const { client, scheduler } = await anEngine({ sendsTwice: true });
  const schedule = aSchedule();
  await client.send(new CreateScheduleCommand(schedule));
  await scheduler.advance(2 * HOUR_MS);
  expect(await bodies()).toEqual([schedule.Name, schedule.Name]);
});

test("local scheduler: sends nothing with a role that may not send", async () => {
  const asked: string[][] = [];
  const { client, scheduler } = await anEngine({
    maySend: (...question) => {
      asked.push(question);
      return false;
    },
  });
  await client.send(new CreateScheduleCommand(aSchedule()));
  await scheduler.advance(2 * HOUR_MS);
  expect(asked).toEqual([[expect.stringContaining("role/sender"), expect.stringContaining("/webhooks")]]);
  expect(await received()).toEqual([]);
});

test("local scheduler: tests list the schedules and advance their clock over HTTP", async () => {
  const { client, api } = await anEngine();
  const schedule = aSchedule();
  await client.send(new CreateScheduleCommand(schedule));
  expect(await (await fetch(`${api.endpoint}/local/schedules`)).json()).toMatchObject([{ Name: schedule.Name }]);
  const body = JSON.stringify({ advance_ms: 2 * HOUR_MS });
  await fetch(`${api.endpoint}/local/clock`, { method: "POST", body });
  expect(await bodies()).toEqual([schedule.Name]);
});

test.each<[string, object]>([
  ["a rate", { ScheduleExpression: "rate(5 minutes)" }],
  ["a time zone", { ScheduleExpressionTimezone: "Europe/Berlin" }],
  ["a flexible time", { FlexibleTimeWindow: { Mode: "FLEXIBLE", MaximumWindowInMinutes: 5 } }],
  ["another target", { Target: { Arn: "arn:aws:sqs:us-east-1:000000000000:webhooks", RoleArn: "r", Input: "{}" } }],
  ["a schedule that stays", { ActionAfterCompletion: "NONE" }],
])("local scheduler: refuses %s, which it does not play", async (_, parts) => {
  const { client } = await anEngine();
  const command = new CreateScheduleCommand(aSchedule(parts));
  await expect(client.send(command)).rejects.toMatchObject({ name: "ValidationException" });
});
