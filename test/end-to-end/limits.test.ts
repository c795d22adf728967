// Plans, quotas, rate limit and prices through the API, as the interface document defines them.
import { describe, expect, inject, test } from "vitest";
import { MAX_FAILED_MINUTES_PER_DAY, type PlanName } from "../../lib/contract/plans.ts";
import { type Client, openClient } from "../support/client.ts";
import { recordFailure, recordPastCaptures } from "../support/past-captures.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

const { site } = inject("service");
const DAY_MS = 24 * 60 * 60 * 1000;

const accountOf = async (client: Client) => (await client.get("/api/v1/account")).json();
const invoicesOf = async (client: Client) => (await (await client.get("/api/v1/account/invoices")).json()).data;
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
  ["starter", "1.00", { screenshots: { limit: 5_000 }, videos: { limit: 150 } }, 40, "0.005"],
  ["pro", "49.00", { captures: { limit: 20_000 } }, 80, "0.0035"],
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

describe("plans: Starter", () => {
  test("costs the standard price from its second month on", async () => {
    const client = await openClient({ plan: "starter", openedAt: Date.now() - 40 * DAY_MS });
    expect(await accountOf(client)).toMatchObject({ price: "12.00", total: "12.00" });
    expect((await invoicesOf(client)).map(({ price, status }: Record<string, string>) => [price, status])).toEqual([
      ["12.00", "open"],
      ["1.00", "closed"],
    ]);
  });

  test("has separate quotas for screenshots and videos", async () => {
    const client = await openClient({ plan: "starter" });
    await recordPastCaptures(client, { count: 152, format: "mp4" });
    await recordPastCaptures(client, { count: 3 });
    expect(await accountOf(client)).toMatchObject({
      quotas: {
        screenshots: { limit: 5_000, used: 3, remaining: 4_997 },
        videos: { limit: 150, used: 152, remaining: 0 },
      },
      overage: { units: 2, unit_price: "0.005", amount: "0.01" },
      total: "1.01",
    });
  });
});

sampled(test, 2).each<PlanName>(["pro", "max"])(
  "plans: %s counts screenshots and videos against one pool",
  async (plan) => {
    const client = await openClient({ plan });
    await recordPastCaptures(client, { count: 4, format: "webm" });
    expect(await captureAtOnce(client, 2)).toEqual([200, 200]);
    expect((await accountOf(client)).quotas.captures.used).toBe(6);
  },
);

test("quota: a paid plan can exceed its quota, and each further success is charged", async () => {
  const client = await openClient({ plan: "starter" });
  await recordPastCaptures(client, { count: 150, format: "gif" });
  expect((await accountOf(client)).overage.units).toBe(0);
  await recordPastCaptures(client, { count: 3, format: "gif" });
  expect((await accountOf(client)).overage).toEqual({ units: 3, unit_price: "0.005", amount: "0.02" });
});

test("quota: a new period starts with nothing used, and the past one stays as it was", async () => {
  const openedAt = Date.now() - 45 * DAY_MS;
  const client = await openClient({ plan: "pro", openedAt });
  await recordPastCaptures(client, { count: 5, at: openedAt + DAY_MS });
  expect((await accountOf(client)).quotas.captures.used).toBe(0);
  await captureAtOnce(client, 1);
  expect(
    (await invoicesOf(client)).map(({ quotas }: { quotas: { captures: { used: number } } }) => quotas.captures.used),
  ).toEqual([1, 5]);
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

  test("keeps its videos when its screenshots are used up", async () => {
    const client = await openClient({ plan: "free" });
    await recordPastCaptures(client, { count: 300 });
    await recordPastCaptures(client, { count: 49, format: "mp4" });
    expect((await accountOf(client)).quotas).toEqual({
      screenshots: { limit: 300, used: 300, remaining: 0 },
      videos: { limit: 50, used: 49, remaining: 1 },
    });
    expect((await client.capture(box())).status).toBe(402);
  });

  test("is over after seven days", async () => {
    const client = await openClient({ plan: "free", openedAt: Date.now() - 7 * DAY_MS });
    const refused = await client.capture(box());
    expect([refused.status, (await refused.json()).details]).toEqual([
      402,
      { quota: "screenshots", limit: 300, used: 0, resets_at: null },
    ]);
    expect((await accountOf(client)).trial).toEqual({ ends_at: expect.any(String), is_over: true });
    const almost = await openClient({ plan: "free", openedAt: Date.now() - 7 * DAY_MS + 60_000 });
    expect((await almost.capture(box())).status).toBe(200);
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

  test("shares it between all keys and routes, and a rejected capture reserves no quota", async () => {
    const client = await openClient({ plan: "free" });
    for (let request = 0; request < 9; request++) await client.get("/api/v1/usage/stats");
    expect(await captureAtOnce(client, 3)).toEqual([200, 429, 429]);
    const fresh = await openClient({ plan: "free" });
    expect((await fresh.get("/api/v1/usage")).status).toBe(200);
  });

  test("gets its headers with errors too, but not without a key", async () => {
    const client = await openClient();
    for (const [options, status] of [
      [{ nonsense: "1" }, 422],
      [{ url: "http://10.0.0.1/" }, 403],
    ] as const) {
      const response = await client.capture(options);
      expect(response.status).toBe(status);
      expect(response.headers.get("x-ratelimit-limit")).toBe("150");
    }
    const anonymous = await fetch(`${inject("service").baseUrl}/api/v1/usage`);
    expect(anonymous.headers.has("x-ratelimit-limit")).toBe(false);
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
