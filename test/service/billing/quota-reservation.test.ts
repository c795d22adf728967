// The quota of a request with several outputs, on a real table: how many writes it takes, and what is left when it isn't enough for all.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { type PlanName, plans } from "../../../lib/contract/plans.ts";
import { type Caller, toCaller } from "../../../lib/service/account/account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { dayLimitKey, failuresKey, keyLimitKey, periodKey } from "../../../lib/service/aws/table-keys.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { allowanceFor } from "../../../lib/service/billing/quota.ts";
import { readQuotaRemaining } from "../../../lib/service/billing/quota-remaining.ts";
import {
  type QuotaReservation,
  releaseAll,
  requireQuotaForAll,
  reserveQuota,
} from "../../../lib/service/billing/quota-reservation.ts";
import { readUsedFailures, readUsedQuota, reserveInPeriod } from "../../../lib/service/billing/quota-store.ts";
import { utcDay } from "../../../lib/service/usage/day.ts";
import { callsOf, whileCalling, whileCallsFail } from "../../support/aws-calls.ts";
import { anAccount, anApiKey, apiErrorOf } from "../../support/builders.ts";
import { collectLoggedErrors } from "../../support/logged-errors.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let env: { readonly USAGE_TABLE: string };
beforeAll(async () => {
  running = await startTables();
  env = { USAGE_TABLE: running.tables.usage };
  await aCustomer().reserve(["png"]); // reads whether trials are paused, once a minute
});
afterAll(() => running.close());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KEY_ID = 7;
const PAST = "2026-01-01T00:00:00.000Z";
const rule = { fail_if_content_contains: ["x"] };
type Format = "png" | "pdf" | "mp4";

let accounts = 0;
function aCustomer({
  plan = "free" as PlanName,
  keyLimit = undefined as number | undefined,
  dayLimit = undefined as number | undefined,
  dayLimitEnds = null as string | null,
  key_prefix = "cap_01234567",
  openedAt = Date.now(),
} = {}) {
  const created_at = new Date(openedAt).toISOString();
  const id = ++accounts;
  const account = anAccount({
    ...{ id, plan, created_at, billed_from: plan === "free" ? null : created_at },
    ...(dayLimit !== undefined && { limits: { captures_per_day: { value: dayLimit, until: dayLimitEnds } } }),
  });
  const earlier = { start: created_at, captures: 0 };
  const monthly_limit = keyLimit === undefined ? null : { captures: keyLimit, earlier };
  const caller: Caller = toCaller(account, anApiKey({ account_id: id, id: KEY_ID, key_prefix, monthly_limit }));
  const receivedAt = Date.now();
  const period = periodAt(account, receivedAt);
  const today = utcDay(receivedAt);
  const allowance = (format: Format, attempt = "a") =>
    allowanceFor({ accountId: id, attempt, period, credit: format === "mp4" ? "videos" : "screenshots" }, plans[plan]);
  const add = (Key: Record<string, string>, counter: string, count: number) =>
    dynamodb().send(
      new UpdateCommand({
        TableName: env.USAGE_TABLE,
        Key,
        UpdateExpression: "ADD #counter :count",
        ExpressionAttributeNames: { "#counter": counter },
        ExpressionAttributeValues: { ":count": count },
      }),
    );
  return {
    reserve: (formats: readonly Format[], options: object = {}) => {
      const outputs = formats.map((format) => ({ options: { format, async: false, ...options } }));
      return reserveQuota({ caller, outputs, receivedAt }, env);
    },
    reserveOutputs: (outputs: Parameters<typeof reserveQuota>[0]["outputs"]) =>
      reserveQuota({ caller, outputs, receivedAt }, env),
    /** Counts captures of a quota, of the key's limit, or free failures, as used. */
    use: (counter: "screenshots" | "videos", count: number) =>
      add(periodKey(id, period.start), `taken_${counter}`, count),
    useKey: (count: number) => add(keyLimitKey(id, period.start, KEY_ID), "taken_captures", count),
    useDay: (count: number) => add(dayLimitKey(id, today), "taken_captures", count),
    useFailures: (count: number) => add(failuresKey(id, period.start), "taken_failures", count),
    allowance,
    used: async () => ({
      screenshots: await readUsedQuota(env.USAGE_TABLE, allowance("png"), receivedAt),
      videos: await readUsedQuota(env.USAGE_TABLE, allowance("mp4"), receivedAt),
      failures: await readUsedFailures(env.USAGE_TABLE, { accountId: id, period }, receivedAt),
    }),
    remaining: (reservations: readonly QuotaReservation[]) => readQuotaRemaining(reservations, plans[plan], env),
  };
}

const five = Array.from({ length: 5 }, () => "png" as const);
const granted = (reservations: readonly QuotaReservation[]) => reservations.map(({ isGranted }) => isGranted);
const errorOf = (reservations: readonly QuotaReservation[]): ApiError =>
  apiErrorOf(() => requireQuotaForAll(reservations.map((reservation) => ({ reservation }))));

describe("quota of several outputs: if there is enough,", () => {
  test.each<[string, Parameters<typeof aCustomer>[0], readonly Format[], object, number]>([
    ["an image", {}, ["png"], {}, 1],
    ["five images", {}, five, {}, 1],
    ["eight images", {}, [...five, "pdf", "png", "pdf"], {}, 1],
    ["images and a video", {}, ["png", "mp4", "pdf", "png"], {}, 2],
    ["five images with a rule", {}, five, rule, 2],
    ["an image with a rule", {}, ["png"], rule, 2],
    ["five images of a key with a limit", { keyLimit: 9 }, five, {}, 2],
    ["images and a video of a key with a limit, with a rule", { keyLimit: 9 }, ["png", "mp4", "png"], rule, 4],
    ["five tests", { key_prefix: "cap_test_01234567" }, ["png", "mp4", "png", "png", "png"], {}, 1],
    ["images and a video of a plan without a cap", { plan: "starter" }, ["png", "mp4", "png"], {}, 0],
    ["images and a video of an account with a daily limit", { plan: "max", dayLimit: 9 }, ["png", "mp4"], {}, 1],
    ["five images of both, and with a rule", { keyLimit: 9, dayLimit: 9 }, five, rule, 4],
    ["tests of an account with a daily limit", { dayLimit: 0, key_prefix: "cap_test_01234567" }, five, {}, 1],
    ["five images after the end of the limit", { plan: "pro", dayLimit: 0, dayLimitEnds: PAST }, five, {}, 0],
    ["images and a video of such a plan, of a key with a limit", { plan: "pro", keyLimit: 9 }, ["png", "mp4"], {}, 1],
  ])("%s take one write for each counter", async (_, terms, formats, options, writes) => {
    const customer = aCustomer(terms);
    const { result, calls } = await callsOf(() => customer.reserve(formats, options));
    expect(granted(result)).toEqual(formats.map(() => true));
    expect(calls).toEqual(writes === 0 ? {} : { UpdateItemCommand: writes });
    expect(new Set(result.map(({ allowance }) => allowance.attempt)).size).toBe(formats.length);
    const credits = result.map(({ allowance }) => allowance.credit);
    expect(credits).toEqual(formats.map((format) => (format === "mp4" ? "videos" : "screenshots")));
  });

  test("all is counted, what remains follows from all of them, and each is released once", async () => {
    const customer = aCustomer();
    await customer.use("screenshots", 100);
    const reservations = await customer.reserve(["png", "mp4", "png", "png", "png"], rule);
    expect(await customer.used()).toEqual({ screenshots: 104, videos: 1, failures: 5 });
    expect(await customer.remaining(reservations)).toEqual({ ifCaptured: 49, ifFree: 54 });
    await releaseAll(reservations.slice(0, 2));
    await releaseAll(reservations.slice(0, 2));
    expect(await customer.used()).toEqual({ screenshots: 103, videos: 0, failures: 3 });
    await releaseAll(reservations);
    expect(await customer.used()).toEqual({ screenshots: 100, videos: 0, failures: 0 });
  });

  test("a free failure is reserved for those alone whose own options can make them fail", async () => {
    const customer = aCustomer({ plan: "starter" });
    const options = { format: "png", async: false } as const;
    const { result, calls } = await callsOf(() =>
      customer.reserveOutputs([{ options }, { options: { ...options, ...rule } }, { options }]),
    );
    expect(calls).toEqual({ UpdateItemCommand: 1 });
    expect(result.map(({ allowance }) => allowance.reservesFailure)).toEqual([undefined, true, undefined]);
    expect(await customer.used()).toMatchObject({ failures: 1 });
  });

  test("what remains is the least of the quota and of the key's limit", async () => {
    const customer = aCustomer({ keyLimit: 40 });
    await customer.useKey(10);
    expect(await customer.remaining(await customer.reserve(five))).toEqual({ ifCaptured: 25, ifFree: 30 });
  });

  test("what remains is the least of the quota, the key's limit, and the daily limit", async () => {
    const customer = aCustomer({ keyLimit: 40, dayLimit: 20 });
    await customer.useDay(4);
    const reservations = await customer.reserve(five);
    expect(await customer.remaining(reservations)).toEqual({ ifCaptured: 11, ifFree: 16 });
    await releaseAll(reservations);
    expect(await customer.remaining(await customer.reserve(["png"]))).toEqual({ ifCaptured: 15, ifFree: 16 });
  });

  test("they take the places of captures whose workers died", async () => {
    const customer = aCustomer();
    await customer.use("screenshots", 294);
    const now = Date.now() - 2 * MINUTE_MS;
    const died = ["a", "b", "c", "d", "e", "f"].map((attempt) => customer.allowance("png", attempt));
    await reserveInPeriod(env.USAGE_TABLE, died, { now, until: now + MINUTE_MS });
    expect(granted(await customer.reserve(five))).toEqual([true, true, true, true, true]);
    expect(await customer.used()).toMatchObject({ screenshots: 299 });
  });
});

describe("quota of several outputs: if there isn't enough,", () => {
  test("the first ones get what is left, and the error says for how many there is quota", async () => {
    const customer = aCustomer();
    await customer.use("screenshots", 297);
    const reservations = await customer.reserve(five);
    expect(granted(reservations)).toEqual([true, true, true, false, false]);
    expect(reservations.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
    expect(await customer.used()).toMatchObject({ screenshots: 300 });
    const error = errorOf(reservations);
    expect(error.message).toMatch(
      /^The request has 5 outputs, and there is quota for 3 of them, so nothing was captured\. The free trial is used up: 300 of 300 screenshots are taken\./,
    );
    expect(error).toMatchObject({
      code: "QUOTA_EXCEEDED",
      figures: { quota: "screenshots", limit: 300, used: 300, resets_at: null },
    });
    await releaseAll(reservations);
    expect(await customer.used()).toMatchObject({ screenshots: 297 });
  });

  test("none of them at all, the error is that of one capture", async () => {
    const customer = aCustomer();
    await customer.use("screenshots", 300);
    const refused = errorOf(await customer.reserve(five));
    expect(refused.message).toBe(errorOf(await customer.reserve(["png"])).message);
    expect(refused.message).toMatch(/^The free trial is used up/);
  });

  test("one quota refuses its own outputs, and the other ones have theirs", async () => {
    const customer = aCustomer();
    await customer.use("videos", 50);
    const reservations = await customer.reserve(["png", "mp4", "png"]);
    expect(granted(reservations)).toEqual([true, false, true]);
    expect(errorOf(reservations).message).toContain("there is quota for 2 of them");
    expect(errorOf(reservations).figures).toMatchObject({ quota: "videos", limit: 50, used: 50 });
    expect(await customer.used()).toEqual({ screenshots: 2, videos: 50, failures: 0 });
  });

  test.each([3, 0])("of a key with %i of 10 captures left, the error has the key's figures", async (left) => {
    const customer = aCustomer({ keyLimit: 10 });
    await customer.useKey(10 - left);
    const reservations = await customer.reserve(five);
    expect(granted(reservations)).toEqual(five.map((_, index) => index < left));
    expect(errorOf(reservations).figures).toMatchObject({ quota: "key", limit: 10, used: 10 });
    expect(await customer.used()).toMatchObject({ screenshots: left });
  });

  test("a limit of the key below the number of outputs grants as many as it allows", async () => {
    const reservations = await aCustomer({ plan: "pro", keyLimit: 2 }).reserve(five);
    expect(granted(reservations)).toEqual([true, true, false, false, false]);
    expect(errorOf(reservations).figures).toMatchObject({ quota: "key", limit: 2, used: 2 });
  });

  test.each([3, 0])("of an account with %i of 10 captures of the day left, the error has its figures", async (left) => {
    const customer = aCustomer({ plan: "max", dayLimit: 10, keyLimit: 100 });
    await customer.useDay(10 - left);
    const reservations = await customer.reserve(five);
    expect(granted(reservations)).toEqual(five.map((_, index) => index < left));
    const [, , , , last] = reservations;
    const midnight = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS).toISOString();
    expect(apiErrorOf(() => last?.require())).toMatchObject({
      code: "QUOTA_EXCEEDED",
      status: 402,
      message: `The account has reached the limit of captures a day that the operator of the service has set for it: 10 of 10 captures are taken. It resets at ${midnight}.`,
      figures: { quota: "captures_per_day", limit: 10, used: 10, resets_at: midnight },
    });
  });

  test("of the quota, the daily limit and the key's limit get back what they don't need", async () => {
    const customer = aCustomer({ keyLimit: 6, dayLimit: 6 });
    await customer.use("screenshots", 299);
    const reservations = await customer.reserve(five);
    expect(granted(reservations)).toEqual([true, false, false, false, false]);
    await releaseAll(reservations);
    await customer.use("screenshots", -100);
    expect(granted(await customer.reserve([...five, "png"]))).toEqual(Array(6).fill(true));
  });

  test("of the daily limit, the key's limit gets back what it doesn't need", async () => {
    const customer = aCustomer({ plan: "pro", keyLimit: 3, dayLimit: 3 });
    await customer.useDay(3);
    expect(granted(await customer.reserve(five))).toEqual(Array(5).fill(false));
    await customer.useDay(-3);
    expect(granted(await customer.reserve(["png", "png", "png"]))).toEqual(Array(3).fill(true));
  });

  test("of the quota, the key's limit gets back what it doesn't need", async () => {
    const customer = aCustomer({ keyLimit: 6 });
    await customer.use("screenshots", 299);
    const reservations = await customer.reserve(five);
    expect(granted(reservations)).toEqual([true, false, false, false, false]);
    await releaseAll(reservations);
    await customer.use("screenshots", -100);
    expect(granted(await customer.reserve([...five, "png"]))).toEqual(Array(6).fill(true));
  });

  test("of the free failures, the first ones get them, and the quota of the others is released", async () => {
    const customer = aCustomer();
    await customer.useFailures(98);
    const reservations = await customer.reserve(five, rule);
    expect(granted(reservations)).toEqual([true, true, false, false, false]);
    expect(errorOf(reservations)).toMatchObject({ code: "RATE_LIMITED", headers: { "Retry-After": "10" } });
    expect(await customer.used()).toEqual({ screenshots: 2, videos: 0, failures: 100 });
    await releaseAll(reservations);
    await customer.useFailures(2);
    const used = errorOf(await customer.reserve(five, rule));
    expect(used).toMatchObject({ code: "FREE_FAILURES_USED", figures: { used: 100, limit: 100 } });
    expect(await customer.used()).toEqual({ screenshots: 0, videos: 0, failures: 100 });
  });

  test("because the trial is over, all of them are refused", async () => {
    const customer = aCustomer({ openedAt: Date.UTC(2020, 0, 1) });
    const { result, calls } = await callsOf(() => customer.reserve(["png", "mp4"]));
    expect(granted(result)).toEqual([false, false]);
    expect(errorOf(result).message).toMatch(/^The free trial ended at/);
    expect(calls).not.toHaveProperty("UpdateItemCommand");
  });

  test("one capture is refused with one write", async () => {
    const customer = aCustomer();
    await customer.use("screenshots", 300);
    const { result, calls } = await callsOf(() => customer.reserve(["png"]));
    expect([granted(result), calls]).toEqual([[false], { UpdateItemCommand: 1 }]);
  });
});

test("quota of several outputs: requests that race for the last places never exceed the quota, and release what they don't use", async () => {
  const customer = aCustomer({ keyLimit: 280 });
  await customer.use("screenshots", 280);
  await customer.useKey(250);
  const requests = await Promise.all(Array.from({ length: 12 }, () => customer.reserve(["png", "pdf", "png"])));
  const whole = requests.filter((reservations) => granted(reservations).every(Boolean));
  expect(requests.flatMap(granted).filter(Boolean).length).toBeLessThanOrEqual(20);
  expect(whole.length).toBeGreaterThan(0);
  for (const reservations of requests) if (!whole.includes(reservations)) await releaseAll(reservations);
  expect(await customer.used()).toEqual({ screenshots: 280 + 3 * whole.length, videos: 0, failures: 0 });
});

test("daily limit: of 20 captures at once, of all formats, exactly as many are granted as it allows", async () => {
  const customer = aCustomer({ plan: "pro", dayLimit: 7 });
  const formats = (["png", "mp4", "pdf"] as const).flatMap((format) => Array.from({ length: 7 }, () => format));
  const requests = await Promise.all(formats.slice(0, 20).map((format) => customer.reserve([format])));
  expect(requests.flatMap(granted).filter(Boolean)).toHaveLength(7);
  await Promise.all(requests.map((reservations) => releaseAll(reservations)));
  expect(granted(await customer.reserve(["png"]))).toEqual([true]);
});

describe("quota: a write that fails", () => {
  const failed = new Error("DynamoDB is out of reach.");

  const counters = ["key", "day", "screenshots", "videos", "failures"];
  test.each(counters)("in the counter %s leaves nothing reserved", async (counter) => {
    const customer = aCustomer({ keyLimit: 9, dayLimit: 9 });
    let writes = 0;
    const last = counters.indexOf(counter) + 1;
    const failing = (name: string) => {
      if (name === "UpdateItemCommand" && ++writes === last) throw failed;
    };
    const reserving = whileCalling(failing, () => customer.reserve(["png", "mp4", "png"], rule));
    await expect(reserving).rejects.toBe(failed);
    expect(await customer.used()).toEqual({ screenshots: 0, videos: 0, failures: 0 });
    expect(granted(await customer.reserve([...five, "png", "png", "png"]))).toEqual(Array(8).fill(true)); // of 9
  });

  test("to release the key's limit is logged, and the capture still gets the error of its quota", async () => {
    const loggedErrors = collectLoggedErrors();
    const customer = aCustomer({ keyLimit: 9 });
    await customer.use("screenshots", 300);
    const [reservation] = await whileCallsFail(/:released/, () => customer.reserve(["png"]));
    expect(apiErrorOf(() => reservation?.require())).toMatchObject({ code: "QUOTA_EXCEEDED", status: 402 });
    expect(loggedErrors()).toEqual(["quota reservation not released"]);
  });
});
