// Suspending and resuming an account: what is stored, which captures can still be recorded, and what is billed.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiError } from "../../../lib/contract/errors/api-error.ts";
import {
  findCaller,
  findLinkCaller,
  findSessionCaller,
  readKeyRing,
} from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { parseSuspension, resumeAccount, suspendAccount } from "../../../lib/service/account/suspension.ts";
import { suspensionMail } from "../../../lib/service/account/suspension-notice.ts";
import { invoicesOf } from "../../../lib/service/billing/invoice-list.ts";
import { hashApiKey } from "../../../lib/service/keys/api-key.ts";
import { mailText } from "../../../lib/service/mail/mail-text.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { recordCapture } from "../../../lib/service/usage/usage-store.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

const DAY_MS = 24 * 60 * 60 * 1000;

async function open({ now = Date.now() } = {}) {
  const { ring, key, apiKey } = await openAccount(env.ACCOUNTS_TABLE, { plan: "pro", label: "A customer", now });
  return { accountId: ring.account.id, key, keyId: apiKey.id };
}

const suspend = (
  accountId: number,
  { reason = "Unpaid", billing = "stop" as "stop" | "continue", now = Date.now() } = {},
) => suspendAccount(env, { accountId, reason, billing, now });

const suspensionsOf = async ({ accountId, key, keyId }: Awaited<ReturnType<typeof open>>) => [
  (await findCaller(env.ACCOUNTS_TABLE, hashApiKey(key)))?.account.suspension,
  (await findLinkCaller(env.ACCOUNTS_TABLE, keyId))?.caller.account.suspension,
  (await findSessionCaller(env.ACCOUNTS_TABLE, accountId))?.account.suspension,
];

describe("suspending an account", () => {
  test("is known wherever a key, a link, or a session is authenticated, until it is resumed", async () => {
    const account = await open();
    const now = Date.now();
    await suspend(account.accountId, { now });
    const suspension = { reason: "Unpaid", at: new Date(now).toISOString(), billing: "stop" };
    expect(await suspensionsOf(account)).toEqual([suspension, suspension, suspension]);
    await resumeAccount(env, { accountId: account.accountId, now });
    expect(await suspensionsOf(account)).toEqual([undefined, undefined, undefined]);
  });

  test("can be repeated with another reason, and keeps its time", async () => {
    const { accountId } = await open();
    const first = Date.now() - DAY_MS;
    await suspend(accountId, { now: first });
    const { account } = await suspend(accountId, { reason: "Abuse" });
    expect(account.suspension).toEqual({ reason: "Abuse", at: new Date(first).toISOString(), billing: "stop" });
    expect(account.billing_stops).toEqual([{ from: new Date(first).toISOString(), until: null }]);
  });

  test.each([
    [undefined, "reason"],
    [" \n ", "reason"],
    ["x".repeat(501), "reason"],
  ])("refuses the reason %j", (reason, name) => {
    expect(() => parseSuspension({ reason })).toThrow(name);
  });

  test("takes a reason without what starts a line, so that it writes no lines of a mail", () => {
    const { reason, billing } = parseSuspension({ reason: " Unpaid\r\nBcc: a@b.example " });
    expect({ reason, billing }).toEqual({ reason: "Unpaid Bcc: a@b.example", billing: "stop" });
  });
});

describe("captures of an account that is suspended", () => {
  const record = (
    { accountId, keyId }: { accountId: number; keyId: number },
    status: "success" | "failed",
    at = Date.now(),
  ) => {
    const { id: _, created_at: __, ...event } = aCaptureLog({ user_id: accountId, api_key_id: keyId, status });
    return recordCapture(
      { activity: env.ACTIVITY_TABLE, usage: env.USAGE_TABLE, retentionDays: 400 },
      {
        preferredId: createId(at, Math.random()),
        attempt: String(Math.random()),
        event,
      },
    );
  };
  const codeOf = (recording: Promise<number>) =>
    recording.then(
      () => "recorded",
      (error: ApiError) => error.code ?? error.message,
    );

  test("can't succeed any more, also by a session and those queued last month, and can fail", async () => {
    const account = await open();
    expect(await codeOf(record(account, "success"))).toBe("recorded");
    await suspend(account.accountId);
    const bySession = { ...account, keyId: 0 };
    const lastWeek = Date.now() - 13 * DAY_MS;
    const attempts = [
      record(account, "success"),
      record(bySession, "success"),
      record(account, "success", lastWeek),
      record(account, "failed"),
    ];
    expect(await Promise.all(attempts.map(codeOf))).toEqual([
      "ACCOUNT_SUSPENDED",
      "ACCOUNT_SUSPENDED",
      "ACCOUNT_SUSPENDED",
      "recorded",
    ]);
    await resumeAccount(env, { accountId: account.accountId, now: Date.now() });
    expect(await codeOf(record(account, "success"))).toBe("recorded");
    expect(await codeOf(record(bySession, "success"))).toBe("recorded");
  });

  test("of other accounts succeed", async () => {
    const [account, other] = [await open(), await open()];
    await suspend(account.accountId);
    expect(await codeOf(record(other, "success"))).toBe("recorded");
  });
});

describe("the bill of an account that was suspended", () => {
  const start = Date.UTC(2026, 0, 10);
  const month = (index: number, day = 10) => Date.UTC(2026, index, day);
  const pricesAt = async (accountId: number, now: number) => {
    const { account } = await readKeyRing(env.ACCOUNTS_TABLE, accountId);
    return (await invoicesOf(env.USAGE_TABLE)(account, now)).map(({ price }) => price).toReversed();
  };

  test("has no price for months during all of which billing was stopped, and full prices for the others", async () => {
    const { accountId } = await open({ now: start });
    await suspend(accountId, { now: month(1, 20) });
    await resumeAccount(env, { accountId, now: month(4, 1) });
    expect(await pricesAt(accountId, month(5, 1))).toEqual(["49.00", "49.00", "0.00", "49.00", "49.00"]);
  });

  test("has all prices if billing continued", async () => {
    const { accountId } = await open({ now: start });
    await suspend(accountId, { billing: "continue", now: month(1, 20) });
    await resumeAccount(env, { accountId, now: month(4, 1) });
    expect(await pricesAt(accountId, month(5, 1))).toEqual(["49.00", "49.00", "49.00", "49.00", "49.00"]);
  });

  test("has prices again from the moment at which billing continues, while the account stays suspended", async () => {
    const { accountId } = await open({ now: start });
    await suspend(accountId, { now: month(0, 11) });
    await suspend(accountId, { billing: "continue", now: month(2, 20) });
    expect(await pricesAt(accountId, month(4, 11))).toEqual(["49.00", "0.00", "49.00", "49.00", "49.00"]);
  });
});

test("the mail about a suspension has the reason, and what the owner can still do", () => {
  const suspension = { reason: "Unpaid since May", at: "2026-01-31T12:00:00.000Z", billing: "stop" } as const;
  const mail = suspensionMail({ id: 7, suspension }, "https://api.example");
  const text = mailText(mail);
  expect(mail.subject).toBe("Your account is suspended");
  expect(text).toContain("The reason: Unpaid since May");
  expect(text).toContain("https://api.example/app");
  expect(suspensionMail({ id: 7 }, "https://api.example").subject).toBe("Your account works again");
});
