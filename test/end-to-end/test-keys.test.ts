// API keys for tests: their captures are free and few, and say what they are.
import { randomUUID } from "node:crypto";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { testsKey } from "../../lib/service/aws/table-keys.ts";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";

const { baseUrl, receiver, usageTable } = inject("service");

interface Key {
  readonly id: number;
  readonly key: string;
}

let client: Client;
let key: Key;
beforeAll(async () => {
  client = await openClient();
  key = await (await createKey({ label: "Tests", test: true })).json();
});

const send = (path: string, body: object, by = key.key) => sendWith({ key: by }, "POST", `/api/v1${path}`, { body });
const createKey = (facts: object, by = client) => send("/keys", facts, by.key);

test("test key: has a prefix of its own, which its account sees, and is found by", async () => {
  expect(key).toMatchObject({
    key: expect.stringMatching(/^cap_test_\w{46}$/),
    key_prefix: key.key.slice(0, 17),
    test: true,
  });
  const rotated = await (await send(`/keys/${key.id}/rotate`, {}, client.key)).json();
  expect(rotated).toMatchObject({ key: expect.stringMatching(/^cap_test_/), test: true });
  key = rotated;
  const refused = await createKey({ label: "No", test: true, scopes: ["capture", "keys"] });
  expect([refused.status, Object.keys((await refused.json()).details)]).toEqual([422, ["scopes"]]);
  const body = { scopes: ["capture", "keys"] };
  const changed = await sendWith(client, "PATCH", `/api/v1/keys/${key.id}`, { body });
  expect([changed.status, Object.keys((await changed.json()).details)]).toEqual([422, ["scopes"]]);
});

describe("test key: the field `test`", () => {
  test("is in the status of an asynchronous capture, and in its webhook", async () => {
    const name = randomUUID();
    const accepted = await send("/screenshot", { html: "x", async: true, webhook_url: `${receiver}/to/${name}` });
    const { request_id } = await accepted.json();
    const delivered = async () => {
      const [request] = await receivedAt(receiver, name);
      return JSON.parse(request?.body ?? "{}");
    };
    await expect.poll(delivered).toMatchObject({ type: "capture.succeeded", data: { request_id, test: true } });
    expect(await (await client.get(`/api/v1/screenshot/${request_id}`)).json()).toMatchObject({ test: true });
  });

  test("is reported by the JSON of its result, and by that of no other key", async () => {
    const page = { html: "x", response_type: "json", cache: true };
    const [tests, others] = [await send("/screenshot", page), await send("/screenshot", page, client.key)];
    expect([await tests.json(), await others.json()]).toEqual([
      expect.objectContaining({ test: true }),
      expect.not.objectContaining({ test: expect.anything() }),
    ]);
  });
});

describe("test key: its captures", () => {
  test("are logged, but not billed, and say how many remain", async () => {
    const own = await openClient({ plan: "pro" });
    const tests: Key = await (await createKey({ label: "Tests", test: true }, own)).json();
    const response = await send("/screenshot", { html: "x" }, tests.key);
    expect([response.status, response.headers.get("x-quota-remaining")]).toEqual([200, "99"]);
    const { quotas } = await (await own.get("/api/v1/account")).json();
    expect(quotas.captures.used).toBe(0);
    await vi.waitFor(async () =>
      expect(await own.logs()).toMatchObject([{ status: "success", api_key: { id: tests.id } }]),
    );
    const validated = await (await send("/screenshot", { html: "x", validate: true }, tests.key)).json();
    expect(validated.billed_as).toBeNull();
    expect(validated.options).not.toHaveProperty("test_mark");
  });

  test("are at most 100 a day and account, while its other keys go on", async () => {
    const own = await openClient({ plan: "pro" });
    const tests: Key = await (await createKey({ label: "Tests", test: true }, own)).json();
    const Key = testsKey(own.accountId, new Date().toISOString().slice(0, 10));
    await dynamodb().send(
      new UpdateCommand({
        TableName: usageTable,
        Key,
        UpdateExpression: "SET taken_tests = :all",
        ExpressionAttributeValues: { ":all": 100 },
      }),
    );
    const refused = await send("/screenshot", { html: "x" }, tests.key);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      code: "QUOTA_EXCEEDED",
      details: { quota: "tests", limit: 100, used: 100 },
    });
    expect((await send("/screenshot", { html: "x" }, own.key)).status).toBe(200);
  });

  test("can't be repeated without a mark by the Idempotency-Key of another key", async () => {
    const named = { body: { html: "x" }, headers: { "Idempotency-Key": "one" } };
    const sent = (by: Pick<Client, "key">) => sendWith(by, "POST", "/api/v1/screenshot", named);
    expect((await sent(client)).status).toBe(200);
    expect((await sent(key)).status).toBe(409);
  });

  test("don't begin sessions of the dashboard", async () => {
    const response = await fetch(`${baseUrl}/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: baseUrl },
      body: JSON.stringify({ api_key: key.key }),
    });
    expect([response.status, (await response.json()).code]).toEqual([403, "FORBIDDEN"]);
  });
});
