// Who may go on, and what every answer reports the limit: on real tables.
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiError, errorBody } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { type PlanName, plans } from "../../../lib/contract/plans.ts";
import { PhaseClock } from "../../../lib/engine/pipeline/phase-clock.ts";
import type { Scope } from "../../../lib/service/account/account.ts";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { queryLastUses } from "../../../lib/service/account/rate-limit-store.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { transact } from "../../../lib/service/aws/transaction.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { allowanceFor, creditFor } from "../../../lib/service/billing/quota.ts";
import { readUsedQuota, releaseQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import { admitRequest } from "../../../lib/service/captures/admit.ts";
import { cachePolicy } from "../../../lib/service/captures/cache-key.ts";
import { cacheWrite } from "../../../lib/service/captures/cache-store.ts";
import type { ApiRequest } from "../../../lib/service/http/api-request.ts";
import { authorize } from "../../../lib/service/http/authorize.ts";
import { issueKey } from "../../../lib/service/keys/issue-key.ts";
import { lastKey, withKey, withRevokedKey } from "../../../lib/service/keys/key-ring.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { packCapture } from "../../../lib/service/results/packed-capture-writes.ts";
import { storeCapture } from "../../../lib/service/results/stored-capture-store.ts";
import { whileCallsFail } from "../../support/aws-calls.ts";
import { anApiRequest } from "../../support/builders.ts";
import { collectLoggedErrors } from "../../support/logged-errors.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

/** A customer, whose account was opened some days ago, and whose key has these scopes. */
async function aCustomer(plan: PlanName, { daysAgo = 0, scopes = ["capture", "usage"] as Scope[] } = {}) {
  const openedAt = Date.now() - daysAgo * DAY_MS;
  const { account } = (await openAccount(env.ACCOUNTS_TABLE, { plan, label: "A customer", now: openedAt })).ring;
  const { key, keyId } = await addKey(account.id, { scopes });

  const allowanceNow = (format: string) =>
    allowanceFor(
      {
        accountId: account.id,
        attempt: String(randomInt(2 ** 40)),
        period: periodAt(account, Date.now()),
        credit: creditFor(format),
      },
      plans[plan],
    );
  return {
    accountId: account.id,
    keyId,
    /** A request with the key. */
    request: (parts: Partial<ApiRequest> = {}) => requestWith(key, parts),
    /** Captures that are counted against the quota of a format. */
    taken: (format = "png") => readUsedQuota(env.USAGE_TABLE, allowanceNow(format), Date.now()),
    /** Takes so many captures of the quota. */
    async take(count: number, format: string) {
      const [now, until] = [Date.now(), Date.now() + DAY_MS];
      const captures = Array.from({ length: count }, () => allowanceNow(format));
      await Promise.all(captures.map((capture) => reserveInPeriod(env.USAGE_TABLE, [capture], { now, until })));
    },
    /** Sends as many requests as the plan allows in a minute. */
    async sendAll() {
      const requests = Array.from({ length: plans[plan].requestsPerMinute }, () => requestWith(key));
      await Promise.all(requests.map((request) => authorize(request, scopes[0] ?? "usage", env)));
    },
  };
}

async function addKey(
  accountId: number,
  { scopes, expires_at = null }: { scopes: Scope[]; expires_at?: string | null },
) {
  const { apiKey, key } = issueKey({ account_id: accountId, label: "Website", scopes, expires_at }, Date.now());
  const ring = await updateKeyRing(env.ACCOUNTS_TABLE, accountId, (current) => withKey(current, apiKey));
  return { key, keyId: lastKey(ring).id };
}

function requestWith(key: string, parts: Partial<ApiRequest> = {}): ApiRequest {
  const now = Date.now();
  return anApiRequest({
    headers: { authorization: `Bearer ${key}` },
    requestId: createId(now, 0) + randomInt(2 ** 40),
    receivedAt: now,
    ...parts,
  });
}

/** Options of a capture, parsed. Whether the format exists is not checked. */
const reading = (format = "png", more: Readonly<Record<string, unknown>> = {}) => {
  const rawOptions = { url: "https://example.com/", ...more };
  const options = parseCaptureOptions(rawOptions);
  const output = { rawOptions, options: { ...options, format: format as typeof options.format } };
  const request = { rawOptions, isGroup: false, isSigned: false, responseType: options.response_type };
  return Promise.resolve({ ...request, outputs: [output] as const });
};
const readingFails = () => Promise.reject(new ApiError("VALIDATION_ERROR", "An option is wrong."));
type Reading = ReturnType<typeof reading>;

const admit = (request: ApiRequest, parsing: Reading, resources = env) =>
  admitRequest(request, { parsing, isSigned: false, clock: new PhaseClock() }, resources);

/** Admits a capture that has to be rendered. */
async function capture(request: ApiRequest, options: Reading = reading()) {
  const admitted = await admit(request, options);
  const { caller, reservation } = admitted.captures[0];
  reservation.require();
  return { caller, allowance: reservation.allowance };
}

/** What a refused caller receives. */
async function refusalOf(admission: Promise<unknown>) {
  const error = await admission.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error("The request was not refused", { cause: error });
  return { status: error.status, headers: error.headers, details: errorBody(error, 1)["details"] };
}

const limitOf = ({ responseHeaders }: ApiRequest) => ({
  limit: responseHeaders.get("X-RateLimit-Limit"),
  remaining: responseHeaders.get("X-RateLimit-Remaining"),
});

describe("a capture that may be taken", () => {
  test("has its caller, and a reservation where the plan has a cap", async () => {
    const customer = await aCustomer("free");
    const request = customer.request();
    const { caller, allowance } = await capture(request);
    expect(caller).toMatchObject({ account: { id: customer.accountId }, key: { id: customer.keyId } });
    expect(allowance).toMatchObject({
      accountId: customer.accountId,
      attempt: expect.stringMatching(/^[0-9a-f]{32}$/),
      credit: "screenshots",
      quota: { name: "screenshots", limit: 300 },
      isCapped: true,
    });
    expect(await customer.taken()).toBe(1);
    await releaseQuota(env.USAGE_TABLE, allowance);
    expect(await customer.taken()).toBe(0);
  });

  test("has none where the plan sells overage", async () => {
    const customer = await aCustomer("pro", { daysAgo: 400 });
    expect(await capture(customer.request(), reading("mp4"))).toMatchObject({
      allowance: { credit: "videos", quota: { name: "captures" }, isCapped: false, period: { month: 13 } },
    });
    expect(await customer.taken()).toBe(0);
  });
});

describe("every answer to a caller shows the rate limit", () => {
  test("on success, with the second at which there will be more", async () => {
    const customer = await aCustomer("starter");
    const [first, second] = [customer.request(), customer.request()];
    const earliest = Math.floor(Date.now() / 1000) + 61;
    await capture(first);
    const latest = Math.floor(Date.now() / 1000) + 61;
    await authorize(second, "usage", env);
    expect(limitOf(first)).toEqual({ limit: "40", remaining: "39" });
    expect(limitOf(second)).toEqual({ limit: "40", remaining: "38" });
    const reset = Number(first.responseHeaders.get("X-RateLimit-Reset"));
    expect(reset).toBeGreaterThanOrEqual(earliest);
    expect(reset).toBeLessThanOrEqual(latest);
    expect(second.responseHeaders.get("X-RateLimit-Reset")).toBe(String(reset));
    expect([...first.responseHeaders.keys()]).toEqual([
      "X-RateLimit-Cost",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
    ]);
  });

  test("on 429, with the seconds to wait", async () => {
    const customer = await aCustomer("free");
    await customer.sendAll();
    for (const send of [capture, (request: ApiRequest) => authorize(request, "usage", env)]) {
      const request = customer.request();
      const { status, headers } = await refusalOf(send(request));
      expect(status).toBe(429);
      expect(limitOf(request)).toEqual({ limit: "10", remaining: "0" });
      expect(headers["Retry-After"]).toMatch(/^([1-9]|[1-5]\d|6[01])$/);
    }
  });

  test("on 403", async () => {
    const customer = await aCustomer("pro", { scopes: ["usage"] });
    const request = customer.request();
    expect((await refusalOf(capture(request))).status).toBe(403);
    expect(limitOf(request)).toEqual({ limit: "80", remaining: "79" });
    const other = customer.request();
    expect((await refusalOf(authorize(other, "keys", env))).status).toBe(403);
    expect(limitOf(other)).toEqual({ limit: "80", remaining: "78" });
  });

  test("on 422", async () => {
    const customer = await aCustomer("max");
    const request = customer.request();
    expect((await refusalOf(capture(request, readingFails()))).status).toBe(422);
    expect(limitOf(request)).toEqual({ limit: "150", remaining: "149" });
  });

  test("on 402", async () => {
    const customer = await aCustomer("free");
    await customer.take(50, "gif");
    const request = customer.request();
    expect(await refusalOf(capture(request, reading("gif")))).toMatchObject({
      status: 402,
      details: { quota: "videos", limit: 50, used: 50, resets_at: null },
    });
    expect(limitOf(request)).toEqual({ limit: "10", remaining: "9" });
    await capture(customer.request(), reading("png")); // the other quota
  });

  test("but not on 401, which counts for no account", async () => {
    const customer = await aCustomer("pro");
    const unknown = issueKey({ account_id: customer.accountId, label: "", scopes: [], expires_at: null }, 0).key;
    const requests = [anApiRequest(), requestWith("nonsense"), requestWith(unknown)];
    for (const request of requests) {
      const { status, headers } = await refusalOf(capture(request, readingFails()));
      expect({ status, headers }).toEqual({ status: 401, headers: { "WWW-Authenticate": "Bearer" } });
      expect((await refusalOf(authorize(request, "usage", env))).status).toBe(401);
      expect([...request.responseHeaders]).toEqual([]);
    }
    expect(await queryLastUses(env.USAGE_TABLE, customer.accountId)).toEqual(new Map());
  });
});

describe("no reservation is left by a request that is refused", () => {
  test("with 429", async () => {
    const customer = await aCustomer("free");
    await customer.sendAll();
    const refusals = await Promise.all([1, 2, 3].map(() => refusalOf(capture(customer.request()))));
    expect(refusals.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(await customer.taken()).toBe(0);
  });

  test("with 403", async () => {
    const customer = await aCustomer("free", { scopes: ["usage"] });
    expect((await refusalOf(capture(customer.request()))).status).toBe(403);
    expect(await customer.taken()).toBe(0);
  });

  test("with 422", async () => {
    const customer = await aCustomer("free");
    expect((await refusalOf(capture(customer.request(), readingFails()))).status).toBe(422);
    expect(await customer.taken()).toBe(0);
  });

  test("of 30 at once, of which 10 may be sent and 5 are left", async () => {
    const customer = await aCustomer("free");
    await customer.take(45, "gif");
    const attempts = Array.from({ length: 30 }, () => capture(customer.request(), reading("gif")));
    const settled = await Promise.allSettled(attempts);
    const admitted = settled.filter(({ status }) => status === "fulfilled").length;
    const refused = settled.filter((each) => each.status === "rejected").map(({ reason }) => reason.status);
    expect(refused.filter((status) => status === 429)).toHaveLength(20);
    expect(refused.filter((status) => status === 402)).toHaveLength(10 - admitted);
    expect(admitted).toBeLessThanOrEqual(5);
    expect(await customer.taken("gif")).toBe(45 + admitted);
  });
});

describe("of several reasons to refuse a capture, the first is reported:", () => {
  const overTrial = (scopes: Scope[]) => aCustomer("free", { daysAgo: 8, scopes });

  test("401, the key", async () => {
    const customer = await overTrial(["usage"]);
    await customer.sendAll();
    await updateKeyRing(env.ACCOUNTS_TABLE, customer.accountId, (ring) =>
      withRevokedKey(ring, customer.keyId, new Date().toISOString()),
    );
    expect((await refusalOf(capture(customer.request(), readingFails()))).status).toBe(401);
  });

  test("429, the rate limit", async () => {
    const customer = await overTrial(["usage"]);
    await customer.sendAll();
    expect((await refusalOf(capture(customer.request(), readingFails()))).status).toBe(429);
    expect((await refusalOf(authorize(customer.request(), "keys", env))).status).toBe(429);
  });

  test("403, the scope", async () => {
    const customer = await overTrial(["usage"]);
    expect((await refusalOf(capture(customer.request(), readingFails()))).status).toBe(403);
  });

  test("422, the options", async () => {
    const customer = await overTrial(["capture"]);
    expect((await refusalOf(capture(customer.request(), readingFails()))).status).toBe(422);
  });

  test("402, the quota", async () => {
    const customer = await overTrial(["capture"]);
    expect((await refusalOf(capture(customer.request()))).status).toBe(402);
  });
});

describe("the cached result of a capture", () => {
  const cached = (format = "png") => reading(format, { cache: true, response_type: "empty" });

  /** Caches a result for the account, of a capture with these options. */
  async function fill(accountId: number, parsing: Reading) {
    const address = cachePolicy((await parsing).outputs[0].options, accountId);
    if (!address) throw new Error("The options do not use the cache.");
    const facts = {
      mimeType: "image/png",
      finalUrl: null,
      statusCode: null,
      warnings: [],
      problems: [],
      quality: 100,
      metadata: {},
      slices: [],
    };
    const result = { body: Buffer.of(1), format: "png" as const, ...facts };
    const how = { lifetimeSeconds: 3_600, disposition: "inline", accountId: 7 };
    const stored = await storeCapture(env.RESULTS_BUCKET, result, how);
    const capture = await packCapture(env.RESULTS_BUCKET, stored);
    const until = Date.now() + DAY_MS;
    await transact([
      cacheWrite(env.ACTIVITY_TABLE, address, {
        capture,
        resultKey: stored.key,
        isCounted: false,
        until,
        staleUntil: until,
      }),
    ]);
    return stored;
  }

  test("is found while the quota is reserved", async () => {
    const customer = await aCustomer("free");
    const stored = await fill(customer.accountId, cached());
    const admitted = await admit(customer.request(), cached());
    expect(admitted.cached?.[0]?.stored).toEqual(stored);
    expect(admitted.captures[0].reservation.isGranted).toBe(true);
    expect(await customer.taken()).toBe(1);
    await admitted.captures[0].reservation.release();
    expect(await customer.taken()).toBe(0);
  });

  test("is found when no quota is left, and then only rendering is refused", async () => {
    const [usedUp, over] = [await aCustomer("free"), await aCustomer("free", { daysAgo: 8 })];
    await usedUp.take(50, "gif");
    for (const [customer, taken] of [[usedUp, 50] as const, [over, 0] as const]) {
      const stored = await fill(customer.accountId, cached("gif"));
      const admitted = await admit(customer.request(), cached("gif"));
      const { reservation } = admitted.captures[0];
      expect([admitted.cached?.[0]?.stored, reservation.isGranted]).toEqual([stored, false]);
      expect(() => reservation.require()).toThrow(expect.objectContaining({ code: "QUOTA_EXCEEDED", status: 402 }));
      await reservation.release();
      expect(await customer.taken("gif")).toBe(taken);
    }
  });

  test("leaves no reservation when its lookup fails", async () => {
    const customer = await aCustomer("free");
    const admission = admit(customer.request(), cached(), { ...env, ACTIVITY_TABLE: "no-such-table" });
    await expect(admission).rejects.toThrow(/resource|table/i);
    expect(await customer.taken()).toBe(0);
  });

  test("whose quota can't be released is still refused with the error of its request, and the failure is logged", async () => {
    const loggedErrors = collectLoggedErrors();
    const customer = await aCustomer("free");
    await customer.sendAll();
    const refused = await whileCallsFail(/:released/, () => refusalOf(admit(customer.request(), cached())));
    expect([refused.status, loggedErrors()]).toEqual([429, ["quota reservation not released"]]);
    expect(await customer.taken()).toBe(1);
  });

  test("is not looked up for a key without the scope", async () => {
    const customer = await aCustomer("pro", { scopes: ["usage"] });
    const sending = vi.spyOn(dynamodb(), "send");
    expect((await refusalOf(admit(customer.request(), cached()))).status).toBe(403);
    const tables = sending.mock.calls.map(([{ input }]) => Reflect.get(input, "TableName"));
    sending.mockRestore();
    expect(tables).toContain(env.USAGE_TABLE);
    expect(tables).not.toContain(env.ACTIVITY_TABLE);
  });
});

describe("a trial", () => {
  test("that is over by its date refuses captures and shows what was used of it", async () => {
    const customer = await aCustomer("free", { daysAgo: 7 });
    await customer.take(12, "png");
    expect((await refusalOf(capture(customer.request()))).details).toEqual({
      quota: "screenshots",
      limit: 300,
      used: 12,
      resets_at: null,
    });
    expect((await refusalOf(capture(customer.request(), reading("mp4")))).details).toMatchObject({ used: 0 });
    expect(await customer.taken()).toBe(12);
  });

  test("that is over still lets its account see what it used", async () => {
    const customer = await aCustomer("free", { daysAgo: 30 });
    expect(await authorize(customer.request(), "usage", env)).toMatchObject({ account: { plan: "free" } });
  });

  test("in its seventh day goes on", async () => {
    const customer = await aCustomer("free", { daysAgo: 6.99 });
    expect(await capture(customer.request())).toMatchObject({ allowance: { isCapped: true } });
  });
});

test("a key is judged by when its request was received", async () => {
  const customer = await aCustomer("pro");
  const expires_at = new Date(Date.now() + DAY_MS).toISOString();
  const { key, keyId } = await addKey(customer.accountId, { scopes: ["usage"], expires_at });
  expect(await authorize(requestWith(key), "usage", env)).toMatchObject({ key: { id: keyId } });
  const late = requestWith(key, { receivedAt: Date.parse(expires_at) });
  expect((await refusalOf(authorize(late, "usage", env))).status).toBe(401);
});

test("the callers of one account share its limit, regardless of their keys", async () => {
  const [customer, other] = [await aCustomer("free"), await aCustomer("free")];
  const { key } = await addKey(customer.accountId, { scopes: ["usage"] });
  await customer.sendAll();
  expect((await refusalOf(authorize(requestWith(key), "usage", env))).status).toBe(429);
  expect(await authorize(other.request(), "usage", env)).toMatchObject({ account: { id: other.accountId } });
});
