// What signs operators in, as it is stored: links, codes, and sessions.

import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { createOperatorCode, redeemOperatorCode } from "../../../lib/service/operator/operator-code.ts";
import { createOperatorLink, redeemOperatorLink } from "../../../lib/service/operator/operator-link.ts";
import {
  createOperatorSession,
  csrfTokenOf,
  endOperatorSession,
  findOperatorSession,
} from "../../../lib/service/operator/operator-session.ts";
import { callsOf } from "../../support/dynamodb-calls.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EMAIL = "ops@example.com";

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.accounts;
});
afterAll(() => running.close());

const aLink = async (now = NOW) => {
  const link = await createOperatorLink(table, { name: "root@host", baseUrl: "https://api.example", now });
  expect(link).toMatch(/^https:\/\/api\.example\/operator\/sign-in#token=sgn_[\w-]{43}$/);
  return link.split("#token=")[1] ?? "";
};

describe("operator's link", () => {
  test("is redeemed by one of several requests, which learns who made it", async () => {
    const token = await aLink();
    const redeemed = await Promise.all(Array.from({ length: 10 }, () => redeemOperatorLink(table, token, NOW)));
    expect(redeemed.filter((name) => name !== undefined)).toEqual(["root@host"]);
  });

  test("works for 15 minutes, to the millisecond", async () => {
    expect(await redeemOperatorLink(table, await aLink(), NOW + 15 * MINUTE_MS - 1)).toBe("root@host");
    expect(await redeemOperatorLink(table, await aLink(), NOW + 15 * MINUTE_MS)).toBeUndefined();
  });

  test("is no session, and no code", async () => {
    const token = await aLink();
    expect(await findOperatorSession(table, token, NOW)).toBeUndefined();
    expect(await redeemOperatorCode(table, EMAIL, { code: "000000", browserToken: token }, NOW)).toMatchObject({
      isProven: false,
    });
    expect(await redeemOperatorLink(table, token, NOW)).toBe("root@host");
  });
});

describe("operator's code", () => {
  const redeem = (sent: { code: string; browserToken: string }, email = EMAIL, now = NOW) =>
    redeemOperatorCode(table, email, sent, now);
  const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

  test("is redeemed by one of several requests at most, and not again", async () => {
    const issued = await createOperatorCode(table, EMAIL, NOW);
    const redeemed = await Promise.all(Array.from({ length: 4 }, () => redeem(issued)));
    expect(redeemed.filter(({ isProven }) => isProven).length).toBeLessThanOrEqual(1);
    expect(await redeem(issued)).toEqual({ isProven: false, triesLeft: 0 });
    const alone = await createOperatorCode(table, EMAIL, NOW);
    expect(await redeem(alone)).toEqual({ isProven: true });
  });

  test("has five tries, however many come at the same time", async () => {
    const issued = await createOperatorCode(table, EMAIL, NOW);
    const tries = await Promise.all(Array.from({ length: 12 }, () => redeem({ ...issued, code: wrong(issued.code) })));
    const left = tries.map((outcome) => (outcome.isProven ? "proven" : outcome.triesLeft));
    expect(left.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    expect(await redeem(issued)).toEqual({ isProven: false, triesLeft: 0 });
  });

  test("is for its address and its browser, and works for ten minutes", async () => {
    const issued = await createOperatorCode(table, EMAIL, NOW);
    const other = await createOperatorCode(table, EMAIL, NOW);
    expect(await redeem(issued, "other@example.com")).toMatchObject({ isProven: false });
    expect(await redeem({ ...issued, browserToken: `${issued.browserToken}x` })).toMatchObject({ isProven: false });
    if (other.code !== issued.code)
      expect(await redeem({ ...issued, browserToken: other.browserToken })).toMatchObject({ isProven: false });
    expect(await redeem(issued, EMAIL, NOW + 10 * MINUTE_MS)).toEqual({ isProven: false, triesLeft: 0 });
    expect(await redeem(issued, EMAIL, NOW + 10 * MINUTE_MS - 1)).toEqual({ isProven: true });
  });
});

describe("operator's session", () => {
  const start = () => createOperatorSession(table, { name: EMAIL, email: EMAIL }, NOW);

  test("lasts for 12 hours from its start, however often it is used", async () => {
    const { token } = await start();
    for (let hours = 1; hours < 12; hours++)
      expect(await findOperatorSession(table, token, NOW + hours * HOUR_MS)).toMatchObject({ email: EMAIL });
    expect(await findOperatorSession(table, token, NOW + 12 * HOUR_MS - 1)).toBeDefined();
    expect(await findOperatorSession(table, token, NOW + 12 * HOUR_MS)).toBeUndefined();
  });

  test("ends at once when it is ended, also twice", async () => {
    const { token } = await start();
    await endOperatorSession(table, token, NOW);
    expect(await findOperatorSession(table, token, NOW)).toBeUndefined();
    await endOperatorSession(table, token, NOW);
    expect(await findOperatorSession(table, token, NOW)).toBeUndefined();
  });

  test("is not looked up for a text that is no token", async () => {
    const { calls } = await callsOf(() => findOperatorSession(table, "ses_1_".padEnd(60, "a"), NOW));
    expect(calls).toEqual({});
  });

  test("has a token against cross-site requests that leads neither to it nor to that of another session", async () => {
    const [one, other] = [await start(), await start()];
    expect(csrfTokenOf(one.token)).toMatch(/^[0-9a-f]{64}$/);
    expect(csrfTokenOf(one.token)).not.toBe(csrfTokenOf(other.token));
    expect(csrfTokenOf(one.token)).toBe(csrfTokenOf(one.token));
  });
});

test("operators: signing in and out only puts and reads items, and stores no secret", async () => {
  const { result: secrets, calls } = await callsOf(async () => {
    const link = await aLink();
    await redeemOperatorLink(table, link, NOW);
    const issued = await createOperatorCode(table, EMAIL, NOW);
    await redeemOperatorCode(table, EMAIL, issued, NOW);
    const { token } = await createOperatorSession(table, { name: EMAIL, email: EMAIL }, NOW);
    await endOperatorSession(table, token, NOW);
    return [link, issued.browserToken, token];
  });
  expect(Object.keys(calls).toSorted()).toEqual(["GetItemCommand", "PutItemCommand"]);
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: table }));
  expect(Items.length).toBeGreaterThan(5);
  // DynamoDB deletes what has expired, but nothing whose time is more than five years ago.
  expect(Items.filter(({ ttl }) => !(ttl >= NOW / 1000))).toEqual([]);
  for (const secret of secrets) expect(JSON.stringify(Items)).not.toContain(secret);
});
