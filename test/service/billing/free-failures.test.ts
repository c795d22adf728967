// Free failures on a real table: how many an account can have, counted once, also when requests are concurrent.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import type { ErrorCode } from "../../../lib/contract/errors/error-kinds.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import type { Caller } from "../../../lib/service/account/account.ts";
import { failingOptions, isFreeFailure } from "../../../lib/service/billing/free-failures.ts";
import type { Allowance } from "../../../lib/service/billing/quota.ts";
import {
  type QuotaReservation,
  reserveCancellation,
  reserveQuota,
} from "../../../lib/service/billing/quota-reservation.ts";
import { readUsedFailures, settleFree, settleSuccess } from "../../../lib/service/billing/quota-store.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { whileCallsFail } from "../../support/aws-calls.ts";
import { aCaptureLog, apiErrorOf } from "../../support/builders.ts";
import { collectLoggedErrors } from "../../support/logged-errors.ts";
import { slowTest } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let accounts = 0;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const created_at = "2026-01-01T00:00:00.000Z";
const rule = { fail_if_content_contains: ["x"] };

/** A new account, which captures with a rule unless its options say otherwise. */
function anAccount(plan: "starter" | "free" = "starter") {
  const id = ++accounts;
  const USAGE_TABLE = running.tables.usage;
  const receivedAt = Date.now();
  const account = {
    id,
    plan,
    created_at: new Date(receivedAt).toISOString(),
    billed_from: plan === "free" ? null : created_at,
  };
  const caller = { account, key: { id: 1, key_prefix: "cap_01234567" } } as unknown as Caller;
  const reserve = async (options: object = rule) => {
    const outputs = [{ options: { format: "png", async: false, ...options } }] as const;
    const [reservation] = await reserveQuota({ caller, outputs, receivedAt }, { USAGE_TABLE });
    return reservation;
  };
  /** Records the end of a capture, as often as it is called once. */
  const record = async (
    { allowance }: Pick<QuotaReservation, "allowance">,
    status: "success" | "failed",
    isFreeFailure = false,
  ) => {
    const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: id, status });
    const failed = { milliseconds: 1, endedAt: receivedAt, isFreeFailure };
    const settlement =
      status === "success" ? settleSuccess(USAGE_TABLE, allowance) : settleFree(USAGE_TABLE, allowance, failed);
    const { items, ...increments } = settlement;
    const capture = {
      preferredId: createId(receivedAt, Number.parseInt(allowance.attempt.slice(0, 8), 16) / 2 ** 32),
      attempt: allowance.attempt,
      event,
    };
    await recordCapture({ ...running.tables, retentionDays: 400 }, { ...capture, ...increments }, items);
  };
  const one = async (status: "success" | "failed", options: object = rule) => {
    const reservation = await reserve(options);
    await record(reservation, status, status === "failed");
    return reservation;
  };
  const used = async () => readUsedFailures(USAGE_TABLE, (await reserve({})).allowance, Date.now());
  return {
    reserve,
    record,
    fail: () => one("failed"),
    succeed: (options?: object) => one("success", options),
    used,
    cancel: (allowance: Allowance) => reserveCancellation(allowance, { USAGE_TABLE }),
  };
}

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index++) results.push(await work());
  return results;
}

describe("free failures: an account with fewer than 100 successes", () => {
  test("has 100, and is refused with what is used and how to go on; it captures without rules, and cancels nothing", async () => {
    const account = anAccount();
    await times(100, account.fail);
    expect(await account.used()).toBe(100);
    const refused = await account.reserve({ ...rule, store: true });
    const error = apiErrorOf(() => refused.require());
    expect(refused.isGranted).toBe(false);
    expect(error).toMatchObject({
      code: "FREE_FAILURES_USED",
      status: 429,
      figures: { used: 100, limit: 100, resets_at: expect.stringMatching(/^\d{4}-/) },
      headers: {},
    });
    expect(error.message).toContain("Correct the storage that refuses your captures.");
    expect(error.message).toContain("send requests without `store`, `fail_if_content_contains`.");

    // It captures without such options as before, and cancels nothing.
    const other = await account.reserve({});
    expect([other.isGranted, (await account.reserve()).isGranted]).toEqual([true, false]);
    const cancelling = await account.cancel(other.allowance).catch((thrown) => thrown);
    expect(cancelling).toMatchObject({ code: "FREE_FAILURES_USED" });
    expect(cancelling.message).toContain("The capture isn't cancelled");
  });

  slowTest(
    "has no more of them when 130 requests end at once, and the others are refused for the time being",
    async () => {
      const account = anAccount();
      const reservations = await Promise.all(Array.from({ length: 130 }, () => account.reserve()));
      const granted = reservations.filter(({ isGranted }) => isGranted);
      expect(granted).toHaveLength(100);
      const [waiting] = reservations.filter(({ isGranted }) => !isGranted);
      expect(apiErrorOf(() => waiting?.require())).toMatchObject({
        code: "RATE_LIMITED",
        headers: { "Retry-After": "10" },
      });
      for (const reservation of granted) await account.record(reservation, "failed", true);
      expect(await account.used()).toBe(100);
      const later = await account.reserve();
      expect(apiErrorOf(() => later.require()).code).toBe("FREE_FAILURES_USED");
    },
  );

  test("gets back what captures that succeed, fail otherwise, or are not attempted have reserved", async () => {
    const account = anAccount();
    await account.succeed();
    await account.record(await account.reserve(), "failed", false);
    await (await account.reserve()).release();
    expect(await account.used()).toBe(0);
    await account.fail();
    expect(await account.used()).toBe(1);
  });

  test("is counted once for a failure that is recorded twice, also when its reservation has expired", async () => {
    const account = anAccount();
    const reservation = await account.reserve();
    await reservation.release();
    await times(2, () => account.record(reservation, "failed", true));
    expect(await account.used()).toBe(1);
  });
});

test("free failures: an account has as many as successes beyond 100", async () => {
  const account = anAccount();
  await times(102, () => account.succeed({}));
  await times(102, account.fail);
  expect(await account.used()).toBe(102);
  expect((await account.reserve()).isGranted).toBe(false);
  await account.succeed({});
  expect((await account.reserve()).isGranted).toBe(true);
});

test("free failures: a trial that has used them has its quota back, and captures without rules", async () => {
  const account = anAccount("free");
  const first = await account.reserve({});
  await first.release();
  await times(100, account.fail);
  const refused = await account.reserve();
  expect([refused.isGranted, refused.remaining]).toEqual([false, undefined]);
  expect((await account.reserve({})).remaining).toBe(first.remaining);
});

describe("free failures: a cancellation", () => {
  test("needs one, which is released if it does not come about", async () => {
    const account = anAccount();
    const { allowance } = await account.reserve({});
    const reserved = await account.cancel(allowance);
    expect(await account.used()).toBe(1);
    await reserved.disposeAsync();
    expect(await account.used()).toBe(0);
  });

  test("that does not come about isn't hidden by a release that fails, which is logged", async () => {
    const loggedErrors = collectLoggedErrors();
    const account = anAccount();
    const reserved = await account.cancel((await account.reserve({})).allowance);
    await whileCallsFail(/:released/, () => reserved.disposeAsync());
    expect([await account.used(), loggedErrors()]).toEqual([1, ["free failure not released"]]);
  });

  test("of a capture with rules needs no further one, and is counted once", async () => {
    const account = anAccount();
    const reservation = await account.reserve();
    (await account.cancel(reservation.allowance)).move();
    expect(await account.used()).toBe(1);
    await account.record(reservation, "failed", true);
    expect(await account.used()).toBe(1);
  });
});

describe("free failures: what counts", () => {
  const url = "https://example.com";
  const storage = {
    store: true,
    storage_path: "a",
    storage_bucket: "bucket",
    storage_access_key_id: "a",
    storage_secret_access_key: "b",
  };

  test.each<[string, object, string[]]>([
    ["nothing of an ordinary request", { selector: "h1", fail_on_status: "404" }, []],
    ["an upload", storage, ["store"]],
    ["a rule on the content", { fail_if_content_missing: "a" }, ["fail_if_content_missing"]],
    ["a rule on requests", { fail_if_request_failed: "*/api/*" }, ["fail_if_request_failed"]],
    ["a rule on selectors", { fail_if_selector_present: "h1" }, ["fail_if_selector_present"]],
    ["a rule on problems", { fail_if_problem: "ERROR_PAGE" }, ["fail_if_problem"]],
    ["a minimum of quality", { min_quality: 50 }, ["min_quality"]],
    ["scripts", { scripts: "1" }, ["scripts"]],
    ["an expression", { wait_for_expression: "true" }, ["wait_for_expression"]],
  ])("of the options: %s", (_, options, names) => {
    expect(failingOptions(parseCaptureOptions({ url, ...options }))).toEqual(names);
  });

  test.each<[ErrorCode, boolean, boolean]>([
    ["CONTENT_RULE_FAILED", true, true],
    ["STORAGE_FAILED", true, true],
    ["CANCELLED", true, true],
    ["SELECTOR_NOT_FOUND", false, true],
    ["CAPTURE_TIMEOUT", false, true],
    ["PAGE_CRASHED", false, true],
    ["SCRIPT_FAILED", false, true],
    ["TARGET_NAME_NOT_RESOLVED", false, false],
    ["TARGET_HTTP_ERROR", false, false],
    ["URL_NOT_ALLOWED", false, false],
    ["QUOTA_EXCEEDED", false, false],
  ])("of the failures: %s alone is one (%s), and after scripts (%s)", (code, alone, afterScripts) => {
    const error = new ApiError(code, "It failed.");
    expect([isFreeFailure(error, { url }), isFreeFailure(error, { url, scripts: "x" })]).toEqual([alone, afterScripts]);
  });
});
