// What IAM is asked for the calls to each service, as the SDK sends them.
import { expect, test } from "vitest";
import type { AccessRequest } from "../../../../lib/tools/local/iam/evaluate.ts";
import type { KnownResources, ReadCall } from "../../../../lib/tools/local/iam/requests/aws-call.ts";
import { readDynamoDbCall } from "../../../../lib/tools/local/iam/requests/dynamodb.ts";
import { readKmsCall } from "../../../../lib/tools/local/iam/requests/kms.ts";
import { readLambdaCall } from "../../../../lib/tools/local/iam/requests/lambda.ts";
import { readAbsence, readS3Call } from "../../../../lib/tools/local/iam/requests/s3.ts";
import { readSchedulerCall } from "../../../../lib/tools/local/iam/requests/scheduler.ts";
import { readSesCall } from "../../../../lib/tools/local/iam/requests/ses.ts";
import { readSqsCall } from "../../../../lib/tools/local/iam/requests/sqs.ts";
import { readStsCall } from "../../../../lib/tools/local/iam/requests/sts.ts";

const partitionKeys: Readonly<Record<string, string>> = { "Items/": "pk", "Items/byOwner": "owner" };
const resources: KnownResources = {
  partitionKey: (table, index = "") => partitionKeys[`${table}/${index}`],
  hasBucket: (name) => name === "results",
};

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

function read(reader: ReadCall, { method = "POST", url = "/", headers = {}, body = "" }: Sent): AccessRequest[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return reader({ method, url, headers, body: Buffer.from(text) }, resources);
}

/** Action, last part of the resource, and the conditions without that of TLS, which every request has. */
function summaries(requests: readonly AccessRequest[]): unknown[] {
  return requests.map(({ action, resource, context: { "aws:SecureTransport": tls, ...context } }) => {
    expect(tls).toEqual(["true"]);
    return [action, resource.split(":").at(-1), ...Object.values(context).flat()];
  });
}

const dynamodb = (operation: string, body: object) =>
  summaries(read(readDynamoDbCall, { headers: { "x-amz-target": `DynamoDB_20120810.${operation}` }, body }));

test("requests of DynamoDB: an action on one item has its partition key", () => {
  const Key = { pk: { S: "A#1" }, sk: { S: "x" } };
  expect(dynamodb("GetItem", { TableName: "Items", Key })).toEqual([["dynamodb:GetItem", "table/Items", "A#1"]]);
  expect(dynamodb("PutItem", { TableName: "Items", Item: Key })).toEqual([["dynamodb:PutItem", "table/Items", "A#1"]]);
  expect(dynamodb("UpdateItem", { TableName: "Items", Key: { pk: { N: "7" } } })).toEqual([
    ["dynamodb:UpdateItem", "table/Items", "7"],
  ]);
  const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Items";
  expect(dynamodb("DeleteItem", { TableName: arn, Key })).toEqual([["dynamodb:DeleteItem", "table/Items", "A#1"]]);
});

test.each<[condition: string, names: object]>([
  ["pk = :pk", {}],
  ["#p=:pk AND begins_with(sk, :start)", { "#p": "pk" }],
  ["sk BETWEEN :start AND :end and (:pk = #p)", { "#p": "pk" }],
  ["sk <= :start AND #p = :pk", { "#p": "pk" }],
])("requests of DynamoDB: a query with the key condition %s has its partition key", (KeyConditionExpression, names) => {
  const ExpressionAttributeValues = { ":pk": { S: "A#1" }, ":start": { S: "B#2" }, ":end": { S: "C" } };
  const query = { TableName: "Items", KeyConditionExpression, ExpressionAttributeValues };
  expect(dynamodb("Query", { ...query, ExpressionAttributeNames: names })).toEqual([
    ["dynamodb:Query", "table/Items", "A#1"],
  ]);
});

test("requests of DynamoDB: a query of an index has the partition key of the index", () => {
  const query = {
    ...{ TableName: "Items", IndexName: "byOwner", KeyConditionExpression: "#o = :o AND pk = :p" },
    ExpressionAttributeNames: { "#o": "owner" },
    ExpressionAttributeValues: { ":o": { S: "me" }, ":p": { S: "A#1" } },
  };
  expect(dynamodb("Query", query)).toEqual([["dynamodb:Query", "table/Items/index/byOwner", "me"]]);
});

test("requests of DynamoDB: a transaction is judged by the actions in it, each with all keys that it has in the table", () => {
  const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: "-" } });
  const items = [
    { Put: { TableName: "Items", Item: Key("A#1") } },
    { Update: { TableName: "Items", Key: Key("B#1") } },
    { Delete: { TableName: "Items", Key: Key("C#1") } },
    { ConditionCheck: { TableName: "Items", Key: Key("D#1") } },
  ];
  expect(dynamodb("TransactWriteItems", { TransactItems: items })).toEqual([
    ["dynamodb:PutItem", "table/Items", "A#1", "B#1", "C#1", "D#1"],
    ["dynamodb:UpdateItem", "table/Items", "A#1", "B#1", "C#1", "D#1"],
    ["dynamodb:DeleteItem", "table/Items", "A#1", "B#1", "C#1", "D#1"],
    ["dynamodb:ConditionCheckItem", "table/Items", "A#1", "B#1", "C#1", "D#1"],
  ]);
  expect(dynamodb("TransactGetItems", { TransactItems: [{ Get: { TableName: "Items", Key: Key("A#1") } }] })).toEqual([
    ["dynamodb:GetItem", "table/Items", "A#1"],
  ]);
});

test("requests of DynamoDB: a batch has all partition keys of a table at once", () => {
  const Key = (pk: string) => ({ pk: { S: pk } });
  expect(dynamodb("BatchGetItem", { RequestItems: { Items: { Keys: [Key("A#1"), Key("B#1")] } } })).toEqual([
    ["dynamodb:BatchGetItem", "table/Items", "A#1", "B#1"],
  ]);
  const writes = [{ PutRequest: { Item: Key("A#1") } }, { DeleteRequest: { Key: Key("B#1") } }];
  expect(dynamodb("BatchWriteItem", { RequestItems: { Items: writes } })).toEqual([
    ["dynamodb:BatchWriteItem", "table/Items", "A#1", "B#1"],
  ]);
});

test("requests of DynamoDB: a scan has no partition keys, as on AWS", () => {
  expect(dynamodb("Scan", { TableName: "Items" })).toEqual([["dynamodb:Scan", "table/Items"]]);
});

test.each<[what: string, operation: string, body: object]>([
  ["an unknown operation", "ExecuteStatement", { Statement: 'SELECT * FROM "Items"' }],
  ["an unknown table", "GetItem", { TableName: "Other", Key: { pk: { S: "A#1" } } }],
  ["a key without its partition", "GetItem", { TableName: "Items", Key: { sk: { S: "A#1" } } }],
  ["a query without its partition", "Query", { TableName: "Items", KeyConditionExpression: "sk = :pk" }],
  [
    "an unknown action in a transaction",
    "TransactWriteItems",
    { TransactItems: [{ Replace: { TableName: "Items" } }] },
  ],
])("requests of DynamoDB: cannot be judged for %s", (_, operation, body) => {
  expect(() => dynamodb(operation, body)).toThrow();
});

const s3 = (method: string, url: string, headers: Readonly<Record<string, string>> = {}, body = "") =>
  summaries(read(readS3Call, { method, url, headers, body }));

test.each<[call: string, headers: Readonly<Record<string, string>>, expected: readonly string[]]>([
  ["GET /results/1-day/a?x-id=GetObject", {}, ["s3:GetObject"]],
  ["HEAD /results/1-day/a", {}, ["s3:GetObject"]],
  ["GET /results/1-day/a?tagging", {}, ["s3:GetObjectTagging"]],
  ["GET /results/1-day/a?uploadId=u", {}, ["s3:ListMultipartUploadParts"]],
  ["DELETE /results/1-day/a", {}, ["s3:DeleteObject"]],
  ["DELETE /results/1-day/a?uploadId=u", {}, ["s3:AbortMultipartUpload"]],
  [
    "PUT /results/1-day/a",
    { "x-amz-tagging": "a=b", "x-amz-acl": "private" },
    ["s3:PutObject", "s3:PutObjectTagging", "s3:PutObjectAcl"],
  ],
  ["PUT /results/1-day/a?tagging", {}, ["s3:PutObjectTagging"]],
])("requests of S3: %s with %j is %s", (call, headers, expected) => {
  const [method = "", url = ""] = call.split(" ");
  const requests = read(readS3Call, { method, url, headers });
  expect(requests.map(({ action }) => action)).toEqual(expected);
  for (const { resource, context } of requests) {
    expect(resource).toBe("arn:aws:s3:::results/1-day/a");
    expect(context["aws:ResourceAccount"]).toEqual(["000000000000"]);
  }
});

test("requests of S3: an upload creates its object at once, or when its parts are completed", () => {
  const creations = (method: string, url: string, headers: Readonly<Record<string, string>> = {}) =>
    read(readS3Call, { method, url, headers }).map(({ context }) => [
      context["s3:ObjectCreationOperation"]?.[0],
      context["s3:if-none-match"]?.[0],
    ]);
  const ifNoneMatch = { "if-none-match": "*" };
  expect(creations("PUT", "/results/a", ifNoneMatch)).toEqual([["true", "*"]]);
  expect(creations("PUT", "/results/a")).toEqual([["true", undefined]]);
  expect(creations("POST", "/results/a?uploads")).toEqual([["false", undefined]]);
  expect(creations("PUT", "/results/a?partNumber=1&uploadId=u")).toEqual([["false", undefined]]);
  expect(creations("POST", "/results/a?uploadId=u", ifNoneMatch)).toEqual([["true", "*"]]);
});

test("requests of S3: names the object with its characters, and the bucket with its prefix", () => {
  expect(s3("GET", "/other/a%20b/*%3F?x-id=GetObject")).toEqual([["s3:GetObject", "other/a b/*?"]]);
  expect(s3("GET", "/other?list-type=2&prefix=1-day%2F")).toEqual([["s3:ListBucket", "other", "1-day/"]]);
  expect(s3("HEAD", "/other")).toEqual([["s3:ListBucket", "other"]]);
  expect(s3("GET", "/other?uploads")).toEqual([["s3:ListBucketMultipartUploads", "other"]]);
  const body = "<Delete><Object><Key>a&amp;b</Key></Object><Object><Key>c</Key></Object></Delete>";
  expect(s3("POST", "/other?delete", {}, body)).toEqual([
    ["s3:DeleteObject", "other/a&b"],
    ["s3:DeleteObject", "other/c"],
  ]);
});

test("requests of S3: whether an object is there is for those who may list its bucket", () => {
  expect(summaries(read(readAbsence, { method: "HEAD", url: "/other/a" }))).toEqual([["s3:ListBucket", "other", "a"]]);
  expect(read(readAbsence, { method: "DELETE", url: "/other/a" })).toEqual([]);
  expect(read(readAbsence, { method: "GET", url: "/other" })).toEqual([]);
});

test.each([
  "GET /",
  "GET /results?policy",
  "PUT /results",
  "GET /results/a?acl",
  "POST /results/a",
  "GET /results/a?versionId=1",
])("requests of S3: cannot be judged for %s", (call) => {
  const [method = "", url = ""] = call.split(" ");
  expect(() => s3(method, url)).toThrow();
});

test("requests of S3: cannot be judged for a copy, which reads another object", () => {
  expect(() => s3("PUT", "/results/a", { "x-amz-copy-source": "/other/b" })).toThrow("is unknown");
});

test("requests of SQS: name the queue of the address, and the single action of a batch", () => {
  const sqs = (operation: string, body: object) =>
    read(readSqsCall, { headers: { "x-amz-target": `AmazonSQS.${operation}` }, body }).map(({ action, resource }) => [
      action,
      resource,
    ]);
  const QueueUrl = "http://127.0.0.1:1/000000000000/jobs";
  const arn = "arn:aws:sqs:us-east-1:000000000000:jobs";
  expect(sqs("SendMessage", { QueueUrl })).toEqual([["sqs:SendMessage", arn]]);
  expect(sqs("DeleteMessageBatch", { QueueUrl })).toEqual([["sqs:DeleteMessage", arn]]);
  expect(sqs("GetQueueUrl", { QueueName: "jobs" })).toEqual([["sqs:GetQueueUrl", arn]]);
  expect(sqs("SendMessage", { QueueUrl: "http://127.0.0.1:1/111111111111/jobs" })).toEqual([
    ["sqs:SendMessage", "arn:aws:sqs:us-east-1:111111111111:jobs"],
  ]);
  expect(() => sqs("ListQueues", {})).toThrow("it names no queue");
});

test("requests of SES: name the address of the sender", () => {
  const ses = (FromEmailAddress: string, url = "/v2/email/outbound-emails") =>
    summaries(read(readSesCall, { url, body: { FromEmailAddress } }));
  expect(ses("a@b.test")).toEqual([["ses:SendEmail", "identity/a@b.test", "a@b.test"]]);
  expect(ses("Captures <a@b.test>")).toEqual([["ses:SendEmail", "identity/a@b.test", "a@b.test"]]);
  expect(() => ses("a@b.test", "/v2/email/identities")).toThrow("is unknown");
});

test("requests of STS: name the role and the session", () => {
  const sts = (form: Readonly<Record<string, string>>) =>
    summaries(read(readStsCall, { body: new URLSearchParams(form).toString() }));
  const RoleArn = "arn:aws:iam::123456789012:role/uploads";
  expect(sts({ Action: "AssumeRole", RoleArn, RoleSessionName: "me" })).toEqual([
    ["sts:AssumeRole", "role/uploads", "me"],
  ]);
  expect(sts({ Action: "AssumeRole", RoleArn })).toEqual([["sts:AssumeRole", "role/uploads"]]);
  expect(() => sts({ Action: "GetFederationToken" })).toThrow("is unknown");
});

test("requests of Lambda: name the function, its version or its alias", () => {
  const lambda = (path: string) =>
    read(readLambdaCall, { url: path }).map(({ action, resource }) => [action, resource]);
  const arn = "arn:aws:lambda:us-east-1:000000000000:function:work";
  expect(lambda("/2015-03-31/functions/work/invocations")).toEqual([["lambda:InvokeFunction", arn]]);
  expect(lambda(`/2015-03-31/functions/${encodeURIComponent(`${arn}:7`)}/invocations`)).toEqual([
    ["lambda:InvokeFunction", `${arn}:7`],
  ]);
  expect(lambda("/2015-03-31/functions/work/invocations?Qualifier=live")).toEqual([
    ["lambda:InvokeFunction", `${arn}:live`],
  ]);
  expect(() => lambda("/2015-03-31/functions/work")).toThrow("is unknown");
});

test("requests of Scheduler: a schedule is created in its group, and its role passed to Scheduler", () => {
  const body = { GroupName: "webhooks", Target: { Arn: "arn:x", RoleArn: "arn:aws:iam::000000000000:role/sender" } };
  expect(summaries(read(readSchedulerCall, { url: "/schedules/a-1", body }))).toEqual([
    ["scheduler:CreateSchedule", "schedule/webhooks/a-1"],
    ["iam:PassRole", "role/sender", "scheduler.amazonaws.com"],
  ]);
  expect(() => read(readSchedulerCall, { method: "GET", url: "/schedules/a-1" })).toThrow("is unknown");
  expect(() => read(readSchedulerCall, { url: "/schedule-groups/a" })).toThrow("is unknown");
  expect(() => read(readSchedulerCall, { url: "/schedules/a-1", body: {} })).toThrow("it names no role");
});

test("requests of KMS: an action on a key has the purpose of the encryption context, and the key must be named by its ARN", () => {
  const KeyId = "arn:aws:kms:us-east-1:000000000000:key/1";
  const kms = (body: object) =>
    summaries(read(readKmsCall, { headers: { "x-amz-target": "TrentService.Decrypt" }, body }));
  expect(kms({ KeyId, EncryptionContext: { purpose: "links" } })).toEqual([["kms:Decrypt", "key/1", "links"]]);
  expect(kms({ KeyId, EncryptionContext: { other: "links" } })).toEqual([["kms:Decrypt", "key/1"]]);
  expect(kms({ KeyId })).toEqual([["kms:Decrypt", "key/1"]]);
  expect(() => kms({ KeyId: "alias/secrets" })).toThrow("by an ARN");
  expect(() => kms({})).toThrow("by an ARN");
});
