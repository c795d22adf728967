// Tables, bucket and queues.
import { describe, expect, test } from "vitest";
import { stageNames } from "../../../lib/infra/stages.ts";
import { lifetimeClasses, resultPrefixes } from "../../../lib/results/expiry.ts";
import { appWith, only, resources, templatesOf } from "../synthesized.ts";

const { data: dev } = templatesOf("dev");
const { data: prod } = templatesOf("prod");

const STATEFUL = ["AccountsTableF2DFB3F6", "ActivityTable9455E29F", "ResultsBucket46167C27", "UsageTableADB4B05A"];

const QUEUES = [
  "QueuesRenderA1DD4690",
  "QueuesRenderDeadLetters1537E8C2",
  "QueuesWebhook39A029B7",
  "QueuesWebhookDeadLetters1EC2F9F8",
];

test.each(stageNames)("tables and bucket of %s keep their logical ids, for a new id is an empty table", (stage) => {
  const { data } = templatesOf(stage);
  const ids = [...resources(data, "AWS::DynamoDB::GlobalTable"), ...resources(data, "AWS::S3::Bucket")].map(
    ([id]) => id,
  );
  expect(ids.toSorted()).toEqual(STATEFUL);
});

test.each(stageNames)("queues of %s keep their logical ids, for a new id is an empty queue", (stage) => {
  const ids = resources(templatesOf(stage).data, "AWS::SQS::Queue").map(([id]) => id);
  expect(ids.toSorted()).toEqual(QUEUES);
});

test("stacks carry their stage in their names", () => {
  const { data, service } = appWith("prod");
  expect([data.stackName, service.stackName]).toEqual(["screen-capture-prod-data", "screen-capture-prod-service"]);
});

test("production survives the deletion of its stack, its tables and its bucket", () => {
  const { data, service } = appWith("prod");
  expect([data, service].map((stack) => stack.terminationProtection)).toEqual([true, true]);
  expect(resources(prod, "AWS::S3::Bucket").map(([, bucket]) => bucket.DeletionPolicy)).toEqual(["Retain"]);
  for (const [, table] of resources(prod, "AWS::DynamoDB::GlobalTable")) {
    expect(table.DeletionPolicy).toBe("Retain");
    expect(table.Properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  }
});

test("another stage leaves nothing behind", () => {
  const kept = Object.values(dev.toJSON()["Resources"] as Record<string, { DeletionPolicy?: string }>).filter(
    ({ DeletionPolicy }) => DeletionPolicy === "Retain",
  );
  expect(kept).toEqual([]);
});

test("the operator's commands find every name among the outputs", () => {
  const outputs = Object.keys(dev.findOutputs("*")).filter((name) => !name.startsWith("ExportsOutput"));
  expect(outputs.toSorted()).toEqual([
    "AccountsTable",
    "ActivityTable",
    "RenderDeadLetters",
    "RenderQueue",
    "ResultsBucket",
    "UsageTable",
  ]);
});

describe("tables", () => {
  const tables = new Map(
    resources(dev, "AWS::DynamoDB::GlobalTable").map(([id, { Properties }]) => [id.slice(0, -13), Properties]),
  );

  test.each(["Accounts", "Usage", "Activity"])("%s has string keys and is paid by request", (name) => {
    expect(tables.get(name)).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    });
  });

  test.each(["Accounts", "Usage", "Activity"])("%s is found by its own keys alone", (name) => {
    expect(tables.get(name)).not.toHaveProperty("GlobalSecondaryIndexes");
    expect(tables.get(name)).not.toHaveProperty("LocalSecondaryIndexes");
  });

  test("counters and logs fade, accounts do not", () => {
    const expiring = [...tables].filter(([, table]) => table.TimeToLiveSpecification?.AttributeName === "ttl");
    expect(expiring.map(([name]) => name)).toEqual(["Usage", "Activity"]);
  });
});

describe("bucket of results", () => {
  const bucket = only(dev, "AWS::S3::Bucket");
  const policy = only(dev, "AWS::S3::BucketPolicy").PolicyDocument.Statement;

  test("lets each lifetime class expire a day after its longest lifetime", () => {
    const rules = bucket.LifecycleConfiguration.Rules.filter((rule: { Prefix?: string }) => rule.Prefix);
    expect(rules).toEqual(
      [...lifetimeClasses, ...Object.values(resultPrefixes)].map(({ name, days }) => ({
        Id: `expire-${name}`,
        Prefix: `${name}/`,
        ExpirationInDays: days + 1,
        Status: "Enabled",
      })),
    );
  });

  test("forgets uploads that were never completed", () => {
    expect(bucket.LifecycleConfiguration.Rules).toContainEqual({
      Id: "abort-incomplete-uploads",
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      Status: "Enabled",
    });
  });

  test("lets any page read results by their links, in ranges too, and see what they are", () => {
    expect(bucket.CorsConfiguration.CorsRules).toEqual([
      {
        AllowedMethods: ["GET", "HEAD"],
        AllowedOrigins: ["*"],
        AllowedHeaders: ["If-None-Match", "If-Range", "Range"],
        ExposedHeaders: ["Accept-Ranges", "Content-Disposition", "Content-Range", "ETag"],
        MaxAge: 86_400,
      },
    ]);
  });

  test("is encrypted, and refuses requests without TLS", () => {
    const [{ ServerSideEncryptionByDefault }] = bucket.BucketEncryption.ServerSideEncryptionConfiguration;
    expect(ServerSideEncryptionByDefault).toEqual({ SSEAlgorithm: "AES256" });
    expect(policy).toContainEqual({
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "s3:*",
      Resource: expect.arrayContaining([{ "Fn::GetAtt": ["ResultsBucket46167C27", "Arn"] }]),
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    });
  });

  test("takes new objects only, so that what is behind a link stays what it was", () => {
    expect(policy).toContainEqual({
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "s3:PutObject",
      Resource: { "Fn::Join": ["", [{ "Fn::GetAtt": ["ResultsBucket46167C27", "Arn"] }, "/*"]] },
      Condition: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
    });
  });

  test("lets nobody in by its own policy", () => {
    expect(policy.filter(({ Effect }: { Effect: string }) => Effect !== "Deny")).toEqual([]);
  });
});

test("nothing runs in the stack of the data", () => {
  expect(resources(dev, "AWS::Lambda::Function")).toEqual([]);
});
