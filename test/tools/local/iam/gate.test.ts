// The calls of local functions to AWS: allowed and refused by their roles, with AWS's responses, and attacks on that.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeDeployClient, GetDeploymentCommand } from "@aws-sdk/client-codedeploy";
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { presignPuts } from "../../../../lib/service/aws/presign-put.ts";
import type { FunctionCredentials } from "../../../../lib/tools/local/iam/credentials.ts";
import { type Service, startService } from "../../../../lib/tools/local/service.ts";
import { type TestAssembly, writeAssembly } from "../support.ts";

const arnOf = (id: string, rest = "") => ({ "Fn::Join": ["", [{ "Fn::GetAtt": [id, "Arn"] }, rest]] });
const allow = (Action: string | readonly string[], Resource: unknown, Condition?: object) => ({
  Effect: "Allow",
  ...{ Action, Resource, Condition },
});
const onItems = (action: string, ...keys: readonly string[]) =>
  allow(`dynamodb:${action}`, arnOf("Items"), { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys } });
const withoutTls = (Action: string, Resource: unknown) => ({
  Version: "2012-10-17",
  Statement: [
    { Effect: "Deny", Principal: "*", Action, Resource, Condition: { Bool: { "aws:SecureTransport": "false" } } },
  ],
});

const assembly: TestAssembly = {
  functions: {
    Works: {
      source: `export const handler = async (event) => ({ got: event });`,
      statements: [
        onItems("GetItem", "OWN#*"),
        onItems("PutItem", "OWN#*", "COUNT#*"),
        onItems("UpdateItem", "OWN#*", "COUNT#*"),
        onItems("Query", "OWN#*"),
        allow(["s3:GetObject", "s3:PutObject"], arnOf("Results", "/1-day/*"), {
          StringEquals: { "aws:ResourceAccount": { Ref: "AWS::AccountId" } },
        }),
        allow("sqs:SendMessage", arnOf("Jobs")),
        allow("sqs:ReceiveMessage", arnOf("Jobs"), { Null: { "lambda:SourceFunctionArn": "true" } }),
        allow(["kms:Decrypt", "kms:Encrypt"], arnOf("Key"), {
          StringEquals: { "kms:EncryptionContext:purpose": "links" },
        }),
        allow("ses:SendEmail", "*", { StringEquals: { "ses:FromAddress": "a@b.test" } }),
        allow("lambda:InvokeFunction", "arn:aws:lambda:us-east-1:000000000000:function:Test-Works"),
        { Effect: "Allow", Action: "sts:AssumeRole", NotResource: "arn:aws:iam::000000000000:role/*" },
      ],
    },
    Lists: {
      source: "",
      statements: [allow(["s3:GetObject", "s3:ListBucket"], [arnOf("Results"), arnOf("Results", "/*")])],
    },
    Idles: { source: "", statements: [] },
  },
  resources: {
    Items: {
      Type: "AWS::DynamoDB::Table",
      Properties: {
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        ResourcePolicy: { PolicyDocument: withoutTls("dynamodb:*", "*") },
      },
    },
    Results: { Type: "AWS::S3::Bucket" },
    ResultsPolicy: {
      Type: "AWS::S3::BucketPolicy",
      Properties: {
        Bucket: { Ref: "Results" },
        PolicyDocument: {
          Version: "2012-10-17",
          Statement: [
            {
              ...{ Effect: "Deny", Principal: { AWS: "*" }, Action: "s3:PutObject", Resource: arnOf("Results", "/*") },
              Condition: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
            },
          ],
        },
      },
    },
    Jobs: { Type: "AWS::SQS::Queue" },
    Key: {
      Type: "AWS::KMS::Key",
      Properties: {
        KeyPolicy: {
          Version: "2012-10-17",
          Statement: [
            {
              ...{ Effect: "Allow", Action: "kms:*", Resource: "*" },
              Principal: { AWS: { "Fn::Join": ["", ["arn:", { Ref: "AWS::Partition" }, ":iam::000000000000:root"]] } },
            },
          ],
        },
      },
    },
    JobsPolicy: {
      Type: "AWS::SQS::QueuePolicy",
      Properties: { Queues: [{ Ref: "Jobs" }], PolicyDocument: withoutTls("sqs:*", arnOf("Jobs")) },
    },
  },
};

const folder = mkdtempSync(join(tmpdir(), "gate-"));
const lines: string[] = [];
let service: Service;
let gate = "";
beforeAll(async () => {
  service = await startService({
    assembly: await writeAssembly(join(folder, "cdk.out"), assembly),
    dataDir: join(folder, "data"),
    environment: ({ endpoints }) => {
      gate = endpoints.s3;
      return {};
    },
    onLog: (source, line) => source === "iam" && lines.push(line),
  });
});
beforeEach(() => void lines.splice(0));
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The clients of a function, as its code has them. */
function clientsOf(functionName: string, credentials: FunctionCredentials = service.credentialsOf(functionName)) {
  const settings = { endpoint: gate, region: "us-east-1", credentials, maxAttempts: 1 };
  return {
    dynamodb: new DynamoDBClient(settings),
    s3: new S3Client({ ...settings, forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" }),
    sqs: new SQSClient(settings),
    ses: new SESv2Client(settings),
    sts: new STSClient(settings),
    kms: new KMSClient(settings),
    lambda: new LambdaClient(settings),
    codedeploy: new CodeDeployClient(settings),
  };
}

const WORKS = "Test-Works";
const item = (pk: string) => ({ TableName: "Test-Items", Key: { pk: { S: pk } } });
const object = (Key: string) => ({ Bucket: "test-results", Key });
const queue = () => ({ QueueUrl: service.resolve("Jobs") });

/** Name, status and message of the error by which a call is refused. */
async function refusal(
  call: Promise<unknown>,
): Promise<readonly [name: string, status: number | undefined, message: string]> {
  const error = await call.then(
    () => new Error("The call is allowed."),
    (reason: Error & { readonly $metadata?: { readonly httpStatusCode?: number } }) => reason,
  );
  const { name, message } = error;
  return [name, "$metadata" in error ? error.$metadata?.httpStatusCode : undefined, message];
}

const user = (name: string) => `arn:aws:sts::000000000000:assumed-role/${name}Role/${name}`;

test("gate: a function reads and writes what its role allows", async () => {
  const { dynamodb, s3, sqs, ses, lambda } = clientsOf(WORKS);
  await dynamodb.send(new PutItemCommand({ TableName: "Test-Items", Item: { pk: { S: "OWN#1" } } }));
  expect((await dynamodb.send(new GetItemCommand(item("OWN#1")))).Item).toEqual({ pk: { S: "OWN#1" } });
  const Body = Buffer.alloc(3_000_000, 7); // its headers wait for 100 Continue
  await s3.send(new PutObjectCommand({ ...object("1-day/a b.bin"), Body, IfNoneMatch: "*" }));
  const { Body: stored } = await s3.send(new GetObjectCommand(object("1-day/a b.bin")));
  expect(Body.equals((await stored?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
  await sqs.send(new SendMessageCommand({ ...queue(), MessageBody: "hello" }));
  await ses.send(new SendEmailCommand(mail("a@b.test")));
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: WORKS, Payload: '{"a":1}' }));
  expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toEqual({ got: { a: 1 } });
  expect(lines).toEqual([]);
});

const mail = (from: string) => ({
  FromEmailAddress: from,
  Destination: { ToAddresses: ["c@d.test"] },
  Content: { Simple: { Subject: { Data: "Hello" }, Body: { Text: { Data: "World" }, Html: { Data: "World" } } } },
});

test("gate: DynamoDB refuses in its words, and the log names function, action, resource and partition key", async () => {
  const { dynamodb } = clientsOf(WORKS);
  const table = "arn:aws:dynamodb:us-east-1:000000000000:table/Test-Items";
  const reason = "because no identity-based policy allows the dynamodb:GetItem action";
  expect(await refusal(dynamodb.send(new GetItemCommand(item("OTHER#1"))))).toEqual([
    "AccessDeniedException",
    400,
    `User: ${user(WORKS)} is not authorized to perform: dynamodb:GetItem on resource: ${table} ${reason}`,
  ]);
  expect(lines).toEqual([
    `AccessDenied: ${WORKS} may not dynamodb:GetItem on ${table} with the partition key OTHER#1, ${reason}.`,
  ]);
});

test("gate: a role restricted to its own partition keys reads those of another by no kind of call", async () => {
  const { dynamodb } = clientsOf(WORKS);
  const TableName = "Test-Items";
  const query = (pk: string) => {
    const [KeyConditionExpression, ExpressionAttributeValues] = ["pk = :pk", { ":pk": { S: pk } }];
    return refusal(dynamodb.send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues })));
  };
  expect((await query("OWN#1"))[2]).toBe("The call is allowed.");
  const denied = ["AccessDeniedException", 400, expect.stringContaining("is not authorized to perform")];
  expect(await query("OTHER#1")).toEqual(denied);
  expect(await refusal(dynamodb.send(new ScanCommand({ TableName })))).toEqual(denied);
  const KeyConditions = { pk: { ComparisonOperator: "EQ" as const, AttributeValueList: [{ S: "OTHER#1" }] } };
  expect(await refusal(dynamodb.send(new QueryCommand({ TableName, KeyConditions })))).toEqual(denied);
});

test("gate: a transaction is refused for one item that its role does not allow", async () => {
  const { dynamodb } = clientsOf(WORKS);
  const put = { Put: { TableName: "Test-Items", Item: { pk: { S: "OWN#2" } } } };
  const count = (pk: string) => ({
    Update: { ...item(pk), UpdateExpression: "ADD n :one", ExpressionAttributeValues: { ":one": { N: "1" } } },
  });
  const check = { ConditionCheck: { ...item("OWN#1"), ConditionExpression: "attribute_exists(pk)" } };
  const write = (...TransactItems: readonly object[]) =>
    refusal(dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [...TransactItems] })));
  expect(await write(put, count("COUNT#1"))).toEqual(["Error", undefined, "The call is allowed."]);
  expect((await write(put, count("OTHER#2")))[2]).toContain("dynamodb:PutItem"); // by all keys of the transaction
  expect((await write(count("OTHER#2")))[2]).toContain("dynamodb:UpdateItem");
  expect((await write(put, check))[2]).toContain("dynamodb:ConditionCheckItem");
});

test("gate: S3 refuses in its words", async () => {
  const { s3 } = clientsOf(WORKS);
  expect(await refusal(s3.send(new DeleteObjectCommand(object("1-day/a"))))).toEqual([
    "AccessDenied",
    403,
    `User: ${user(WORKS)} is not authorized to perform: s3:DeleteObject on resource: "arn:aws:s3:::test-results/1-day/a" because no identity-based policy allows the s3:DeleteObject action`,
  ]);
  const overwriting = s3.send(new PutObjectCommand({ ...object("1-day/new"), Body: "x" }));
  expect((await refusal(overwriting))[2]).toMatch(/with an explicit deny in a resource-based policy$/);
  const elsewhere = s3.send(new PutObjectCommand({ ...object("2-days/new"), Body: "x", IfNoneMatch: "*" }));
  expect((await refusal(elsewhere)).slice(0, 2)).toEqual(["AccessDenied", 403]);
});

test("gate: a conditional write to S3 overwrites nothing, even while another one runs", async () => {
  const { s3 } = clientsOf(WORKS);
  const put = (Body: string) => s3.send(new PutObjectCommand({ ...object("1-day/once"), Body, IfNoneMatch: "*" }));
  const outcomes = await Promise.allSettled([put("one"), put("two"), put("three")]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await refusal(put("four"))).slice(0, 2)).toEqual(["PreconditionFailed", 412]);
});

test("gate: a presigned upload writes the object that it names once, and no other one", async () => {
  const { accessKeyId, secretAccessKey, sessionToken } = service.credentialsOf(WORKS);
  vi.stubEnv("AWS_ENDPOINT_URL_S3", gate);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", sessionToken);
  onTestFinished(() => void vi.unstubAllEnvs());
  const presign = async (key: string, now = new Date()) =>
    (await presignPuts("test-results", [key], { expiresS: 60, now }))[0] as string;
  const put = async (address: string, headers: Record<string, string> = { "If-None-Match": "*" }) =>
    (await fetch(address, { method: "PUT", body: "bytes", headers })).status;
  const address = await presign("1-day/part-0");
  expect(await put(address.replace("part-0", "part-1"))).toBe(403);
  expect(await put(address.replace("1-day", "7-days"))).toBe(403);
  expect(await put(address, {})).toBe(403);
  expect((await fetch(address)).status).toBe(403);
  expect((await fetch(address, { method: "DELETE", headers: { "If-None-Match": "*" } })).status).toBe(403);
  expect(await put(await presign("2-days/part-0"))).toBe(403); // the role of the signer may not
  expect(await put(await presign("1-day/part-0", new Date(Date.now() - 61_000)))).toBe(403);
  expect(await put(address)).toBe(200);
  expect(await put(address)).toBe(412);
});

test("gate: S3 tells only those who may list a bucket that an object is not there", async () => {
  const get = (name: string) => refusal(clientsOf(name).s3.send(new GetObjectCommand(object("1-day/missing"))));
  expect(await get(WORKS)).toEqual(["AccessDenied", 403, expect.stringContaining("s3:ListBucket")]);
  expect((await get("Test-Lists")).slice(0, 2)).toEqual(["NoSuchKey", 404]);
  expect(lines).toEqual([]); // the call is allowed: its answer says less
});

test("gate: KMS encrypts and decrypts for an encryption context that the role allows, and for no other", async () => {
  const KeyId = `arn:aws:kms:us-east-1:000000000000:key/${service.resolve("Key")}`;
  const { kms } = clientsOf(WORKS);
  const of = (purpose?: string) => ({ KeyId, ...(purpose !== undefined && { EncryptionContext: { purpose } }) });
  const encrypt = (purpose?: string) => kms.send(new EncryptCommand({ ...of(purpose), Plaintext: Buffer.from("a") }));
  const { CiphertextBlob } = await encrypt("links");
  const decrypted = await kms.send(new DecryptCommand({ ...of("links"), CiphertextBlob }));
  expect(Buffer.from(decrypted.Plaintext ?? "").toString()).toBe("a");
  const denied = (action: string) => [
    "AccessDeniedException",
    400,
    `User: ${user(WORKS)} is not authorized to perform: kms:${action} on resource: ${KeyId} because no identity-based policy allows the kms:${action} action`,
  ];
  expect(await refusal(encrypt("stage"))).toEqual(denied("Encrypt"));
  expect(await refusal(encrypt())).toEqual(denied("Encrypt"));
  expect(await refusal(kms.send(new DecryptCommand({ ...of("stage"), CiphertextBlob })))).toEqual(denied("Decrypt"));
  const generate = new GenerateDataKeyCommand({ ...of("links"), KeySpec: "AES_256" });
  expect(await refusal(kms.send(generate))).toEqual(denied("GenerateDataKey"));
  const unnamed = new DecryptCommand({ EncryptionContext: { purpose: "links" }, CiphertextBlob });
  expect(await refusal(kms.send(unnamed))).toEqual(["AccessDeniedException", 400, expect.stringContaining("ARN")]);
  const idle = clientsOf("Test-Idles").kms.send(new DecryptCommand({ ...of("links"), CiphertextBlob }));
  expect((await refusal(idle)).slice(0, 2)).toEqual(["AccessDeniedException", 400]);
});

test("gate: SQS, SES, Lambda and STS refuse in their words", async () => {
  const { sqs, ses, lambda, sts } = clientsOf(WORKS);
  const jobs = "arn:aws:sqs:us-east-1:000000000000:Test-Jobs";
  expect(await refusal(sqs.send(new ReceiveMessageCommand(queue())))).toEqual([
    "AccessDenied",
    403,
    `User: ${user(WORKS)} is not authorized to perform: sqs:receivemessage on resource: ${jobs} because no identity-based policy allows the sqs:receivemessage action`,
  ]);
  expect(await refusal(ses.send(new SendEmailCommand(mail("x@b.test"))))).toEqual([
    "AccessDeniedException",
    403,
    `User \`${user(WORKS)}' is not authorized to perform \`ses:SendEmail' on resource \`arn:aws:ses:us-east-1:000000000000:identity/x@b.test'`,
  ]);
  expect(await refusal(lambda.send(new InvokeCommand({ FunctionName: "Test-Idles" })))).toEqual([
    "AccessDeniedException",
    403,
    expect.stringContaining(
      "lambda:InvokeFunction on resource: arn:aws:lambda:us-east-1:000000000000:function:Test-Idles",
    ),
  ]);
  const assume = (account: string) => {
    const RoleArn = `arn:aws:iam::${account}:role/uploads`;
    return refusal(sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: "me" })));
  };
  expect(await assume("000000000000")).toEqual(["AccessDenied", 403, expect.stringContaining("sts:AssumeRole")]);
  expect(await assume("111111111111")).toEqual(["AccessDenied", 403, expect.stringContaining("no engine")]);
});

test("gate: refuses a service that no engine plays, instead of calling AWS", async () => {
  const { codedeploy } = clientsOf(WORKS);
  expect(await refusal(codedeploy.send(new GetDeploymentCommand({ deploymentId: "d-1" })))).toEqual([
    "AccessDeniedException",
    403,
    expect.stringContaining("no local engine plays codedeploy"),
  ]);
});

test("gate: a function has no use for the key of another, nor for its own with another token", async () => {
  const [own, other] = [service.credentialsOf("Test-Idles"), service.credentialsOf(WORKS)];
  const read = (credentials: FunctionCredentials) =>
    refusal(clientsOf("Test-Idles", credentials).dynamodb.send(new GetItemCommand(item("OWN#1"))));
  const { accessKeyId, sessionToken } = other; // a presigned URL shows both
  expect(await read({ ...own, accessKeyId, sessionToken })).toEqual([
    "InvalidSignatureException",
    400,
    expect.anything(),
  ]);
  expect((await read({ ...own, accessKeyId }))[0]).toBe("UnrecognizedClientException");
  expect((await read({ ...own, accessKeyId: "local", secretAccessKey: "local" }))[0]).toBe(
    "UnrecognizedClientException",
  );
  expect((await read(own))[0]).toBe("AccessDeniedException");
  expect((await read(other))[0]).toBe("Error"); // allowed
});

test("gate: a presigned URL does what its signer may, until it ends, and nothing else", async () => {
  const { s3 } = clientsOf(WORKS);
  await s3.send(new PutObjectCommand({ ...object("1-day/shown"), Body: "shown", IfNoneMatch: "*" }));
  const presign = (command: GetObjectCommand | DeleteObjectCommand, options = {}) => getSignedUrl(s3, command, options);
  const status = async (url: string, method = "GET") => (await fetch(url, { method })).status;
  const url = await presign(new GetObjectCommand(object("1-day/shown")));
  expect(await (await fetch(url)).text()).toBe("shown");
  expect(await status(url.replace("/1-day/shown", "/1-day/other"))).toBe(403);
  expect(await status(url, "DELETE")).toBe(403);
  expect(await status(await presign(new DeleteObjectCommand(object("1-day/shown"))), "DELETE")).toBe(403);
  expect(await status(await presign(new GetObjectCommand(object("7-days/shown"))))).toBe(403);
  const signingDate = new Date(Date.now() - 120_000);
  const ended = await fetch(await presign(new GetObjectCommand(object("1-day/shown")), { expiresIn: 60, signingDate }));
  expect([ended.status, await ended.text()]).toEqual([403, expect.stringContaining("Request has expired")]);
});

test("gate: refuses requests that are not signed, except those that a browser sends before a request", async () => {
  const target = (name: string) => ({ "X-Amz-Target": name, "Content-Type": "application/x-amz-json-1.0" });
  const post = (name: string) => fetch(gate, { method: "POST", headers: target(name), body: "{}" });
  const [tables, queues] = [await post("DynamoDB_20120810.ListTables"), await post("AmazonSQS.ListQueues")];
  expect([tables.status, queues.status]).toEqual([400, 403]);
  expect(await tables.text()).toContain("MissingAuthenticationToken");
  const anonymous = await fetch(`${gate}/test-results/1-day/shown`);
  expect([anonymous.status, await anonymous.text()]).toEqual([
    403,
    expect.stringContaining("<Code>AccessDenied</Code>"),
  ]);
  const headers = { Origin: "http://page.test", "Access-Control-Request-Method": "GET" };
  const preflight = await fetch(`${gate}/test-results/1-day/shown`, { method: "OPTIONS", headers });
  expect(await preflight.text()).not.toContain("AccessDenied");
});

test("gate: knows which rights no call has needed", () => {
  expect(service.unusedRights()).toEqual(["Lists s3:GetObject Results", "Lists s3:ListBucket Results/*"]);
});
