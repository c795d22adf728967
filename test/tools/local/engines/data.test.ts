// The data folder, with the tables, buckets and queues of a template.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import {
  GetBucketLifecycleConfigurationCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import { clientOptions } from "../../../../lib/tools/local/engines/client-options.ts";
import { requireFreeSpace } from "../../../../lib/tools/local/engines/data-folder.ts";
import { LocalServiceError } from "../../../../lib/tools/local/local-service-error.ts";
import { type Service, startService } from "../../../../lib/tools/local/service.ts";
import { sampled } from "../../../support/slow-run.ts";
import { eventually, isRunning, serve, temporaryFolder, writeAssembly } from "../support.ts";

const table = {
  Type: "AWS::DynamoDB::GlobalTable",
  Metadata: { "aws:cdk:path": "Test/Things/Resource" },
  Properties: {
    AttributeDefinitions: ["pk", "sk", "owner"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: "byOwner",
        KeySchema: [{ AttributeName: "owner", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
      },
    ],
    TimeToLiveSpecification: { AttributeName: "expires", Enabled: true },
    Replicas: [{ Region: { Ref: "AWS::Region" } }],
  },
};

const bucket = {
  Type: "AWS::S3::Bucket",
  Properties: {
    LifecycleConfiguration: {
      Rules: [
        { Id: "expire", Prefix: "day/", ExpirationInDays: 2, Status: "Enabled" },
        { Id: "abort", AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: "Enabled" },
      ],
    },
  },
};

const queue = { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: 60 } };

test("data folder: items, objects and messages survive a restart", async () => {
  const folder = await temporaryFolder();
  const assembly = await writeAssembly(join(folder, "cdk.out"), {
    resources: { Table: table, Bucket: bucket, Queue: queue },
  });
  const options = { assembly, dataDir: join(folder, "data") };
  const item = { pk: { S: "a" }, sk: { S: "b" }, owner: { S: "o" } };

  const first = await startService(options);
  const { dynamodb, s3, sqs, names } = clients(first);
  await dynamodb.send(new PutItemCommand({ TableName: names.Table, Item: item }));
  await s3.send(new PutObjectCommand({ Bucket: names.Bucket, Key: "day/one", Body: "object" }));
  await sqs.send(new SendMessageCommand({ QueueUrl: names.Queue, MessageBody: "message" }));
  await first.close();

  const second = await startService(options);
  onTestFinished(() => second.close());
  const again = clients(second);
  const query = {
    IndexName: "byOwner",
    KeyConditionExpression: "#o = :o",
    ExpressionAttributeNames: { "#o": "owner" },
  };
  const [found, object, received, lifecycle] = await Promise.all([
    again.dynamodb.send(
      new QueryCommand({ TableName: names.Table, ...query, ExpressionAttributeValues: { ":o": { S: "o" } } }),
    ),
    again.s3.send(new GetObjectCommand({ Bucket: names.Bucket, Key: "day/one" })),
    again.sqs.send(new ReceiveMessageCommand({ QueueUrl: again.names.Queue })),
    again.s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket: names.Bucket })),
  ]);

  expect(found.Items).toEqual([item]);
  expect(await object.Body?.transformToString()).toBe("object");
  expect(received.Messages?.map(({ Body }) => Body)).toEqual(["message"]);
  expect(lifecycle.Rules?.map(({ ID }) => ID)).toEqual(["expire", "abort"]);
  expect(second.resolve("Test/Things")).toBe(names.Table);
});

test("data folder: no other user can read tables, objects, messages, keys, or logs, also in one from before", async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder, "data");
  await mkdir(join(dataDir, "data"), { recursive: true, mode: 0o755 });
  const assembly = await writeAssembly(join(folder, "cdk.out"), { resources: { Table: table } });
  const service = await startService({ assembly, dataDir });
  onTestFinished(() => service.close());
  const modes = await Promise.all(
    ["data", "logs", "run", "service.json"].map(async (name) => (await stat(join(dataDir, name))).mode & 0o777),
  );
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
});

test("local engines: refuse a Host that is a name, by which a page could reach them (DNS rebinding); the data folder is locked, and has a service.json while they run", async () => {
  const dataDir = await temporaryFolder();
  const service = await serve(
    { resources: { Table: table }, outputs: { Answer: { Value: { "Fn::Join": ["", ["4", "2"]] } } } },
    { dataDir },
  );
  const { dynamodb, ...others } = service.endpoints;
  const statusOf = async (endpoint: string, host: string) => {
    const { hostname, port } = new URL(endpoint);
    const [response] = await once(get({ hostname, port, headers: { Host: host } }), "response");
    response.resume();
    return response.statusCode;
  };
  for (const [name, endpoint] of Object.entries(others)) {
    const own = await statusOf(endpoint, new URL(endpoint).host);
    expect([name, own === 421, await statusOf(endpoint, `rebinding.example:${new URL(endpoint).port}`)]).toEqual([
      name,
      false,
      421,
    ]);
    expect(await statusOf(endpoint, "localhost")).toBe(own);
  }
  // Its engine takes any Host, so no page must be able to guess where it listens.
  if (process.platform === "linux") expect(new URL(dynamodb).hostname).toMatch(/^127\.(?!0\.0\.1$)/);

  const second = serve({}, { dataDir });
  await expect(second).rejects.toThrow(LocalServiceError);
  await expect(second).rejects.toThrow(`is in use by the service with process id ${process.pid}.`);

  const { baseUrl, endpoints } = service;
  const published = JSON.parse(await readFile(join(dataDir, "service.json"), "utf8"));
  expect(published).toEqual({ pid: process.pid, baseUrl, endpoints, outputs: { Answer: "42" } });
  await service.close();
  await expect(readFile(join(dataDir, "service.json"))).rejects.toThrow("ENOENT");
});

test("local DynamoDB: adds an index to a table that has data", async () => {
  const folder = await temporaryFolder();
  const { GlobalSecondaryIndexes, ...properties } = table.Properties;
  const plain = {
    ...table,
    Properties: { ...properties, AttributeDefinitions: table.Properties.AttributeDefinitions.slice(0, 2) },
  };
  const assembly = await writeAssembly(join(folder, "cdk.out"), { resources: { Table: plain } });
  const service = await startService({ assembly, dataDir: join(folder, "data") });
  onTestFinished(() => service.close());
  const { dynamodb, names } = clients(service);
  const item = { pk: { S: "a" }, sk: { S: "b" }, owner: { S: "o" } };
  await dynamodb.send(new PutItemCommand({ TableName: names.Table, Item: item }));

  await service.restart(await writeAssembly(join(folder, "cdk.out"), { resources: { Table: table } }));

  const key = { pk: item.pk, sk: item.sk };
  const [byKey, byIndex] = await Promise.all([
    dynamodb.send(new GetItemCommand({ TableName: names.Table, Key: key })),
    dynamodb.send(
      new QueryCommand({
        TableName: names.Table,
        IndexName: "byOwner",
        KeyConditionExpression: "#o = :o",
        ExpressionAttributeNames: { "#o": "owner" },
        ExpressionAttributeValues: { ":o": { S: "o" } },
      }),
    ),
  ]);
  expect([byKey.Item, byIndex.Items]).toEqual([item, [item]]);
});

test("data folder: rejects a table of the same name with other keys", async () => {
  const folder = await temporaryFolder();
  const options = { assembly: join(folder, "cdk.out"), dataDir: join(folder, "data") };
  await writeAssembly(options.assembly, { resources: { Table: table } });
  await (await startService(options)).close();
  const other = { ...table.Properties, KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }] };
  await writeAssembly(options.assembly, { resources: { Table: { ...table, Properties: other } } });

  await expect(startService(options)).rejects.toThrow(
    /has a table Test-Table with the keys HASH pk, RANGE sk instead of HASH pk/,
  );
});

test("data folder: is taken over from a crashed service, whose processes are killed", async () => {
  const dataDir = await temporaryFolder();
  const run = join(dataDir, "run/");
  await mkdir(run);
  await writeFile(join(run, "rest"), "");
  const left = spawn("sleep", ["60"], { env: { ...process.env, LOCAL_SERVICE_RUN: run }, detached: true });
  const gone = spawn("true");
  await once(gone, "exit");
  await writeFile(join(dataDir, "service.lock"), `${gone.pid} 1`);

  await serve({}, { dataDir });

  await eventually(() => !isRunning(left.pid ?? 0));
  expect((await readFile(join(dataDir, "service.lock"), "utf8")).split(" ")[0]).toBe(String(process.pid));
});

test("local service: names the port that is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === "object" ? address?.port : undefined;

  await expect(serve({}, { port: port ?? 0 })).rejects.toThrow(
    new LocalServiceError(
      `The address 127.0.0.1:${port} cannot be used: it is in use by another program; choose another port.`,
    ),
  );
});

test("data folder: names the reason when it cannot be written", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "file");
  await writeFile(file, "");
  await chmod(file, 0o400);

  await expect(serve({}, { dataDir: join(file, "data") })).rejects.toThrow(
    /^The data folder .*file\/data cannot be written:/,
  );
});

sampled(test, 3).each([
  ["in /proc, where no folder can be created", "/proc/nope", "/proc/nope cannot be created there"],
  ["below a file", "/dev/null/data", "/dev/null is a file, not a folder"],
  ["a file", "/dev/null", "/dev/null is a file, not a folder"],
])("data folder: one that is %s fails the start at once with one sentence", (_where, dataDir, reason) => {
  // In a process of its own, which can be killed should it spin.
  const module = resolve(import.meta.dirname, "../../../../lib/tools/local/engines/data-folder.ts");
  const source = `import(${JSON.stringify(module)}).then(({ openDataFolder }) => openDataFolder(${JSON.stringify(dataDir)}))
    .catch((error) => { console.log(error.message); process.exitCode = 1; })`;
  const { status, stdout } = spawnSync(process.execPath, ["-e", source], {
    timeout: 20_000,
    killSignal: "SIGKILL",
    encoding: "utf8",
  });

  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: `The data folder ${dataDir} cannot be written: ${reason}. Set DATA_DIR to another folder.\n`,
  });
});

test("data folder: a full disk fails the start with one sentence", async () => {
  const folder = await temporaryFolder();
  expect(() => requireFreeSpace(folder, 2 ** 60)).toThrow(
    /^The disk of the data folder \S+ is full: [\d,]+ MB are free, and the service needs 1,099,511,627,776 MB\. Free some space, or set DATA_DIR to a folder on another disk\.$/,
  );
  expect(() => requireFreeSpace(folder, 1)).not.toThrow();
});

test("local service: says that the app must be synthesized when there is no assembly", async () => {
  const folder = await temporaryFolder();

  const started = startService({ assembly: join(folder, "cdk.out"), dataDir: join(folder, "data") });

  await expect(started).rejects.toThrow(/manifest\.json cannot be read. Synthesize the app first\.$/);
});

function clients(service: Service) {
  return {
    dynamodb: new DynamoDBClient(clientOptions(service.endpoints.dynamodb)),
    s3: new S3Client({ ...clientOptions(service.endpoints.s3), forcePathStyle: true }),
    sqs: new SQSClient(clientOptions(service.endpoints.sqs)),
    names: {
      Table: service.resolve("Table"),
      get Bucket() {
        return service.resolve("Bucket");
      },
      get Queue() {
        return service.resolve("Queue");
      },
    },
  };
}
