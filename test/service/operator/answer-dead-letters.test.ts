// What the function `dead-letters` answers the operator's function.
import { CreateQueueCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sqs } from "../../../lib/service/aws/clients/sqs.ts";
import { answerDeadLetters } from "../../../lib/service/operator/answer-dead-letters.ts";
import { countMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
  const { QueueUrl = "" } = await sqs().send(new CreateQueueCommand({ QueueName: "dead-webhooks" }));
  const address = new URL(running.env.WEBHOOK_QUEUE_URL).origin;
  const variables = { ...running.env, WEBHOOK_DEAD_LETTER_QUEUE_URL: `${address}${new URL(QueueUrl).pathname}` };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, String(value));
});
afterAll(() => running.close());

test("dead letters: at most a hundred are listed at once, and all are kept", async () => {
  const QueueUrl = running.env.FAILED_RENDER_QUEUE_URL;
  for (let batch = 0; batch < 11; batch++) {
    const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: "<xml>" }));
    await sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
  const listed = await answerDeadLetters({ operation: "list", queue: "renders" });
  expect(listed).toHaveLength(100);
  expect(await countMessages(QueueUrl)).toBe(110);
});

test.each([
  ["another operation", { operation: "purge", queue: "renders" }],
  ["another queue", { operation: "list", queue: "quota-alerts" }],
  ["more than a request has", { operation: "list", queue: "renders", queue_url: "http://other.test/queue" }],
  ["no request", {}],
])("dead letters: an event with %s is refused", async (_, event) => {
  await expect(answerDeadLetters(event)).rejects.toThrow("Invalid");
});

test("dead letters: nothing is answered in a stage without operators, whose function doesn't know the queues", async () => {
  vi.stubEnv("WEBHOOK_DEAD_LETTER_QUEUE_URL", undefined);
  await expect(answerDeadLetters({ operation: "list", queue: "webhooks" })).rejects.toThrow(
    "WEBHOOK_DEAD_LETTER_QUEUE_URL",
  );
});
