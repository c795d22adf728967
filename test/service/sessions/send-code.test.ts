// Limits of codes by e-mail: what strangers can use up, and what keeps an owner from being locked out. On real tables.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { signInMail } from "../../../lib/service/sessions/address-mails.ts";
import { requireCode, sendCode } from "../../../lib/service/sessions/send-code.ts";
import { createCode } from "../../../lib/service/sessions/sign-in-code.ts";
import { anApiRequest } from "../../support/builders.ts";
import { slowTest } from "../../support/slow-run.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());
beforeEach(() => void vi.stubEnv("MAIL_FROM", "service@example.com"));
afterEach(() => void vi.unstubAllEnvs());

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Days that no other test counts for. */
let day = Date.UTC(2026, 0, 1);
const nextDay = () => {
  day += DAY_MS;
  return day;
};

const environment = () => ({
  ACCOUNTS_TABLE: running.tables.accounts,
  USAGE_TABLE: running.tables.usage,
  BASE_URL: "http://127.0.0.1:3000",
});

interface Ask {
  readonly at: number;
  readonly ip?: string;
  readonly email?: string;
  readonly byAccount?: { readonly id: number; readonly isOwnAddress: boolean };
}

/** Asks for a code that is not mailed. Resolves to the status of the answer. */
async function ask({ at, ip = "203.0.113.1", email = "ann@customer.example", byAccount }: Ask): Promise<number> {
  const request = anApiRequest({ method: "POST", sourceIp: ip, receivedAt: at });
  const mail = () => signInMail("123456", "https://api.test");
  const claim = { purpose: "sign-in", email, isWanted: async () => false, mail, ...(byAccount && { byAccount }) };
  try {
    return (await sendCode(request, claim, environment())).status;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

/** How many of these requests are answered with 202. */
async function accepted(asks: readonly Ask[]): Promise<number> {
  return (await Promise.all(asks.map(ask))).filter((status) => status === 202).length;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test("codes: strangers of one network use up 5 an hour for a mailbox, and the owner elsewhere has 5", async () => {
  const at = nextDay();
  expect(await accepted(times(30, () => ({ at })))).toBe(5);
  expect(await accepted(times(6, () => ({ at, ip: "198.51.100.1" })))).toBe(5);
  expect(await ask({ at: at + HOUR_MS })).toBe(202);
});

test("codes: strangers of one /48 of IPv6 use up 10 an hour, 5 in each of its /64", async () => {
  const at = nextDay();
  expect(await accepted(times(30, (index) => ({ at, ip: `2001:db8:1::${index}` })))).toBe(5);
  expect(await accepted(times(30, (index) => ({ at, ip: `2001:db8:1:${index + 1}::1` })))).toBe(5);
  expect(await ask({ at, ip: "2001:db8:2::1" })).toBe(202);
});

test("codes: all networks together get 20 an hour and 60 a day for a mailbox", async () => {
  const at = nextDay();
  const hours = [0, 1, 2, 3, 4];
  const counts: number[] = [];
  for (const hour of hours) {
    counts.push(await accepted(times(40, (index) => ({ at: at + hour * HOUR_MS, ip: `10.${hour}.${index}.1` }))));
  }
  expect(counts).toEqual([20, 20, 20, 0, 0]);
  expect(await ask({ at: at + DAY_MS })).toBe(202);
  nextDay();
});

test("codes: other spellings of an address count for its mailbox", async () => {
  const at = nextDay();
  expect(await accepted(times(30, (index) => ({ at, email: `ann.lee+${index}@gmail.com` })))).toBe(5);
  expect(await ask({ at, email: "AnnLee@googlemail.com" })).toBe(429);
  expect(await ask({ at, email: "annlee@customer.example" })).toBe(202);
});

slowTest("codes: a network asks for 60 an hour, whichever the addresses, and a /48 of IPv6 for 120", async () => {
  const at = nextDay();
  const asks = (count: number, ip: (index: number) => string) =>
    times(count, (index) => ({ at, ip: ip(index), email: `ann@customer-${index}.example` }));
  expect(await accepted(asks(70, () => "203.0.113.7"))).toBe(60);
  expect(await accepted(asks(140, (index) => `2001:db8:7:${index}::1`))).toBe(120);
});

test("codes: strangers can't keep the owner of an account from changing its address", async () => {
  const at = nextDay();
  await accepted(times(40, (index) => ({ at, ip: `10.9.${index}.1` })));
  expect(await ask({ at })).toBe(429);
  expect(await ask({ at, byAccount: { id: 1, isOwnAddress: true } })).toBe(202);
  expect(await ask({ at, byAccount: { id: 1, isOwnAddress: false } })).toBe(202);
});

test("codes: an account asks for 10 an hour, and all accounts together for 20 a day to one new address", async () => {
  const at = nextDay();
  const byAccount = (id: number) => ({ id, isOwnAddress: false });
  expect(await accepted(times(15, () => ({ at, byAccount: byAccount(2) })))).toBe(10);
  expect(await accepted(times(30, (index) => ({ at, byAccount: byAccount(10 + index) })))).toBe(10);
  expect(await ask({ at: at + HOUR_MS, byAccount: byAccount(2) })).toBe(429);
  expect(await ask({ at, byAccount: byAccount(50), email: "other@customer.example" })).toBe(202);
});

test("codes: a network that has sent too many wrong ones gets 429 for them, and a right one is accepted", async () => {
  const claim = { purpose: "sign-in", email: "ann@customer.example" };
  const at = nextDay();
  const { code, browserToken } = await createCode(running.tables.accounts, claim, at);
  const tryCode = async (token: string, sent: string) => {
    const request = anApiRequest({ method: "POST", cookies: [`sign-in=${token}`], receivedAt: at });
    const tried = requireCode(request, { ...claim, code: sent }, environment());
    return tried.then(
      () => "accepted",
      (error: ApiError) => error.code,
    );
  };
  const wrong = await Promise.all(times(70, () => tryCode("of-another-browser", code)));
  expect(wrong.filter((outcome) => outcome === "RATE_LIMITED")).toHaveLength(10);
  expect([await tryCode("of-another-browser", code), await tryCode(browserToken, code)]).toEqual([
    "RATE_LIMITED",
    "accepted",
  ]);
});
