// Rate limit on a real table, with the test's own clock.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rateLimitError } from "../../../lib/service/account/rate-limit.ts";
import { countLinkView, countRequest, queryLastUses } from "../../../lib/service/account/rate-limit-store.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { linkViewsKey, requestsKey } from "../../../lib/service/aws/table-keys.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { aRateModel } from "../../support/rate-model.ts";
import { IS_SLOW_RUN, sample, sampled, slowTest } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const NOON = Date.UTC(2026, 0, 31, 12);

let running: RunningTables;
let accounts = 0;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

/** An account without requests. */
function aSender({ limit = 10 } = {}) {
  const accountId = ++accounts;
  return {
    accountId,
    send: (now: number, { keyId = 7, under = limit, cost = 1 } = {}) =>
      countRequest(running.tables.usage, { accountId, keyId, limit: under, now, cost }),
    readItem: async () => {
      const Key = requestsKey(accountId, limit);
      const { Item = {} } = await dynamodb().send(new GetCommand({ TableName: running.tables.usage, Key }));
      return Item;
    },
  };
}

const admittedOf = <T extends { isAdmitted: boolean }>(answers: readonly T[]) =>
  answers.filter(({ isAdmitted }) => isAdmitted);

describe("rate limit: requests at random times", () => {
  const limits = sample([1, 2, 3, 5, 7, 15, 10, 10, 25, 40], 2);

  /** Bursts, requests seconds apart, pauses of about a minute, and pauses of hours. */
  function gap(random: () => number): number {
    const kind = random();
    if (kind < 0.45) return Math.floor(random() * 30);
    if (kind < 0.8) return Math.floor(random() * 9_000);
    if (kind < 0.97) return 58_000 + Math.floor(random() * 4) * 1000 + ([0, 1, 999].at(random() * 3) ?? 0);
    return Math.floor(random() * 5 * 60 * 60 * 1000);
  }

  async function sendMany(limit: number, seed: number) {
    const random = seededRandom(seed);
    const sender = aSender({ limit });
    const model = aRateModel(limit);
    let now = NOON + Math.floor(random() * 1000);
    const answers = [];
    for (let index = 0; index < 90; index++) {
      now += gap(random);
      const cost = random() < 0.3 ? 1 + Math.floor(random() * Math.min(8, limit)) : 1;
      answers.push({ now, cost, answer: await sender.send(now, { cost }), expected: model.send(now, cost) });
    }
    return { limit, answers, admitted: model.admitted };
  }

  test("are admitted, rejected and counted like the model of the sliding window", async () => {
    const sent = await Promise.all(limits.map(sendMany));
    for (const { answers } of sent) {
      expect(answers.map(({ answer }) => answer)).toEqual(answers.map(({ expected }) => expected));
    }
    // Both cases occurred often enough.
    const all = sent.flatMap(({ answers }) => answers.map(({ answer }) => answer));
    expect(admittedOf(all).length).toBeGreaterThan(15 * limits.length);
    expect(all.length - admittedOf(all).length).toBeGreaterThan(15 * limits.length);

    for (const { limit, admitted, answers } of sent) {
      const within = (from: number, to: number) => admitted.filter((time) => time >= from && time <= to).length;
      const tooMany = admitted.filter((time) => within(time - 60_000, time) > limit);
      expect(tooMany).toEqual([]);
      const refused = answers.filter(({ answer }) => !answer.isAdmitted);
      const unjustly = refused.filter(({ now, cost }) => within(now - 61_000, now) + cost <= limit);
      expect(unjustly).toEqual([]);
    }
  });
});

describe("rate limit: a request that counts as several", () => {
  test("is refused as a whole, with when as many are possible, and uses up nothing then", async () => {
    const sender = aSender();
    for (const second of [0, 1, 2, 3]) await sender.send(NOON + second * 1000);
    const refused = await sender.send(NOON + 4_000, { cost: 8 });
    const possibleAt = NOON / 1000 + 1 + 61; // two of the four have left the window
    expect(refused).toMatchObject({ isAdmitted: false, cost: 8, remaining: 6, possibleAt });
    expect(await sender.send(possibleAt * 1000 - 1, { cost: 8 })).toMatchObject({ isAdmitted: false });
    expect(await sender.send(possibleAt * 1000, { cost: 8 })).toMatchObject({ isAdmitted: true, remaining: 0 });
  });

  test("has an error that says what it counts as", () => {
    const error = rateLimitError({ cost: 8, limit: 10, remaining: 6, possibleAt: NOON / 1000 + 5 }, NOON);
    expect(error.message).toBe(
      "The request counts as 8, one for each load of the page that its outputs need, and 6 are left of those that the account can send in 60 " +
        "seconds. Try again in 5 s.",
    );
  });

  test("is exact among simultaneous requests", async () => {
    const sender = aSender({ limit: 40 });
    const costs = Array.from({ length: 30 }, (_, index) => 1 + (index % 4));
    const answers = await Promise.all(costs.map((cost) => sender.send(NOON, { cost })));
    const admitted = admittedOf(answers).reduce((total, { cost }) => total + cost, 0);
    expect((await sender.readItem())["admitted"]).toBe(admitted);
    const left = 40 - admitted;
    expect(left).toBeGreaterThanOrEqual(0);
    // Each that was refused would have been one too many.
    expect(answers.filter(({ isAdmitted, cost }) => !isAdmitted && cost <= left)).toEqual([]);
  });
});

describe("rate limit: an account that has reached its limit", () => {
  test("is rejected until X-RateLimit-Reset, and admitted from then on", async () => {
    const sender = aSender();
    for (let index = 0; index < 10; index++) await sender.send(NOON + 250 + index * 1500);
    const refused = await sender.send(NOON + 20_000);
    const reset = NOON / 1000 + 61;
    expect(refused).toEqual({ isAdmitted: false, cost: 1, limit: 10, remaining: 0, reset, possibleAt: reset });
    expect(await sender.send(refused.reset * 1000 - 1)).toMatchObject({ isAdmitted: false });
    expect(await sender.send(refused.reset * 1000)).toMatchObject({ isAdmitted: true, remaining: 0 });
  });

  test.each([0, 1, 250, 999])(
    "is admitted after the seconds of Retry-After, requested %d ms into a second",
    async (ms) => {
      const sender = aSender({ limit: 2 });
      await sender.send(NOON + 777);
      await sender.send(NOON + 30_000);
      const now = NOON + 31_000 + ms;
      const wait = Number(rateLimitError(await sender.send(now), now).headers["Retry-After"]);
      expect(await sender.send(now + (wait - 1) * 1000)).toMatchObject({ isAdmitted: false });
      expect(await sender.send(now + wait * 1000)).toMatchObject({ isAdmitted: true });
    },
  );

  test("uses up nothing by rejected requests", async () => {
    const sender = aSender({ limit: 2 });
    await sender.send(NOON);
    await sender.send(NOON);
    for (let second = 1; second <= 60; second += 5) await sender.send(NOON + second * 1000);
    expect(await sender.send(NOON + 61_000)).toMatchObject({ isAdmitted: true, remaining: 1 });
  });

  test("can send exactly as many requests as X-RateLimit-Remaining says", async () => {
    const sender = aSender();
    for (const second of [0, 1, 1, 20, 40]) await sender.send(NOON + second * 1000);
    const now = NOON + 61_000; // the first one has left the window
    const { remaining } = await sender.send(now);
    expect(remaining).toBe(5);
    const answers = [];
    for (let index = 0; index < 7; index++) answers.push(await sender.send(now));
    expect(answers.map(({ isAdmitted }) => isAdmitted)).toEqual([true, true, true, true, true, false, false]);
  });

  test("starts counting again under another limit", async () => {
    const sender = aSender({ limit: 2 });
    const send = (under: number) => sender.send(NOON, { under });
    expect(admittedOf([await send(2), await send(2), await send(2)])).toHaveLength(2);
    expect(admittedOf([await send(3), await send(3), await send(3), await send(3)])).toHaveLength(3);
    expect(await send(2)).toMatchObject({ isAdmitted: false });
  });

  test("does not affect other accounts", async () => {
    const [one, other] = [aSender({ limit: 1 }), aSender({ limit: 1 })];
    expect(admittedOf([await one.send(NOON), await one.send(NOON), await other.send(NOON)])).toHaveLength(2);
  });
});

describe("rate limit: concurrent requests", () => {
  sampled(test, 3).each([10, 40, 150])("of which many arrive at once: exactly %d are admitted", async (limit) => {
    const sender = aSender({ limit });
    const answers = await Promise.all(Array.from({ length: IS_SLOW_RUN ? 200 : 60 }, () => sender.send(NOON)));
    expect(admittedOf(answers)).toHaveLength(limit);
    const reported = admittedOf(answers).map(({ remaining }) => remaining);
    expect(reported.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, index) => index));
  });

  test("around the turn of a second are not admitted twice as often", async () => {
    const sender = aSender();
    const turn = [NOON, NOON - 1];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => sender.send(turn[index % 2] ?? NOON)));
    expect(admittedOf(answers)).toHaveLength(10);
  });

  test.each([1, 2, 10])("that are written %d s late are counted with those before them", async (seconds) => {
    const sender = aSender({ limit: 3 });
    const late = NOON - seconds * 1000;
    expect(await sender.send(NOON)).toMatchObject({ isAdmitted: true, remaining: 2 });
    expect(await sender.send(late)).toMatchObject({ isAdmitted: true, remaining: 1 });
    expect(await sender.send(NOON)).toMatchObject({ isAdmitted: true, remaining: 0 });
    expect(await sender.send(late)).toMatchObject({ isAdmitted: false, remaining: 0, reset: NOON / 1000 + 61 });
    expect(await sender.send(NOON)).toMatchObject({ isAdmitted: false });
    expect(await sender.send(NOON + 60_999)).toMatchObject({ isAdmitted: false });
    expect(await sender.send(NOON + 61_000)).toMatchObject({ isAdmitted: true });
  });
});

describe("rate limit: the item of an account", () => {
  sampled(test, 3).each([
    ["that sends every second", 1_000, IS_SLOW_RUN ? 300 : 130],
    ["that sends all day, minutes apart", 288_000, 300],
    ["that sends more than it may", 200, 300],
  ])("%s stays below 4 KB", async (_, gap, count) => {
    const sender = aSender({ limit: 150 });
    const sizes: number[] = [];
    for (let index = 0; index < count; index++) {
      await sender.send(NOON + index * gap, { keyId: 2 ** 52 + (index % 50) });
      // Its JSON is longer than the size that DynamoDB counts.
      if (index % 10 === 9) sizes.push(JSON.stringify(await sender.readItem()).length);
    }
    expect(Math.max(...sizes)).toBeLessThan(4096);
  });

  test("is cleaned of expired marks by a later request", async () => {
    const sender = aSender({ limit: 150 });
    const marks = async () => Object.keys(await sender.readItem()).filter((name) => name.startsWith("s_")).length;
    for (let second = 0; second < 61; second++) await sender.send(NOON + second * 1000);
    expect(await marks()).toBe(61);
    expect(await sender.send(NOON + 60 * 60_000)).toMatchObject({ isAdmitted: true, remaining: 149 });
    expect(await marks()).toBe(1);
  });
});

describe("rate limit: the last use of a key", () => {
  test("is when it last sent an admitted request, under any limit", async () => {
    const sender = aSender({ limit: 2 });
    expect(await queryLastUses(running.tables.usage, sender.accountId)).toEqual(new Map());
    await sender.send(NOON, { keyId: 7 });
    await sender.send(NOON + 1, { keyId: 8 });
    await sender.send(NOON + 2, { keyId: 8 }); // refused
    await sender.send(NOON + 3, { keyId: 7, under: 3 });
    expect(await queryLastUses(running.tables.usage, sender.accountId)).toEqual(
      new Map([
        [7, NOON + 3],
        [8, NOON + 1],
      ]),
    );
  });
});

describe("rate limit: the views of a signed link", () => {
  const view = (signature: string, now = NOON) =>
    countLinkView(running.tables.usage, { accountId: 1, keyId: 7, signature, now });

  test("are limited to 600 in 60 seconds, those of each link on their own", async () => {
    expect(await view("fourth")).toMatchObject({ isAdmitted: true, limit: 600, remaining: 599 });
    expect(await view("fourth")).toMatchObject({ isAdmitted: true, limit: 600, remaining: 598 });
    expect(await view("fifth")).toMatchObject({ isAdmitted: true, limit: 600, remaining: 599 });
    expect(await view("fourth", NOON + 61_000)).toMatchObject({ isAdmitted: true, remaining: 599 });
  });

  slowTest("are 600 in 60 seconds, regardless of other links", async () => {
    const answers = [];
    for (let count = 0; count < 12; count++) {
      answers.push(...(await Promise.all(Array.from({ length: 51 }, () => view("first")))));
    }
    expect(admittedOf(answers)).toHaveLength(600);
    expect(await view("second")).toMatchObject({ isAdmitted: true, limit: 600, remaining: 599 });
    expect((await view("first", NOON + 61_000)).isAdmitted).toBe(true);
  });

  test("are forgotten after a day", async () => {
    await view("third");
    const Key = linkViewsKey(1, "third");
    const { Item } = await dynamodb().send(new GetCommand({ TableName: running.tables.usage, Key }));
    expect(Item?.["ttl"]).toBe(NOON / 1000 + 24 * 60 * 60);
  });

  test("beyond the limit have an error that names the limit", () => {
    const error = rateLimitError({ cost: 1, limit: 600, remaining: 0, possibleAt: NOON / 1000 + 5 }, NOON, "link");
    expect(error.message).toBe(
      "This signed link has been requested the 600 times that are allowed in 60 seconds. Try again in 5 s.",
    );
  });
});
