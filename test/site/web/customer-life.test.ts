// A customer's whole life in a real browser: sign-up, a trial that is used up, plans, payments, cancellation, export, and deletion. The operator
// does nothing by hand: a page for payments reports what was taken and paid.
import { randomUUID } from "node:crypto";
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { putItem, updateItem } from "../../../lib/service/aws/items.ts";
import { billingRunKey, periodKey } from "../../../lib/service/aws/table-keys.ts";
import { useLocalData } from "../../../lib/tools/local/cli/find-service.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { fill, press, show, textOf } from "../../support/dashboard-screens.ts";
import { codeTo, mailsTo } from "../../support/mailbox.ts";
import { reportBillingEvent } from "../../support/payment-page.ts";
import { runScheduled } from "../../support/scheduled-functions.ts";
import { webBrowser } from "../../support/web-browser.ts";

const service = inject("service");
const { baseUrl, accountsTable, usageTable, operatorSecret: secret } = service;
const browser = webBrowser();

const DAY_MS = 24 * 60 * 60 * 1000;

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Counts captures of a period, which are many more than a test makes. */
const count = (accountId: number, start: string, screenshots: number) =>
  updateItem(usageTable, periodKey(accountId, start), {
    update: "ADD screenshots :count, taken_screenshots :count",
    values: { ":count": screenshots },
  });

/** What the API answers to the signed-in page. */
const read = (page: Page, path: string) =>
  page.evaluate(async (address) => (await fetch(address)).json(), `${baseUrl}/api/v1/account${path}`);

/** Takes a plan on the operator's page for payments, which leads back to the dashboard. */
async function pay(page: Page, button: string): Promise<void> {
  await press(page, button);
  await page.waitForFunction(() => document.title === "Pay");
  await Promise.all([page.waitForNavigation(), page.click("button")]);
}

const waitForText = (page: Page, text: string) =>
  page.waitForFunction((expected) => document.body.innerText.includes(expected), {}, text);

async function reopen(page: Page, text: string): Promise<void> {
  await page.reload();
  await waitForText(page, text);
}

beforeAll(() => useLocalData(service)); // a month passes in the tables

test("a customer's life: ends with exact bills, and nothing that the operator does by hand", async () => {
  const email = `life-${randomUUID().slice(0, 8)}@customer.example`;
  await using opened = await browser.open(`${baseUrl}/app`);
  const { page, problems } = opened;

  // Sign-up, and a trial that is used up.
  await fill(page, "#sign-in-email", email);
  await press(page, "Send a code");
  await fill(page, "#sign-in-code", await codeTo(email));
  await page.waitForSelector(".first-steps");
  const { id: accountId, created_at: openedAt } = await read(page, "");
  await count(accountId, openedAt, 300);
  const capture = () =>
    page.evaluate(async (address) => {
      const response = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ html: "<p>", response_type: "json" }),
      });
      return [response.status, (await response.json()).code];
    }, `${baseUrl}/api/v1/screenshot`);
  expect(await capture()).toEqual([402, "QUOTA_EXCEEDED"]);

  // A plan, which is paid on another page.
  await show(page, "Plan and invoices");
  await waitForText(page, "Free Trial, $0 for 7 days, until");
  await pay(page, "Take Starter");
  await waitForText(page, "Starter plan, $1.00 this month");

  // A month passes: 100 captures beyond the quota are $0.50.
  const [start, end] = [daysAgo(35), new Date(Date.parse(daysAgo(35)))];
  end.setUTCMonth(end.getUTCMonth() + 1);
  await updateKeyRing(accountsTable, accountId, (ring) => ({
    ...ring,
    account: { ...ring.account, created_at: daysAgo(40), billed_from: start },
  }));
  await count(accountId, start, 5_100);
  await putItem(usageTable, { ...billingRunKey, closed_until: Date.now() - 30 * DAY_MS });
  await runScheduled("BillingRun");
  await reopen(page, "unpaid, due on");
  expect(await textOf(page, ".invoices li:nth-child(2) summary")).toContain("$1.50");

  // A payment fails, and the next one succeeds.
  const report = (type: string, occurred_at: string) =>
    reportBillingEvent({ baseUrl, secret }, { type, account_id: accountId, period_start: start, occurred_at });
  await report("payment.failed", daysAgo(1));
  await reopen(page, "An invoice is not paid");
  expect(await accessibilityProblems(page)).toEqual([]);
  await expect
    .poll(async () => (await mailsTo(email)).map(({ subject }) => subject))
    .toContain("The payment of $1.50 failed");
  await report("payment.succeeded", daysAgo(0.5));
  await page.reload();
  await page.waitForSelector(".badge-paid");
  expect(await textOf(page, "main")).not.toContain("is not paid");

  // A larger plan, a smaller one that is taken back, and a cancellation.
  await pay(page, "Upgrade to Pro");
  await waitForText(page, "Pro plan, $49.00 this month");
  await press(page, "Change to Starter");
  await waitForText(page, "such a month costs about");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.click("form button.answer");
  await waitForText(page, "Your plan changes to Starter on");
  await press(page, "Keep Pro");
  await page.waitForFunction(() => !document.body.innerText.includes("Your plan changes to Starter on"));
  await press(page, "Cancel the plan");
  await waitForText(page, "captures are refused, and nothing more is billed");
  await page.click("form button.answer");
  await waitForText(page, "Your plan is cancelled, and ends on");
  expect(await accessibilityProblems(page)).toEqual([]);

  const { data: invoices } = await read(page, "/invoices");
  expect(
    invoices.map(({ plan, status, payment, total }: Record<string, string>) =>
      [plan, status, payment, total].join(" "),
    ),
  ).toEqual(["pro open unpaid 49.00", "starter closed paid 1.50", "free closed paid 0.00"]);
  expect(await read(page, "/settings")).toMatchObject({ plan: "pro", scheduled_plan: { plan: null } });

  // Export and deletion.
  await show(page, "Account");
  await press(page, "Export all data");
  await page.waitForSelector("a[href*='/storage/exports/']");
  await press(page, "Delete the account…");
  await fill(page, "#delete-name", email);
  await press(page, "Delete for good");
  await waitForText(page, "The account was deleted");
  expect(problems.filter((problem) => !/ERR_ABORTED|402/.test(problem))).toEqual([]);
});
