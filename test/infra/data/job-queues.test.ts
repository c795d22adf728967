// The render and webhook queues, their dead-letter queues and event source mappings.
import { describe, expect, test } from "vitest";
import { stageConfig, stageNames } from "../../../lib/infra/stages.ts";
import { MAX_DELIVERIES_PER_ACCOUNT } from "../../../lib/service/webhooks/delivery-slots.ts";
import { everySetting } from "../every-setting.ts";
import { appWith, fileOf, functionsOf, type Resource, readable, resources, templatesOf } from "../synthesized.ts";

const { data, service } = templatesOf("prod");
const queues = new Map(resources(data, "AWS::SQS::Queue").map(([id, queue]) => [id.slice(0, -8), { ...queue, id }]));
const properties = (name: string): Resource["Properties"] => queues.get(name)?.Properties;
const DAY_S = 24 * 60 * 60;

describe.each([
  ["Render", "render", 50, "jobConcurrency", 1],
  ["Webhook", "webhook", 100, "webhookConcurrency", 6],
] as const)("the queue %s", (name, file, receives, concurrency, times) => {
  const queue = properties(`Queues${name}`);
  const [, mapping] = resources(service, "AWS::Lambda::EventSourceMapping").find(([, { Properties }]) =>
    readable(Properties.EventSourceArn).includes(`<Queues${name}>`),
  ) ?? ["", { Properties: {} }];

  test(`has ${times} times the timeout of its function as its visibility timeout`, () => {
    expect(queue.VisibilityTimeout).toBe(times * functionsOf(service).get(file)?.Properties.Timeout);
  });

  test(`moves a message to the dead-letter queue after ${receives} receives, and keeps it there for two weeks`, () => {
    const { deadLetterTargetArn, maxReceiveCount } = queue.RedrivePolicy;
    expect(maxReceiveCount).toBe(receives);
    expect(readable(deadLetterTargetArn)).toMatch(`<Queues${name}DeadLetters`);
    expect(properties(`Queues${name}DeadLetters`).MessageRetentionPeriod).toBe(14 * DAY_S);
  });

  test("delivers one message at a time, up to the concurrency of the stage, and takes partial batch responses", () => {
    expect(mapping.Properties).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: stageConfig("prod")[concurrency] },
    });
    expect(invokedFile(mapping)).toBe(file);
  });
});

test("queues: the message of a capture that was never rendered fails it, and is kept for the operator for two weeks", () => {
  const queue = properties("QueuesRenderDeadLetters");
  const [, mapping] = resources(service, "AWS::Lambda::EventSourceMapping").find(([, { Properties }]) =>
    readable(Properties.EventSourceArn).includes("QueuesRenderDeadLetters"),
  ) ?? ["", { Properties: {} }];
  expect(invokedFile(mapping)).toBe("dead-letters");
  expect(queue.VisibilityTimeout).toBe(6 * functionsOf(service).get("dead-letters")?.Properties.Timeout);
  expect(readable(queue.RedrivePolicy.deadLetterTargetArn)).toMatch("<QueuesFailedRenders");
  expect(properties("QueuesFailedRenders").MessageRetentionPeriod).toBe(14 * DAY_S);
});

test.each(stageNames)("queues: the concurrency of the stage %s is in the range that Lambda accepts", (stage) => {
  for (const concurrency of ["jobConcurrency", "webhookConcurrency"] as const) {
    expect(stageConfig(stage)[concurrency]).toBeGreaterThanOrEqual(2);
    expect(stageConfig(stage)[concurrency]).toBeLessThanOrEqual(1000); // above, provisioned pollers cost by the hour
  }
  // One account never has all of them.
  expect(stageConfig(stage).webhookConcurrency).toBeGreaterThan(MAX_DELIVERIES_PER_ACCOUNT);
});

test("queues: more than 1,000 executions are started by provisioned pollers, of which each starts ten", () => {
  const mappings = resources(templatesOf(everySetting).service, "AWS::Lambda::EventSourceMapping");
  const [, renders] =
    mappings.find(([, { Properties }]) => readable(Properties.EventSourceArn).includes("<QueuesRender>")) ?? [];
  expect(renders?.Properties.ProvisionedPollerConfig).toEqual({ MinimumPollers: 2, MaximumPollers: 250 });
  expect(renders?.Properties.ScalingConfig).toBeUndefined();
  expect(() => appWith({ ...stageConfig("dev"), jobConcurrency: 20_001 })).toThrow(
    "A queue's function can have 20000 executions at once, not 20001. Use another stage for the rest.",
  );
});

test("queues: a capture that waits for long is not lost before it is rendered or fails", () => {
  expect(properties("QueuesRender").MessageRetentionPeriod).toBe(14 * DAY_S);
});

test("queues: options outlive the messages of failed captures, which the operator can capture again until the last day", () => {
  const [[, bucket] = []] = resources(data, "AWS::S3::Bucket");
  const rules: { Prefix?: string; ExpirationInDays?: number }[] = bucket?.Properties.LifecycleConfiguration.Rules;
  const optionDays = rules.find(({ Prefix }) => Prefix === "options/")?.ExpirationInDays ?? 0;
  const kept = ["QueuesRenderDeadLetters", "QueuesFailedRenders"].map(
    (name) => properties(name).MessageRetentionPeriod,
  );
  expect(optionDays * DAY_S).toBeGreaterThan(kept[0] + kept[1]);
});

test("queues: messages are encrypted, and TLS is required", () => {
  for (const [, { Properties }] of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
  const policies = resources(data, "AWS::SQS::QueuePolicy").map(([, policy]) => policy.Properties.PolicyDocument);
  expect(policies).toHaveLength(queues.size);
  for (const { Statement } of policies) {
    expect(Statement).toMatchObject([
      { Effect: "Deny", Action: "sqs:*", Condition: { Bool: { "aws:SecureTransport": "false" } } },
    ]);
  }
});

test("queues: production retains its queues when its stack is deleted", () => {
  for (const [, { DeletionPolicy }] of queues) expect(DeletionPolicy).toBe("RetainExceptOnCreate");
  const [[, disposable] = []] = resources(templatesOf("dev").data, "AWS::SQS::Queue");
  expect(disposable?.DeletionPolicy).toBe("Delete");
});

/** The function whose live version a mapping invokes. Its name is cut from the ARN of the alias. */
function invokedFile({ Properties }: Pick<Resource, "Properties">): string {
  const [, alias] = /"Ref":"(\w+?)Live[0-9A-F]{8}"/.exec(JSON.stringify(Properties.FunctionName)) ?? [];
  return fileOf(`${alias}________`);
}

test("queues: the messages of webhooks are kept for two weeks", () => {
  expect(properties("QueuesWebhook").MessageRetentionPeriod).toBe(14 * DAY_S);
});

test("queues: schedules of webhooks send with a role that may do nothing else, and that only Scheduler can use, for this stage's group", () => {
  const [[groupId] = []] = resources(data, "AWS::Scheduler::ScheduleGroup");
  const [, role] = resources(data, "AWS::IAM::Role").find(([id]) => id.startsWith("QueuesWebhookSchedulesRole")) ?? [];
  expect(role?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Action: "sts:AssumeRole",
      Effect: "Allow",
      Principal: { Service: "scheduler.amazonaws.com" },
      Condition: {
        StringEquals: {
          "aws:SourceAccount": { Ref: "AWS::AccountId" },
          "aws:SourceArn": { "Fn::GetAtt": [groupId, "Arn"] },
        },
      },
    },
  ]);
  const policies = resources(data, "AWS::IAM::Policy").filter(([id]) => id.startsWith("QueuesWebhookSchedulesRole"));
  const statements = policies.flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
  expect(statements.map(({ Action, Resource }: Resource["Properties"]) => [Action, Resource.map(readable)])).toEqual([
    [
      "sqs:SendMessage",
      [expect.stringContaining("QueuesWebhook"), expect.stringContaining("QueuesWebhookDeadLetters")],
    ],
  ]);
});

test("queues: Lambda lets webhooks wait, and steps of account data go on, by a new message as often as it takes, and stops all other loops", () => {
  const continues = ["webhook", "account-data"];
  for (const [file, { Properties }] of functionsOf(service)) {
    expect([file, Properties.RecursiveLoop]).toEqual([file, continues.includes(file) ? "Allow" : undefined]);
  }
});
