// The data stack: tables, bucket and queues.
import type { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { stageConfig, stageNames } from "../../../lib/infra/stages.ts";
import { internalPrefixes, lifetimeClasses } from "../../../lib/service/results/lifetime-class.ts";
import { sample, sampled } from "../../support/slow-run.ts";
import { everySetting } from "../every-setting.ts";
import { appWith, only, resources, templatesOf } from "../synthesized.ts";

const { data: dev } = templatesOf("dev");
const { data: prod } = templatesOf("prod");

const STATEFUL = ["AccountsTableF2DFB3F6", "ActivityTable9455E29F", "ResultsBucket46167C27", "UsageTableADB4B05A"];

const QUEUES = [
  "QueuesAccountDataCB31CE9F",
  "QueuesAccountDataDeadLettersF3CC7FF2",
  "QueuesFailedRendersFFE6C209",
  "QueuesQuotaAlertDeadLetters2FE85F4B",
  "QueuesQuotaAlerts35E60A1A",
  "QueuesRenderA1DD4690",
  "QueuesRenderDeadLetters1537E8C2",
  "QueuesWebhook39A029B7",
  "QueuesWebhookDeadLetters1EC2F9F8",
];

test.each(stageNames)(
  "data stack: tables and bucket of %s keep their logical ids, because a new id is an empty table",
  (stage) => {
    const { data } = templatesOf(stage);
    const ids = [...resources(data, "AWS::DynamoDB::GlobalTable"), ...resources(data, "AWS::S3::Bucket")].map(
      ([id]) => id,
    );
    expect(ids.toSorted()).toEqual(STATEFUL);
  },
);

test.each(stageNames)(
  "data stack: queues of %s keep their logical ids, because a new id is an empty queue",
  (stage) => {
    const ids = resources(templatesOf(stage).data, "AWS::SQS::Queue").map(([id]) => id);
    expect(ids.toSorted()).toEqual(QUEUES);
  },
);

test("stack names contain the stage", () => {
  const { data, service } = appWith("prod");
  expect([data.stackName, service.stackName]).toEqual(["screen-capture-prod-data", "screen-capture-prod-service"]);
});

test("data stack: production retains its tables and its bucket when its stack is deleted", () => {
  expect(appWith("prod").data.terminationProtection).toBe(true);
  expect(resources(prod, "AWS::S3::Bucket").map(([, bucket]) => bucket.DeletionPolicy)).toEqual([
    "RetainExceptOnCreate",
  ]);
  for (const [, table] of resources(prod, "AWS::DynamoDB::GlobalTable")) {
    expect(table.DeletionPolicy).toBe("Retain"); // a protected table can't be deleted, not even by a rollback
    expect(table.Properties.Replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  }
});

sampled(test, 2).each(["dev", "prod"] as const)(
  "first deployment of %s: its service can be created again after a failure",
  (stage) => {
    const { service, app } = appWith(stage);
    expect(service.terminationProtection).not.toBe(true);
    const account = Template.fromStack(app.node.findChild("screen-capture-account") as Stack);
    for (const template of [templatesOf(stage).service, account]) {
      const kept = Object.values(template.toJSON()["Resources"] as Record<string, { DeletionPolicy?: string }>);
      expect(kept.filter(({ DeletionPolicy }) => DeletionPolicy === "Retain")).toEqual([]);
    }
  },
);

describe.each(sample(["dev", "prod"] as const, 2))("stage %s: a setting can be turned off", (stage) => {
  const { mail } = everySetting;

  test("mail: the data stack, which is deployed first, keeps what the service imports until it is deployed", () => {
    const before = templatesOf({ ...stageConfig(stage), mail });
    const after = templatesOf(stage);
    expect(importsOf(before.service).filter((name) => !exportsOf(after.data).includes(name))).toEqual([]);
    expect(importsOf(before.service).length).toBeGreaterThan(importsOf(after.service).length);
  });

  test("static egress: the service can be deployed before the data stack, as the documentation says", () => {
    const before = templatesOf({ ...stageConfig(stage), staticEgress: { natGateways: 1 } });
    const after = templatesOf(stage);
    expect(importsOf(after.service).filter((name) => !exportsOf(before.data).includes(name))).toEqual([]);
  });
});

test("data stack: exports what functions can use even if none does, so that a version can stop using it", () => {
  const exports = exportsOf(dev).map((name) => name.replace(/^.*:ExportsOutput(Ref|FnGetAtt)/, ""));
  for (const id of [...STATEFUL, ...QUEUES.filter((queue) => !queue.includes("QuotaAlertDeadLetters"))]) {
    expect(exports.filter((name) => name.startsWith(id)).length).toBeGreaterThan(1);
  }
});

test("data stack: a disposable stage retains nothing", () => {
  const kept = Object.values(dev.toJSON()["Resources"] as Record<string, { DeletionPolicy?: string }>).filter(
    ({ DeletionPolicy }) => DeletionPolicy?.startsWith("Retain"),
  );
  expect(kept).toEqual([]);
});

test("data stack: its outputs name all that the operator's commands need", () => {
  const outputs = Object.keys(dev.findOutputs("*")).filter((name) => !name.startsWith("ExportsOutput"));
  expect(outputs.toSorted()).toEqual([
    "AccountDataQueue",
    "AccountsTable",
    "ActivityTable",
    "FailedRenders",
    "RenderQueue",
    "ResultsBucket",
    "SecretsKey",
    "UsageTable",
    "WebhookDeadLetters",
    "WebhookQueue",
  ]);
});

test("data stack: the KMS key of secrets rotates, and is kept where a stage protects its data", () => {
  const keyOf = (template: typeof dev) => resources(template, "AWS::KMS::Key").map(([, key]) => key);
  expect(keyOf(prod)).toMatchObject([
    { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain", Properties: { EnableKeyRotation: true } },
  ]);
  expect(keyOf(dev)).toMatchObject([
    { DeletionPolicy: "Delete", Properties: { EnableKeyRotation: true, PendingWindowInDays: 7 } },
  ]);
});

describe("tables", () => {
  const tables = new Map(
    resources(dev, "AWS::DynamoDB::GlobalTable").map(([id, { Properties }]) => [id.slice(0, -13), Properties]),
  );

  test.each(["Accounts", "Usage", "Activity"])("%s has string keys and on-demand billing", (name) => {
    expect(tables.get(name)).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    });
  });

  test.each(["Accounts", "Usage", "Activity"])("%s has no secondary index", (name) => {
    expect(tables.get(name)).not.toHaveProperty("GlobalSecondaryIndexes");
    expect(tables.get(name)).not.toHaveProperty("LocalSecondaryIndexes");
  });

  // Of the Accounts table, only sessions and links to sign in have the attribute; see account-store.test.ts.
  test("all have a time to live, for the items that have one", () => {
    const expiring = [...tables].filter(([, table]) => table.TimeToLiveSpecification?.AttributeName === "ttl");
    expect(expiring.map(([name]) => name)).toEqual(["Accounts", "Usage", "Activity"]);
  });
});

describe("results bucket", () => {
  const bucket = only(dev, "AWS::S3::Bucket");
  const policy = only(dev, "AWS::S3::BucketPolicy").PolicyDocument.Statement;

  test("expires each lifetime class a day after its longest lifetime", () => {
    const rules = bucket.LifecycleConfiguration.Rules.filter((rule: { Prefix?: string }) => rule.Prefix);
    expect(rules).toEqual(
      [...lifetimeClasses, ...Object.values(internalPrefixes)].map(({ name, days }) => ({
        Id: `expire-${name}`,
        Prefix: `${name}/`,
        ExpirationInDays: days + 1,
        Status: "Enabled",
      })),
    );
  });

  test("aborts incomplete uploads after a day", () => {
    expect(bucket.LifecycleConfiguration.Rules).toContainEqual({
      Id: "abort-incomplete-uploads",
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      Status: "Enabled",
    });
  });

  test("allows cross-origin reads of results, with ranges and readable headers", () => {
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

  test("is encrypted, and denies requests without TLS", () => {
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

  test("denies overwriting objects but those of the status page, so that the content behind a link never changes", () => {
    expect(policy).toContainEqual({
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "s3:PutObject",
      NotResource: { "Fn::Join": ["", [{ "Fn::GetAtt": ["ResultsBucket46167C27", "Arn"] }, "/status/*"]] },
      Condition: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
    });
  });

  test("allows nothing in its bucket policy", () => {
    expect(policy.filter(({ Effect }: { Effect: string }) => Effect !== "Deny")).toEqual([]);
  });
});

test("data stack: has no function", () => {
  expect(resources(dev, "AWS::Lambda::Function")).toEqual([]);
});

/** Names of the values that a stack exports. */
function exportsOf(template: Template): string[] {
  const outputs = Object.values(template.toJSON()["Outputs"] as Record<string, { Export?: { Name: string } }>);
  return outputs.flatMap((output) => output.Export?.Name ?? []);
}

/** Names of the values of other stacks that a stack imports. */
function importsOf(template: Template): string[] {
  const names = JSON.stringify(template.toJSON()).matchAll(/"Fn::ImportValue":"([^"]+)"/g);
  return [...new Set([...names].map(([, name = ""]) => name))];
}
