// Plans, quotas, rate limit and prices through the API, as the interface document defines them.
import { describe, expect, inject, test } from "vitest";
import { MAX_FAILED_MINUTES_PER_DAY, type PlanName } from "../../lib/contract/plans.ts";
import { type Client, openClient } from "../support/client.ts";
import { recordFailure, recordPastCaptures } from "../support/past-captures.ts";
import { slowTest } from "../support/slow-run.ts";

const { site } = inject("service");

const accountOf = async (client: Client) => (await client.get("/api/v1/account")).json();
const box = () => ({ url: `${site}/box`, viewport_width: "100", viewport_height: "100" });

/** Captures taken at once, by the status of their answers. */
async function captureAtOnce(client: Client, count: number, path = "/box") {
  const answers = await Promise.all(
    Array.from({ length: count }, () => client.capture({ ...box(), url: site + path })),
  );
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.map(({ status }) => status).sort();
}

describe.each<[PlanName, string, object, number, string | null]>([
  ["free", "0.00", { screenshots: { limit: 300 }, videos: { limit: 50 } }, 10, null],
  ["max", "129.00", { captures: { limit: 60_000 } }, 150, "0.0025"],
])("plans: plan %s", (plan, price, quotas, rate, overage) => {
  test("has the documented price, quotas, rate limit and overage", async () => {
    const client = await openClient({ plan });
    const response = await client.get("/api/v1/account");
    const account = await response.json();
    expect(account).toMatchObject({ plan, price, quotas, overage: { units: 0, unit_price: overage, amount: "0.00" } });
    expect(Object.keys(account.quotas)).toEqual(Object.keys(quotas));
    expect(account.rate_limit).toEqual({ limit: rate, window_seconds: 60 });
    expect(response.headers.get("x-ratelimit-limit")).toBe(String(rate));
    expect(response.headers.get("x-ratelimit-remaining")).toBe(String(rate - 1));
  });
});

test("quota: only successes are billed", async () => {
  const client = await openClient({ plan: "pro" });
  expect(await captureAtOnce(client, 2, "/not-found")).toEqual([422, 422]);
  expect(await captureAtOnce(client, 1)).toEqual([200]);
  expect((await client.capture({ nonsense: "1" })).status).toBe(422);
  expect((await accountOf(client)).quotas.captures.used).toBe(1);
});

describe("quota: the Free Trial", () => {
  test("is never exceeded by concurrent captures, and loses none to failures", async () => {
    const client = await openClient({ plan: "free" });
    await recordPastCaptures(client, { count: 297 });
    expect(await captureAtOnce(client, 2, "/not-found")).toEqual([422, 422]);
    expect(await captureAtOnce(client, 6)).toEqual([200, 200, 200, 402, 402, 402]);
    const refused = await client.capture(box());
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      code: "QUOTA_EXCEEDED",
      details: { quota: "screenshots", limit: 300, used: 300, resets_at: null },
      retryable: false,
    });
    expect(await client.logs()).not.toContainEqual(
      expect.objectContaining({ id: refused.headers.get("x-request-id") }),
    );
  });

  test("is refused for the rest of the day once its failed captures have taken half an hour, unless the cache answers", async () => {
    const client = await openClient({ plan: "free" });
    expect((await client.capture({ ...box(), cache: "true" })).status).toBe(200);
    await recordFailure(client, MAX_FAILED_MINUTES_PER_DAY * 60_000 - 1);
    expect(await captureAtOnce(client, 1, "/not-found")).toEqual([422]);
    const refused = await client.capture(box());
    expect([refused.status, await refused.json()]).toMatchObject([
      402,
      {
        code: "QUOTA_EXCEEDED",
        error: expect.stringMatching(/^Captures of the account that failed today took more than 30 minutes\./),
        details: { quota: "screenshots", used: 1, resets_at: expect.stringMatching(/T00:00:00.000Z$/) },
      },
    ]);
    expect((await client.capture({ ...box(), cache: "true" })).headers.get("x-cache")).toBe("HIT");
    expect((await client.capture({ ...box(), async: "true" })).status).toBe(402);
  });
});

describe("rate limit: an account", () => {
  test("is rejected beyond it, with the time of the next request", async () => {
    const client = await openClient({ plan: "free" });
    const answers = await Promise.all(Array.from({ length: 14 }, () => client.get("/api/v1/usage")));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
    const remaining = answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))).sort((a, b) => a - b);
    expect(remaining).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const refused = answers.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ code: "RATE_LIMITED", retryable: true });
    const wait = Number(refused?.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(55);
    expect(wait).toBeLessThanOrEqual(61);
    expect(Number(refused?.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now() + 50_000);
  });
});

slowTest(
  "limits: ten accounts that capture concurrently do not affect each other",
  async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => openClient({ plan: "pro" })));
    await Promise.all(
      clients.map(async (client, index) => {
        await captureAtOnce(client, 1 + (index % 3));
        await captureAtOnce(client, index % 2, "/not-found");
      }),
    );
    for (const [index, client] of clients.entries()) {
      const [taken, failed] = [1 + (index % 3), index % 2];
      const logs = await client.logs();
      expect(new Set(logs.map(({ user_id }) => user_id))).toEqual(new Set([client.accountId]));
      expect(logs).toHaveLength(taken + failed);
      expect(await (await client.get("/api/v1/usage/stats")).json()).toMatchObject({
        total_success: taken,
        total_failed: failed,
      });
      expect((await accountOf(client)).quotas.captures.used).toBe(taken);
      const stranger = clients[(index + 1) % clients.length];
      const filtered = await client.get("/api/v1/usage", { api_key_id: String(stranger?.keyId) });
      expect(await filtered.json()).toMatchObject({ total: 0, data: [] });
      expect((await client.get(`/api/v1/keys/${stranger?.keyId}`)).status).toBe(404);
    }
  },
  60_000,
);
