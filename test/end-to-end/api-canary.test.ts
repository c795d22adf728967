// The canary's requests to the public address, against the service that runs here, and the account with which it captures.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { createInternalKey, INTERNAL_ACCOUNT_ID } from "../../lib/service/account/internal-account.ts";
import { callerKey } from "../../lib/service/aws/table-keys.ts";
import { isCaptureDue, runApiCanary } from "../../lib/service/health/api-canary.ts";
import { hashApiKey } from "../../lib/service/keys/api-key.ts";
import { emittedMetrics, emittedMetricsIn } from "../support/emitted-metrics.ts";

const { baseUrl, accountsTable, activityTable, dynamodb, dataDir } = inject("service");
const env = { ACCOUNTS_TABLE: accountsTable, BASE_URL: baseUrl };

beforeAll(() => {
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "local");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
});
afterAll(() => vi.unstubAllEnvs());

/** Whether each check of a run was right, and the metrics that it has emitted. */
async function run(captures: boolean, address = env) {
  vi.stubEnv("STAGE_NAME", "prod");
  const written: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const outcomes = await runApiCanary(address, { captures }).finally(() => write.mockRestore());
  vi.stubEnv("STAGE_NAME", undefined);
  return { outcomes, metrics: emittedMetrics(written.join("")).map(({ name, value }) => [name, value]) };
}

async function logged(): Promise<Record<string, unknown>[]> {
  const pk = `LOG#${INTERNAL_ACCOUNT_ID}#${new Date().toISOString().slice(0, 7)}`;
  const { Items = [] } = await DynamoDBDocumentClient.from(new DynamoDBClient()).send(
    new QueryCommand({
      TableName: activityTable,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
    }),
  );
  return Items;
}

test("canary of the API: captures by the public address, at once and by the queue, and no metric of captures counts it", async () => {
  const before = (await logged()).length;
  expect(await run(false)).toEqual({ outcomes: { website: true }, metrics: [["ApiCanarySuccess", 1]] });
  expect(await logged()).toHaveLength(before);
  expect(await run(true)).toEqual({
    outcomes: { website: true, api: true, asynchronous: true },
    metrics: [["ApiCanarySuccess", 1]],
  });
  const after = await logged();
  expect(after).toHaveLength(before + 2);
  const ids = new Set(after.map(({ request_id }) => String(request_id)));
  const counted = emittedMetricsIn(dataDir).filter(({ name }) => name === "Captures");
  expect(counted.filter(({ fields }) => ids.has(String(fields["request_id"])))).toEqual([]);
});

test("canary of the API: an address that doesn't answer, and a key that the API doesn't know, are failures", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await run(false, { ...env, BASE_URL: "http://127.0.0.1:1" })).toEqual({
    outcomes: { website: false },
    metrics: [["ApiCanarySuccess", 0]],
  });
  expect(await run(true, { ...env, ACCOUNTS_TABLE: activityTable })).toEqual({
    outcomes: { website: true, api: false, asynchronous: false },
    metrics: [["ApiCanarySuccess", 0]],
  });
  expect(log.mock.lastCall?.[0]).toMatchObject({ error: { message: expect.stringContaining("answered with 401") } });
});

test("canary of the API: the run of each quarter of an hour captures", () => {
  const due = [0, 5, 10, 15, 20, 25].map((minutes) => isCaptureDue(minutes * 60_000));
  expect(due).toEqual([true, false, false, true, false, false]);
});

test("internal key: captures, and does nothing else", async () => {
  const key = await createInternalKey(accountsTable);
  const statusOf = async (path: string) =>
    (await fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}` } })).status;
  expect(await statusOf("/api/v1/screenshot?validate=true&html=x")).toBe(200);
  expect(await statusOf("/api/v1/keys")).toBe(403);
  expect(await statusOf("/api/v1/usage")).toBe(403);
});

test("internal key: one that names the account of a customer is unknown", async () => {
  const key = await createInternalKey(accountsTable);
  const account = { id: 17, plan: "max", created_at: "2026-01-01T00:00:00.000Z", billed_from: null };
  const facts = { label: "", key_prefix: key.slice(0, 20), scopes: ["capture"], expires_at: null, revoked_at: null };
  const Item = { ...callerKey(hashApiKey(key)), account, key: { id: 1, require_signature: false, ...facts } };
  const request = () =>
    fetch(`${baseUrl}/api/v1/screenshot?validate=true&html=x`, { headers: { Authorization: `Bearer ${key}` } });
  expect((await request()).status).toBe(200);
  await DynamoDBDocumentClient.from(new DynamoDBClient()).send(new PutCommand({ TableName: accountsTable, Item }));
  expect((await request()).status).toBe(401);
});
