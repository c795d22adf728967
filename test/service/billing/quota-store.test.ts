// Quota reservation on a real table: reserved, released, settled, and expired after a crash.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Credit, type Plan, plans } from "../../../lib/contract/plans.ts";
import { getItem } from "../../../lib/service/aws/items.ts";
import { dayLimitKey } from "../../../lib/service/aws/table-keys.ts";
import { readCounts, readKeyCounts } from "../../../lib/service/billing/period-store.ts";
import { type Allowance, allowanceFor } from "../../../lib/service/billing/quota.ts";
import {
  readKeyCounter,
  readUsedQuota,
  releaseQuota,
  reserveInLimit,
  reserveInPeriod,
  settleFree,
  settleSuccess,
} from "../../../lib/service/billing/quota-store.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const NOON = Date.UTC(2026, 0, 31, 12);
const HOLD_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const period = { start: "2026-01-31T00:00:00.000Z", end: "2026-02-07T00:00:00.000Z", month: undefined };

let running: RunningTables;
let usage: string;
let accounts = 0;
beforeAll(async () => {
  running = await startTables();
  usage = running.tables.usage;
});
afterAll(() => running.close());

type Terms = Pick<Plan, "quotas" | "overagePrice">;

/** A plan with a hard cap of this many screenshots. */
const capped = (screenshots: number): Terms => ({ quotas: { screenshots, videos: 50 } });

/** An account without captures, under terms of its own. */
function anAccountWith(terms: Terms) {
  const accountId = ++accounts;
  let captures = 0;
  const capture = (credit: Credit = "screenshots") =>
    allowanceFor({ accountId, attempt: String(createId(NOON, 0) + captures++ * 16), period, credit }, terms);
  return {
    capture,
    captures: (count: number) => Array.from({ length: count }, () => capture()),
    /** The counted successes, and the used quota. */
    read: async (now = NOON) => ({
      ...(await readCounts(usage, accountId, period)),
      taken: await readUsedQuota(usage, capture(), now),
    }),
  };
}

/** Resolves to the used amount where the quota is exhausted. */
const hold = async (allowance: Allowance, now = NOON) => {
  const { taken, isReserved } = await reserveInPeriod(usage, [allowance], { now, until: now + HOLD_MS });
  return isReserved ? undefined : { taken };
};

/** Records a capture with its settlement; repeated calls use the same attempt. */
function record(
  allowance: Allowance,
  status: "success" | "failed",
  {
    attempt = allowance.attempt,
    preferredId = Number(allowance.attempt),
    failed,
  }: { attempt?: string; preferredId?: number; failed?: Parameters<typeof settleFree>[2] } = {},
) {
  const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: allowance.accountId, status });
  const records = { ...running.tables, retentionDays: 400 };
  const { items, ...increments } =
    status === "success" ? settleSuccess(usage, allowance) : settleFree(usage, allowance, failed);
  return recordCapture(records, { preferredId: preferredId, attempt, event, ...increments }, items);
}
const succeed = (allowance: Allowance) => record(allowance, "success");
const fail = (allowance: Allowance) => record(allowance, "failed");

/** The number of reservations, and what the rejected captures got. */
async function heldOf(answers: Promise<{ taken: number } | undefined>[]) {
  const refusals = (await Promise.all(answers)).filter((answer) => answer !== undefined);
  return { held: answers.length - refusals.length, reported: [...new Set(refusals.map(({ taken }) => taken))] };
}

test("quota: failed captures of a day take at most half an hour, each is counted once, and the next day begins with none", async () => {
  const account = anAccountWith(capped(10));
  const failAfter = async (minutes: number) => {
    const allowance = account.capture();
    await hold(allowance);
    const failed = { milliseconds: minutes * 60_000, endedAt: NOON + HOLD_MS, isFreeFailure: false };
    for (let times = 0; times < 2; times++) await record(allowance, "failed", { failed });
  };
  await failAfter(29);
  expect(await hold(account.capture())).toBeUndefined();
  await failAfter(1);
  const times = { now: NOON + HOLD_MS, until: NOON + 2 * HOLD_MS };
  const refused = { taken: 1, isReserved: false, isAtBound: true };
  expect(await reserveInPeriod(usage, [account.capture("screenshots")], times)).toEqual(refused);
  expect(await reserveInPeriod(usage, [account.capture("videos")], times)).toEqual({ ...refused, taken: 0 });
  expect(await hold(account.capture(), NOON + DAY_MS)).toBeUndefined();
});

describe("quota: concurrent captures", () => {
  const holdAll = (captures: readonly Allowance[], now = NOON) => heldOf(captures.map((capture) => hold(capture, now)));

  test.each([1, 7])(
    "of 60 with %d remaining: exactly that many are reserved, and the others get the used amount",
    async (left) => {
      const account = anAccountWith(capped(left));
      expect(await holdAll(account.captures(60))).toEqual({ held: left, reported: [left] });
      expect(await account.read()).toEqual({ screenshots: 0, videos: 0, taken: left });
    },
  );

  test("of 60 with 100 remaining: all are reserved, and 40 after them", async () => {
    const account = anAccountWith(capped(100));
    expect(await holdAll(account.captures(60))).toEqual({ held: 60, reported: [] });
    expect(await holdAll(account.captures(60))).toEqual({ held: 40, reported: [100] });
  });

  test("of 60: as many are reserved as workers that died left behind", async () => {
    const account = anAccountWith(capped(40));
    await holdAll(account.captures(35));
    await holdAll(account.captures(5), NOON + 1);
    expect(await holdAll(account.captures(60), NOON + HOLD_MS)).toEqual({ held: 35, reported: [40] });
    expect((await account.read(NOON + HOLD_MS)).taken).toBe(40);
  });
});

describe("quota: a reservation", () => {
  test("made twice for the same attempt counts once", async () => {
    const account = anAccountWith(capped(2));
    const capture = account.capture();
    expect(await Promise.all([hold(capture), hold(capture), hold(capture)])).toEqual([undefined, undefined, undefined]);
    expect((await account.read()).taken).toBe(1);
  });

  test("is kept by its attempt when nothing remains", async () => {
    const account = anAccountWith(capped(1));
    const capture = account.capture();
    await hold(capture);
    expect(await hold(capture)).toBeUndefined();
    expect(await hold(account.capture())).toEqual({ taken: 1 });
  });

  test("is released once, however often it is released", async () => {
    const account = anAccountWith(capped(2));
    const [one, other] = [account.capture(), account.capture()];
    await hold(one);
    await hold(other);
    await Promise.all([releaseQuota(usage, one), releaseQuota(usage, one)]);
    await releaseQuota(usage, one);
    expect((await account.read()).taken).toBe(1);
    expect(await hold(account.capture())).toBeUndefined();
    expect(await hold(account.capture())).toEqual({ taken: 2 });
  });

  test("that does not exist releases nothing", async () => {
    const account = anAccountWith(capped(2));
    await releaseQuota(usage, account.capture());
    expect((await account.read()).taken).toBe(0);
  });

  test("whose holder died is given to the next capture once it has expired, not a millisecond sooner", async () => {
    const account = anAccountWith(capped(1));
    await hold(account.capture());
    expect(await hold(account.capture(), NOON + HOLD_MS - 1)).toEqual({ taken: 1 });
    expect(await hold(account.capture(), NOON + HOLD_MS)).toBeUndefined();
    expect(await hold(account.capture(), NOON + HOLD_MS)).toEqual({ taken: 1 });
  });

  test("that has expired is not reported as used", async () => {
    const account = anAccountWith(capped(3));
    await hold(account.capture());
    await hold(account.capture(), NOON + 1);
    expect((await account.read(NOON + HOLD_MS - 1)).taken).toBe(2);
    expect((await account.read(NOON + HOLD_MS)).taken).toBe(1);
  });

  test("of one quota does not affect another", async () => {
    const account = anAccountWith({ quotas: { screenshots: 1, videos: 1 } });
    await hold(account.capture("videos"));
    await hold(account.capture("screenshots"), NOON + HOLD_MS);
    expect(await hold(account.capture("screenshots"), NOON + HOLD_MS)).toEqual({ taken: 1 });
    expect(await hold(account.capture("videos"), NOON + HOLD_MS)).toBeUndefined();
  });
});

describe("monthly limit of a key", () => {
  /** An account whose plan goes on beyond its quota, with a key that has a limit. */
  function aLimitedKey(captures: number, earlier = 0) {
    const account = anAccountWith(plans.pro);
    const keyLimit = { keyId: 7, captures, earlier };
    const capture = () => ({ ...account.capture(), keyLimit });
    const take = (allowance: ReturnType<typeof capture>, now = NOON) =>
      reserveInLimit(usage, [allowance], { limit: { of: "key", ...keyLimit }, now, until: now + HOLD_MS });
    const ids = { accountId: account.capture().accountId, keyId: 7, start: period.start };
    return { account, capture, take, counted: () => readKeyCounter(usage, ids) };
  }

  test.each([
    [10, 0],
    [10, 3],
    [3, 3],
    [2, 9],
    [0, 0],
  ])("of %d after %d earlier ones admits exactly the rest of 30 captures at once", async (captures, earlier) => {
    const { capture, take } = aLimitedKey(captures, earlier);
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => take(capture())));
    const left = Math.max(0, captures - earlier);
    expect(outcomes.filter(({ isReserved }) => isReserved)).toHaveLength(left);
    expect((await take(capture())).taken).toBe(earlier + left);
  });

  test("counts a success once, and gives a failure back once", async () => {
    const { account, capture, take, counted } = aLimitedKey(2);
    const [success, failure] = [capture(), capture()];
    await take(success);
    await take(failure);
    await Promise.all([succeed(success), succeed(success), fail(failure), fail(failure)]);
    expect(await counted()).toBe(1);
    expect((await take(capture())).isReserved).toBe(true);
    expect((await take(capture())).isReserved).toBe(false);
    expect(await account.read()).toMatchObject({ screenshots: 1 }); // billed once
  });

  test("gives back what was not attempted", async () => {
    const { capture, take } = aLimitedKey(1);
    const refused = capture();
    await take(refused);
    expect((await take(capture())).isReserved).toBe(false);
    await Promise.all([releaseQuota(usage, refused), releaseQuota(usage, refused)]);
    expect((await take(capture())).isReserved).toBe(true);
    expect((await take(capture())).isReserved).toBe(false);
  });

  test("of a plan with a hard cap counts in both items, and each is settled once", async () => {
    const account = anAccountWith(capped(5));
    const keyLimit = { keyId: 7, captures: 2, earlier: 0 };
    const allowance = { ...account.capture(), keyLimit };
    await hold(allowance);
    const limit = { of: "key", ...keyLimit } as const;
    await reserveInLimit(usage, [allowance], { limit, now: NOON, until: NOON + HOLD_MS });
    await Promise.all([succeed(allowance), succeed(allowance)]);
    expect(await account.read()).toEqual({ screenshots: 1, videos: 0, taken: 1 });
    const ids = { accountId: allowance.accountId, keyId: 7, start: period.start };
    expect(await readKeyCounter(usage, ids)).toBe(1);
  });

  test("is read by key from what was billed, and from what a hard cap counts", async () => {
    for (const terms of [plans.pro, capped(5)]) {
      const account = anAccountWith(terms);
      const allowance = account.capture();
      await hold(allowance);
      await succeed(allowance);
      expect([...(await readKeyCounts(usage, allowance.accountId, period))]).toEqual([[7, 1]]);
    }
  });
});

describe("quota: a success", () => {
  test("is counted once and stays used, however often it is recorded", async () => {
    const account = anAccountWith(capped(2));
    const capture = account.capture();
    await hold(capture);
    await Promise.all([succeed(capture), succeed(capture)]);
    await succeed(capture);
    expect(await account.read(NOON + HOLD_MS)).toEqual({ screenshots: 1, videos: 0, taken: 1 });
    expect(await hold(account.capture(), NOON + HOLD_MS)).toBeUndefined();
    expect(await hold(account.capture(), NOON + HOLD_MS)).toEqual({ taken: 2 });
  });

  test("whose reservation has expired, unnoticed, is counted once", async () => {
    const account = anAccountWith(capped(2));
    const capture = account.capture();
    await hold(capture, NOON - 2 * HOLD_MS);
    await Promise.all([succeed(capture), succeed(capture)]);
    expect(await account.read()).toEqual({ screenshots: 1, videos: 0, taken: 1 });
  });

  test("whose reservation has expired and was given away is counted once, and both are used", async () => {
    const account = anAccountWith(capped(1));
    const [late, next] = [account.capture(), account.capture()];
    await hold(late, NOON - HOLD_MS);
    await hold(next);
    await Promise.all([succeed(late), succeed(late)]);
    await succeed(late);
    expect(await account.read()).toEqual({ screenshots: 1, videos: 0, taken: 2 });
    await succeed(next);
    expect(await account.read()).toEqual({ screenshots: 2, videos: 0, taken: 2 });
    expect(await hold(account.capture())).toEqual({ taken: 2 });
  });

  test("that gets another log id than requested is counted once", async () => {
    const account = anAccountWith(capped(3));
    const [one, other] = [account.capture(), account.capture()];
    await hold(one);
    await hold(other);
    await record(other, "success", { attempt: "first" });
    expect(await record(one, "success", { attempt: "second", preferredId: Number(other.attempt) })).toBe(
      Number(other.attempt) + 1,
    );
    expect(await record(one, "success", { attempt: "second", preferredId: Number(other.attempt) })).toBe(
      Number(other.attempt) + 1,
    );
    expect((await account.read()).screenshots).toBe(2);
  });

  test("is counted without a reservation when the plan sells overage", async () => {
    const account = anAccountWith(plans.pro);
    const [screenshot, video] = [account.capture("screenshots"), account.capture("videos")];
    await releaseQuota(usage, screenshot); // does nothing
    await Promise.all([succeed(screenshot), succeed(screenshot), succeed(video), fail(account.capture())]);
    expect(await account.read()).toEqual({ screenshots: 1, videos: 1, taken: 0 });
  });
});

describe("quota: a failure", () => {
  test("releases its reservation, once however often it is recorded", async () => {
    const account = anAccountWith(capped(2));
    const [failing, other] = [account.capture(), account.capture()];
    await hold(failing);
    await hold(other);
    await Promise.all([fail(failing), fail(failing)]);
    await fail(failing);
    expect(await account.read()).toEqual({ screenshots: 0, videos: 0, taken: 1 });
  });

  test("whose reservation was given to another capture releases nothing of it", async () => {
    const account = anAccountWith(capped(1));
    const [late, next] = [account.capture(), account.capture()];
    await hold(late, NOON - HOLD_MS);
    await hold(next);
    await fail(late);
    expect((await account.read()).taken).toBe(1);
    expect(await hold(account.capture())).toEqual({ taken: 1 });
  });

  test("uses no quota, however many there are", async () => {
    const account = anAccountWith(capped(1));
    for (const capture of account.captures(10)) {
      expect(await hold(capture)).toBeUndefined();
      await fail(capture);
    }
    expect(await account.read()).toEqual({ screenshots: 0, videos: 0, taken: 0 });
  });
});

describe("quota: the quotas of a plan", () => {
  test("are separate where there are two", async () => {
    const account = anAccountWith({ quotas: { screenshots: 2, videos: 1 } });
    const credits: Credit[] = ["screenshots", "videos", "screenshots", "videos", "screenshots"];
    const answers = [];
    for (const credit of credits) answers.push(await hold(account.capture(credit)));
    expect(answers).toEqual([undefined, undefined, undefined, { taken: 1 }, { taken: 2 }]);
  });

  test("are shared where there is one pool", async () => {
    const account = anAccountWith({ quotas: { captures: 2 } });
    const [one, other] = [account.capture("videos"), account.capture("screenshots")];
    expect(await hold(one)).toBeUndefined();
    expect(await hold(other)).toBeUndefined();
    expect(await hold(account.capture("videos"))).toEqual({ taken: 2 });
    await succeed(one);
    await succeed(other);
    expect(await account.read()).toEqual({ screenshots: 1, videos: 1, taken: 2 });
  });

  test("of zero reject everything", async () => {
    const account = anAccountWith(capped(0));
    expect(await hold(account.capture())).toEqual({ taken: 0 });
    expect(await account.read()).toEqual({ screenshots: 0, videos: 0, taken: 0 });
  });
});

describe("quota: concurrent captures with all outcomes", () => {
  test("leave exactly the successes used", async () => {
    const account = anAccountWith(capped(40));
    const fates = [succeed, fail, (allowance: Allowance) => releaseQuota(usage, allowance)];
    const run = async (capture: Allowance, index: number) => {
      if (await hold(capture)) throw new Error("There was enough for all of them");
      await fates[index % fates.length]?.(capture);
    };
    await Promise.all(account.captures(39).map(run));
    expect(await account.read()).toEqual({ screenshots: 13, videos: 0, taken: 13 });
  });
});

describe("daily limit of an account", () => {
  /** An account whose plan goes on beyond its quota, with captures on two days. */
  function aLimitedAccount(captures: number) {
    const account = anAccountWith(plans.pro);
    const { accountId } = account.capture();
    const captureOn = (date: string, count = captures) => ({
      ...account.capture(),
      dayLimit: { date, captures: count },
    });
    const take = (allowance: ReturnType<typeof captureOn>, now = NOON) => {
      const limit = { of: "day", ...allowance.dayLimit } as const;
      return reserveInLimit(usage, [allowance], { limit, now, until: now + HOLD_MS });
    };
    const counter = (date: string) => getItem(usage, dayLimitKey(accountId, date));
    return { account, captureOn, take, counter };
  }

  test.each([10, 1, 0])("of %d admits exactly as many of 30 captures at once, on each day", async (captures) => {
    const { captureOn, take } = aLimitedAccount(captures);
    for (const date of ["2026-01-31", "2026-02-01"]) {
      const outcomes = await Promise.all(Array.from({ length: 30 }, () => take(captureOn(date))));
      expect(outcomes.filter(({ isReserved }) => isReserved)).toHaveLength(captures);
    }
  });

  test("counts a success once, gives a failure back once, and is billed as without the limit", async () => {
    const { account, captureOn, take } = aLimitedAccount(2);
    const [success, failure] = [captureOn("2026-01-31"), captureOn("2026-01-31")];
    await take(success);
    await take(failure);
    await Promise.all([succeed(success), succeed(success), fail(failure), fail(failure)]);
    expect((await take(captureOn("2026-01-31"))).isReserved).toBe(true);
    expect(await take(captureOn("2026-01-31"))).toEqual({ taken: 2, isReserved: false });
    expect(await account.read()).toMatchObject({ screenshots: 1 });
  });

  test("counts a success after its reservation has expired", async () => {
    const { captureOn, take } = aLimitedAccount(1);
    const late = captureOn("2026-01-31");
    await take(late);
    const other = captureOn("2026-01-31");
    expect((await take(other, NOON + HOLD_MS)).isReserved).toBe(true);
    await Promise.all([succeed(late), succeed(other)]);
    expect(await take(captureOn("2026-01-31", 2), NOON + HOLD_MS)).toMatchObject({ taken: 2, isReserved: false });
  });

  test("counts on when it is changed during the day", async () => {
    const { captureOn, take } = aLimitedAccount(2);
    await take(captureOn("2026-01-31"));
    await take(captureOn("2026-01-31"));
    expect((await take(captureOn("2026-01-31", 1))).isReserved).toBe(false);
    expect(await take(captureOn("2026-01-31", 3))).toEqual({ taken: 3, isReserved: true });
  });

  test("has a counter that expires a week after its day, when no job of the day is left", async () => {
    const { captureOn, take, counter } = aLimitedAccount(2);
    await take(captureOn("2026-01-31"));
    expect(await counter("2026-01-31")).toMatchObject({ ttl: Date.UTC(2026, 1, 8) / 1000 });
  });
});
