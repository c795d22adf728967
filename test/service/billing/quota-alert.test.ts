// Quota alerts of accounts on real tables, sent to a mail catcher.
import { afterAll, beforeAll, expect, test } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { periodKey } from "../../../lib/service/aws/table-keys.ts";
import { periodAt } from "../../../lib/service/billing/billing-period.ts";
import { readPeriodUse } from "../../../lib/service/billing/period-store.ts";
import { sendNotice } from "../../../lib/service/mail/send-notice.ts";
import type { CaughtMail } from "../../../lib/tools/local/engines/inbox-page.ts";
import { type MailEngine, startMailEngine } from "../../../lib/tools/local/engines/mail-engine.ts";
import { writeItems } from "../../fixtures/usage-items.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
let running: RunningTables;
let catcher: MailEngine;
beforeAll(async () => {
  running = await startTables();
  catcher = await startMailEngine({ port: 0 });
  process.env["AWS_ENDPOINT_URL_SESV2"] = catcher.endpoint; // before the first mail: the client keeps its address
});
afterAll(() => Promise.all([running.close(), catcher.stop()]));

/** An account on the trial, that has used so many screenshots of its 300. */
async function anAccount(screenshots: number, settings: { quota_alerts?: boolean; email?: string | null } = {}) {
  const { accounts, usage } = running.tables;
  const { ring } = await openAccount(accounts, { plan: "free", label: "Test", now: NOW });
  const { id } = ring.account;
  const email = `${id}@customer.example`;
  await updateKeyRing(accounts, id, (current) => ({ ...current, account: { ...current.account, email, ...settings } }));
  const period = periodAt(ring.account, NOW);
  const use = (count: number) => writeItems(usage, [{ ...periodKey(id, period.start), screenshots: count, videos: 0 }]);
  await use(screenshots);
  const env = { ACCOUNTS_TABLE: accounts, USAGE_TABLE: usage, BASE_URL: "https://a.example" };
  return {
    send: (from = "alerts@service.example") =>
      sendNotice(JSON.stringify({ account_id: id }), NOW, { ...env, MAIL_FROM: from, OPERATOR_MAIL: undefined }),
    alerted: async () => (await readPeriodUse(usage, id, period)).alerted.screenshots,
    subjects: async () => {
      const mails: CaughtMail[] = await (await fetch(`${catcher.endpoint}/messages`)).json();
      return mails.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
    },
  };
}

test("an alert is sent once, however often and however simultaneously it is queued", async () => {
  const account = await anAccount(150);
  await Promise.all([account.send(), account.send(), account.send()]);
  await account.send();
  expect(await account.subjects()).toEqual(["50 % of your screenshots are used"]);
});

test("of several percentages at once, the highest alone is sent", async () => {
  const account = await anAccount(300);
  await account.send();
  expect(await account.subjects()).toEqual(["100 % of your screenshots are used"]);
});

test("nothing is sent below the first percentage", async () => {
  const account = await anAccount(149);
  await account.send();
  expect([await account.subjects(), await account.alerted()]).toEqual([[], 0]);
});

test.each([
  ["turned alerts off", { quota_alerts: false }],
  ["has no address", { email: null }],
])("an account that %s gets none, and is not queued again", async (_, settings) => {
  const account = await anAccount(150, settings);
  await account.send();
  expect([await account.subjects(), await account.alerted()]).toEqual([[], 50]);
});

test("an alert that could not be sent is sent later", async () => {
  const account = await anAccount(240);
  await expect(account.send("no address")).rejects.toThrow();
  expect([await account.subjects(), await account.alerted()]).toEqual([[], 0]);
  await account.send();
  expect([await account.subjects(), await account.alerted()]).toEqual([["80 % of your screenshots are used"], 80]);
});
