// The canary's requests to the public address, against the service that runs here, the account with which it captures, and the status page
// that it publishes.
import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createInternalKey, INTERNAL_ACCOUNT_ID } from "../../lib/service/account/internal-account.ts";
import { callerKey } from "../../lib/service/aws/table-keys.ts";
import { isCaptureDue, runApiCanary } from "../../lib/service/health/api-canary.ts";
import { hashApiKey } from "../../lib/service/keys/api-key.ts";
import type { StatusReport } from "../../lib/service/status/status-report.ts";
import { openClient, sendWith } from "../support/client.ts";
import { emittedMetrics, emittedMetricsIn } from "../support/emitted-metrics.ts";
import { runLocalCanary } from "../support/scheduled-functions.ts";

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
  expect(await run(true)).toEqual({
    outcomes: { website: true, api: true, asynchronous: true },
    metrics: [["ApiCanarySuccess", 1]],
  });
  const after = await logged();
  expect(after.length).toBeGreaterThanOrEqual(before + 2); // checks of new versions may have made others
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

describe("status page:", () => {
  beforeAll(runLocalCanary);
  const load = (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init);

  test("a run of the canary publishes it, with the checks of the day, and then captures are ok for GET /health", async () => {
    const report = (await (await load("/status.json")).json()) as StatusReport;
    expect(report.status).toBe("ok");
    expect(report.components.map(({ id, status }) => [id, status])).toEqual(
      ["rendering", "website", "api", "asynchronous"].map((id) => [id, "ok"]),
    );
    for (const { days } of report.components) {
      expect(days).toHaveLength(90);
      expect(days.at(-1)).toMatchObject({ date: new Date().toISOString().slice(0, 10), failed: 0, uptime: 100 });
    }
    // The function remembers the state for ten seconds.
    await expect.poll(async () => (await (await load("/health")).json()).captures.status).toBe("ok");
  });

  test("its page has the policy and the headers of the website, and may run its own script alone", async () => {
    const [response, other] = await Promise.all([load("/status"), load("/docs")]);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy.replaceAll(/ 'sha256-[^']+'/g, "")).toBe(other.headers.get("content-security-policy"));
    expect(policy.match(/'sha256-/g)).toHaveLength(2); // one style sheet, and one script
    for (const name of [
      "cross-origin-opener-policy",
      "cross-origin-resource-policy",
      "referrer-policy",
      "x-content-type-options",
    ])
      expect([name, response.headers.get(name)]).toEqual([name, other.headers.get(name)]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("its data and its feed may be read by other sites, and opened in a browser, they run nothing", async () => {
    for (const [path, type] of [
      ["/status.json", "application/json; charset=utf-8"],
      ["/status.atom", "application/atom+xml; charset=utf-8"],
    ] as const) {
      const { headers } = await load(path);
      expect(headers.get("content-type")).toBe(type);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    }
  });

  test("it has nothing of a customer: no host, account, address, or text of a capture", async () => {
    const host = `customer-${randomUUID()}.test`;
    const customer = await openClient();
    const body = { html: `<p>${host}`, external_identifier: host };
    expect((await sendWith(customer, "POST", "/api/v1/screenshot", { body })).status).toBe(200);
    await runLocalCanary();
    for (const path of ["/status", "/status.json", "/status.atom"]) {
      const text = await (await load(path)).text();
      expect(text).not.toContain(host);
      expect(text).not.toContain(String(customer.accountId));
    }
  });

  test("HEAD has the headers of GET, and other methods and paths next to it don't exist", async () => {
    const [get, head] = await Promise.all([load("/status"), load("/status", { method: "HEAD" })]);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-security-policy")).toBe(get.headers.get("content-security-policy"));
    for (const [path, method] of [
      ["/status", "POST"],
      ["/status.json", "DELETE"],
      ["/status/frame.html", "GET"],
      ["/status/..%2F1-day%2Fx", "GET"],
    ] as const)
      expect([path, (await load(path, { method })).status]).toEqual([path, 404]);
  });
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
