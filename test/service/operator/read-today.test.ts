// What the operator sees of the service today, apart from its log: queues, the canary, and filter lists.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sqs } from "../../../lib/service/aws/clients/sqs.ts";
import { storeCanaryOutcome } from "../../../lib/service/health/canary-store.ts";
import type { OperatorLog } from "../../../lib/service/logs/operator-log.ts";
import { readToday, type todayVariables } from "../../../lib/service/operator/read-today.ts";
import type { Environment } from "../../../lib/service/platform/environment.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");

let running: TestResources;
let env: Pick<Environment, (typeof todayVariables)[number]>;
let lists: string;
beforeAll(async () => {
  running = await startTestResources();
  const { QueueUrl = "" } = await sqs().send(new CreateQueueCommand({ QueueName: "dead-webhooks" }));
  const address = new URL(running.env.WEBHOOK_QUEUE_URL).origin;
  env = { ...running.env, WEBHOOK_DEAD_LETTER_QUEUE_URL: `${address}${new URL(QueueUrl).pathname}` };
  lists = mkdtempSync(join(tmpdir(), "lists-"));
  writeFileSync(join(lists, "lists.json"), JSON.stringify([{ date: "2026-11-01" }, { date: "2026-11-20" }]));
  vi.stubEnv("BLOCKING_FILES", lists);
});
afterAll(async () => {
  rmSync(lists, { recursive: true });
  await running.close();
});

/** A day with captures, of which some failed. */
const log: OperatorLog = {
  findRequest: async () => [],
  summarizeCaptures: async () => ({
    captures: 10,
    failures: [
      { code: "TARGET_HTTP_ERROR", blame: "target", count: 2 },
      { code: "INTERNAL_ERROR", blame: "us", count: 1 },
    ],
    p50Ms: 800,
    p95Ms: 4_000,
    rendererStarts: 3,
  }),
};
const today = () => readToday(env, log, NOW);

test("today: captures are since midnight UTC, and those that did not fail succeeded", async () => {
  expect(await today()).toMatchObject({ since: "2026-11-30T00:00:00.000Z", captures: 10, succeeded: 7, p50_ms: 800 });
});

test("today: counts what waits, also with a delay, and what failed", async () => {
  const send = (QueueUrl: string, DelaySeconds = 0) =>
    sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: "{}", DelaySeconds }));
  await Promise.all([
    send(env.RENDER_QUEUE_URL),
    send(env.RENDER_QUEUE_URL, 60),
    send(env.WEBHOOK_QUEUE_URL),
    send(env.FAILED_RENDER_QUEUE_URL),
    send(env.WEBHOOK_DEAD_LETTER_QUEUE_URL),
    send(env.WEBHOOK_DEAD_LETTER_QUEUE_URL),
  ]);
  expect(await today()).toMatchObject({
    jobs_waiting: 2,
    webhooks_waiting: 1,
    dead_letters: { renders: 1, webhooks: 2 },
  });
});

test("today: the age of filter lists is that of the newest", async () => {
  expect((await today()).filter_lists).toEqual({ date: "2026-11-20", age_days: 10 });
});

test("today: the canary's outcome is that of its last capture, and unknown before the first and 16 minutes after the last", async () => {
  expect((await today()).canary).toEqual({ at: null, outcome: "unknown" });
  for (const [is_right, checked_at, outcome] of [
    [true, "2026-11-30T11:30:00.000Z", "unknown"],
    [true, "2026-11-30T11:53:00.000Z", "success"],
    [false, "2026-11-30T11:58:00.000Z", "failed"],
  ] as const) {
    await storeCanaryOutcome(env.ACTIVITY_TABLE, { is_right, checked_at });
    expect((await today()).canary).toEqual({ at: checked_at, outcome });
  }
});
