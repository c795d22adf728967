// Code that has broken out of the renderer's Chromium, in the whole service: it reaches what its own call named, and nothing else.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { EncryptCommand, KMSClient } from "@aws-sdk/client-kms";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { ListSchedulesCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../lib/contract/options/engine-options.ts";
import { PhaseClock } from "../../lib/engine/pipeline/phase-clock.ts";
import { auditKey, operatorKey } from "../../lib/service/aws/table-keys.ts";
import { remoteRenderer } from "../../lib/service/rendering/remote-renderer.ts";
import { renderOne } from "../../lib/service/rendering/renderer.ts";
import type { RenderCall } from "../../lib/service/rendering/serve-render.ts";
import { REGION } from "../../lib/tools/local/engines/client-options.ts";
import type { FunctionCredentials } from "../../lib/tools/local/iam/credentials.ts";
import { type Service, startService } from "../../lib/tools/local/service.ts";
import { listeningPorts, openStandIns, type StandIn, type StandIns } from "../support/broken-out/stand-in.ts";
import { localAssembly } from "../support/local-assembly.ts";

const CANARY = "a secret of the function";
const OTHER_RESULT = "1-day/other-account/result";

const folder = mkdtempSync(join(tmpdir(), "broken-out-renderer-"));
let standIns: StandIns;
let service: Service;
/** The address of every AWS service, as functions have it. */
let gate = "";
let bucket = "";

beforeAll(async () => {
  mkdirSync(join(folder, "layer"));
  standIns = await openStandIns(join(folder, "layer"));
  service = await startService({
    assembly: localAssembly,
    dataDir: join(folder, "data"),
    environment: ({ endpoints }) => {
      gate = endpoints.s3;
      return { CHROMIUM_FILES: standIns.packedFiles, LAUNCH_AHEAD: "false", CANARY };
    },
  });
  bucket = service.outputs["ResultsBucket"] ?? "";
  const operator = { accessKeyId: "operator", secretAccessKey: "operator" };
  const s3 = new S3Client({
    endpoint: service.endpoints.s3,
    region: REGION,
    credentials: operator,
    forcePathStyle: true,
  });
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: OTHER_RESULT, Body: "result of another account" }));
  stubEnvironment(service.credentialsOf(functionName("Screenshot")));
});
afterAll(async () => {
  await service.close();
  await standIns.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Of a construct: CDK adds eight hexadecimal digits to its name. */
const functionName = (construct: string) =>
  service.functions.find(({ logicalId }) => logicalId.slice(0, -8) === construct)?.name ?? "";

/** Makes the clients of this process those of the function `screenshot`, which calls the renderer. */
function stubEnvironment({ accessKeyId, secretAccessKey, sessionToken }: FunctionCredentials): void {
  vi.stubEnv("AWS_ENDPOINT_URL", gate);
  vi.stubEnv("AWS_REGION", REGION);
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("AWS_SESSION_TOKEN", sessionToken);
}

/** Has a document captured for an account, as `screenshot` does. Resolves to the error: there is no Chromium. */
function capture(tenantId: string, html: string): Promise<unknown> {
  vi.spyOn(console, "error").mockImplementation(() => undefined); // the log of lost renderers
  const settings = { functionName: functionName("Renderer"), isolatesTenants: true, maxBytes: 30_000_000, bucket };
  const context = { requestId: 1, tenantId, startedAt: performance.now(), clock: new PhaseClock() };
  const options = engineOptions(parseCaptureOptions({ html, timeout: 30 }));
  return renderOne(remoteRenderer(settings)(), { options, thumbnail: false }, context).then(
    () => undefined,
    (error) => error,
  );
}

interface Attacker extends StandIn, AsyncDisposable {
  /** The account in whose renderer it runs. Each sandbox serves one account, so each test has one of its own. */
  readonly account: string;
  /** Takes the next call from the runtime API, as the runtime does. */
  takeCall(): Promise<RenderCall>;
}

let accounts = 0;

/**
 * Starts a capture of a new account, and waits for the stand-in that runs in its renderer. A launch of Chromium ends after
 * 15 seconds, and the stand-in with it: each test starts one.
 */
async function startAttacker(html = "the attacker's"): Promise<Attacker> {
  const account = `attacker-${++accounts}`;
  const portsBefore = new Set(await listeningPorts());
  const next = standIns.next();
  const ended = capture(account, html);
  const standIn = await next;
  const api = await runtimeApi((await listeningPorts()).filter((port) => !portsBefore.has(port)));
  return {
    ...standIn,
    account,
    takeCall: async () => JSON.parse((await standIn.request(`${api}/next`)).body),
    async [Symbol.asyncDispose]() {
      standIn.end();
      await ended;
    },
  };
}

/** Where Lambda's runtime API of a new sandbox is, which on AWS has the same address in each. */
async function runtimeApi(ports: readonly number[]): Promise<string> {
  for (const port of ports) {
    const api = `http://127.0.0.1:${port}/2018-06-01/runtime/invocation`;
    const answer = await fetch(`${api}/unknown/response`, { method: "POST", body: "" }).then(
      (response) => response.text(),
      () => "",
    );
    if (answer.includes("InvalidRequestID")) return api;
  }
  throw new Error("No sandbox runs.");
}

test("it reaches neither the memory, the environment, nor the descriptors of its function, and starts no process", async () => {
  await using attacker = await startAttacker();
  const reached = Object.keys(attacker.reached).filter((way) => attacker.reached[way] === "reached");
  expect(Object.keys(attacker.reached).length).toBeGreaterThan(15);
  // What Chromium does itself, and a filter of system calls can't tell apart.
  expect(reached).toEqual(["connected pair", "routes of the machine", "udp", "own priority", "tcp on loopback"]);
});

test("it takes a call of its own account from the runtime API, with no API key", async () => {
  await using attacker = await startAttacker("first of the attacker's");
  // The renderer is invoked once more, because the first invocation has no response.
  const call = await attacker.takeCall();
  expect(call).toMatchObject({
    tenant_id: attacker.account,
    work: { outputs: [{ options: { html: "first of the attacker's" } }] },
  });
  expect(JSON.stringify(call)).not.toContain("sc_"); // as API keys begin
});

test("it writes each object that the call names once, and reads, replaces, and deletes none", async () => {
  await using attacker = await startAttacker();
  const [address = ""] = (await attacker.takeCall()).uploads;
  const once = { "If-None-Match": "*" };
  const put = async (url: string, headers: Record<string, string> = once) =>
    (await attacker.request(url, { method: "PUT", headers, body: "bytes" })).status;
  const { pathname } = new URL(address);
  const [part = "", id = ""] = pathname.split("/").reverse();
  const elsewhere = {
    "another part": address.replace(pathname, pathname.replace(`/${part}`, "/9999")),
    "another call": address.replace(id, id.split("").reverse().join("")),
    "another prefix": address.replace("/renderings/", "/results/"),
    "the result of another account": address.replace(pathname, `/${bucket}/${OTHER_RESULT}`),
    "another bucket": address.replace(bucket, `${bucket}-2`),
  };
  for (const [name, url] of Object.entries(elsewhere)) expect([name, await put(url)]).toEqual([name, 403]);
  expect(await put(address, {})).toBe(403);
  expect(await put(address)).toBe(200);
  expect(await put(address)).toBe(412);
  for (const method of ["GET", "HEAD", "DELETE", "POST"])
    expect([method, (await attacker.request(address, { method, headers: once })).status]).toEqual([method, 403]);
});

test("it reaches nothing of AWS without a signature", async () => {
  await using attacker = await startAttacker();
  const target = (name: string) => ({ method: "POST", headers: { "X-Amz-Target": name }, body: "{}" });
  const statuses = {
    "an object": await attacker.request(`${gate}/${bucket}/${OTHER_RESULT}`),
    "all objects": await attacker.request(`${gate}/${bucket}?list-type=2`),
    "a table": await attacker.request(gate, target("DynamoDB_20120810.ListTables")),
    "a queue": await attacker.request(gate, target("AmazonSQS.ListQueues")),
    "a key": await attacker.request(gate, target("TrentService.ListKeys")),
    "a function": await attacker.request(`${gate}/2015-03-31/functions/${functionName("Screenshot")}/invocations`, {
      method: "POST",
      body: "{}",
    }),
  };
  for (const [name, { status, body }] of Object.entries(statuses)) {
    expect([name, status >= 400 && status < 500]).toEqual([name, true]);
    expect(body).not.toContain("result of another account");
  }
});

test("it takes no call of another account, but the next one of its own", async () => {
  await using attacker = await startAttacker();
  await attacker.takeCall(); // that of the capture which started the stand-in
  const own = attacker.takeCall();
  own.catch(() => undefined); // it may end before the call is awaited
  expect(await capture("other", "of another account")).toMatchObject({ code: "INTERNAL_ERROR" });
  void capture(attacker.account, "second of the attacker's");
  expect(await own).toMatchObject({
    tenant_id: attacker.account,
    work: { outputs: [{ options: { html: "second of the attacker's" } }] },
  });
});

test("it would reach nothing of AWS with the credentials of its function, either", async () => {
  const credentials = service.credentialsOf(functionName("Renderer"));
  const settings = { endpoint: gate, region: REGION, credentials, maxAttempts: 1 };
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  const TableName = service.outputs["AccountsTable"] ?? "";
  const KeyId = service.outputs["SecretsKey"] ?? "";
  const QueueUrl = service.resolve("screen-capture-local-data/Queues/Webhook");
  const part = { Bucket: bucket, Key: "renderings/a/0", Body: "bytes", IfNoneMatch: "*" };
  const anOperator = { ...operatorKey("SESSION", "0"), name: "root@host", email: null, expires_at: 9e15, revision: 0 };
  const anEntry = auditKey(new Date().toISOString(), "000000000000");
  const calls = {
    "reads a table": () => new DynamoDBClient(settings).send(new ScanCommand({ TableName })),
    "reads an object": () => s3.send(new GetObjectCommand({ Bucket: bucket, Key: OTHER_RESULT })),
    "lists objects": () => s3.send(new ListObjectsV2Command({ Bucket: bucket })),
    "writes an object": () => s3.send(new PutObjectCommand(part)),
    "sends a message": () => new SQSClient(settings).send(new SendMessageCommand({ QueueUrl, MessageBody: "{}" })),
    "invokes a function": () =>
      new LambdaClient(settings).send(new InvokeCommand({ FunctionName: functionName("Screenshot") })),
    "invokes the operator's function": () =>
      new LambdaClient(settings).send(new InvokeCommand({ FunctionName: functionName("Operator") })),
    "makes a session of an operator": () =>
      new DynamoDBClient(settings).send(new PutItemCommand({ TableName, Item: marshall(anOperator) })),
    "adds to the audit log": () =>
      new DynamoDBClient(settings).send(
        new PutItemCommand({ TableName: service.outputs["ActivityTable"] ?? "", Item: marshall(anEntry) }),
      ),
    "encrypts with the key of secrets": () =>
      new KMSClient(settings).send(new EncryptCommand({ KeyId, Plaintext: Buffer.from("a") })),
    "lists schedules": () => new SchedulerClient(settings).send(new ListSchedulesCommand({})),
  };
  for (const [name, send] of Object.entries(calls))
    await expect(send(), name).rejects.toMatchObject({ name: expect.stringMatching(/^AccessDenied/) });
});
