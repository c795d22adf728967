// The dashboard of an account that the operator has suspended, and the limits that the operator has set, in a real browser.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { setLimits } from "../../../lib/service/account/set-limits.ts";
import { suspendAccount } from "../../../lib/service/account/suspension.ts";
import { type Client, openClient } from "../../support/client.ts";
import { openScreen, press, show, textOf } from "../../support/dashboard-screens.ts";
import { ordinaryViews, viewProblems } from "../../support/page-views.ts";
import { webBrowser } from "../../support/web-browser.ts";

const service = inject("service");
const browser = webBrowser();

const REASON = "Captures of <b>login pages</b> of a bank. Write to abuse@captures.example.";

beforeAll(() => {
  process.env["AWS_ENDPOINT_URL_SQS"] = service.sqs;
});

function suspend({ accountId }: Client) {
  const { accountsTable, usageTable, webhookQueue } = service;
  const env = { ACCOUNTS_TABLE: accountsTable, USAGE_TABLE: usageTable, WEBHOOK_QUEUE_URL: webhookQueue };
  return suspendAccount(env, { accountId, reason: REASON, billing: "stop", now: Date.now() });
}

describe.concurrent("dashboard of a suspended account", () => {
  test("shows the reason, the invoices, the export, and the deletion, and asks for nothing that is refused", async () => {
    const client = await openClient();
    await suspend(client);
    await using opened = await openScreen(browser, client.accountId);
    const { page, problems } = opened;
    await page.waitForSelector(".invoices");
    expect(new URL(page.url()).pathname).toMatch(/\/app\/billing$/);
    expect(await page.$$eval(".app-navigation a", (links) => links.map(({ textContent }) => textContent))).toEqual([
      "Plan and invoices",
      "Account",
    ]);
    expect(await textOf(page, ".suspension")).toContain(REASON);
    expect(await textOf(page, ".suspension")).toMatch(/To have it resumed, write to support@captures\.example\.$/);
    expect(
      await page.$$eval(".suspension a, .site-footer a", (links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual([
      "mailto:support@captures.example",
      "mailto:support@captures.example",
      "https://captures.example/terms",
      "https://captures.example/privacy",
      "https://captures.example/imprint",
      "https://code.example/captures",
    ]);
    expect(await page.$(".plans")).toBeNull();
    expect(await page.$("details[open] a[download]")).not.toBeNull();
    expect(await viewProblems(page, ordinaryViews)).toEqual([]);

    await show(page, "Account");
    expect(await page.$$eval(".screen h2", (headings) => headings.map(({ textContent }) => textContent))).toEqual([
      "This account is suspended",
      client.account.label,
      "Your data",
      "Delete the account",
    ]);
    await press(page, "Export all data");
    await page.waitForSelector(".screen a[download]");
    expect(await viewProblems(page, ordinaryViews)).toEqual([]);
    // A request that is refused is a problem, and so is a download, which leaves no page.
    expect(problems.filter((problem) => !problem.includes("/storage/exports/"))).toEqual([]);
  });

  test.each(["keys", "captures", "captures/247900000000000", "usage", "webhooks", "none"])(
    "leads from the address %s to the invoices",
    async (path) => {
      const client = await openClient();
      await suspend(client);
      await using opened = await openScreen(browser, client.accountId, `/${path}`);
      const { page, problems } = opened;
      await page.waitForSelector(".invoices");
      expect(new URL(page.url()).pathname).toMatch(/\/app\/billing$/);
      expect(problems).toEqual([]);
    },
  );

  test("finds its screens by the search, and no key", async () => {
    const client = await openClient();
    await suspend(client);
    await using opened = await openScreen(browser, client.accountId);
    const { page, problems } = opened;
    await page.waitForSelector(".invoices");
    await page.keyboard.press("/");
    await page.waitForSelector("dialog[open] input");
    await page.keyboard.type("delete account");
    await page.waitForFunction(() =>
      [...document.querySelectorAll("#search-results [role=option]")].some((each) =>
        each.textContent?.includes("Account"),
      ),
    );
    expect(problems).toEqual([]);
  });

  test("is shown as soon as a request of an open dashboard is refused", async () => {
    const client = await openClient();
    await using opened = await openScreen(browser, client.accountId);
    const { page } = opened;
    await page.waitForSelector(".figures");
    await suspend(client);
    await show(page, "Usage").catch(() => undefined);
    await page.waitForSelector(".suspension");
    await page.waitForSelector(".invoices");
    expect(await page.$$eval(".app-navigation a", (links) => links.length)).toBe(2);
  });

  test("lets the owner delete the account", async () => {
    const client = await openClient();
    await suspend(client);
    await using opened = await openScreen(browser, client.accountId, "/account");
    const { page } = opened;
    await press(page, "Delete the account…");
    await page.type("#delete-name", client.account.label);
    await press(page, "Delete for good");
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "The account was deleted");
  });
});

test("dashboard: shows the limits of the account, and which of them the operator has set until when", async () => {
  const client = await openClient({ plan: "pro" });
  const now = Date.now();
  const until = new Date(now + 9 * 24 * 60 * 60 * 1000).toISOString();
  const changes = { requests_per_minute: { value: 300, until: null }, captures_per_day: { value: 2_000, until } };
  await setLimits(service.accountsTable, { accountId: client.accountId, changes, now });
  await using opened = await openScreen(browser, client.accountId, "/usage");
  const { page } = opened;
  await page.waitForSelector(".limits");
  const rows = await page.$$eval(".limits tbody tr", (all) => all.map((row) => row.innerText.replaceAll(/\s+/g, " ")));
  expect(rows).toHaveLength(5);
  expect(rows[0]).toMatch(/^Requests a minute set by the operator 300$/);
  expect(rows[2]).toMatch(/^Successful captures a day \(UTC\) set by the operator, until .+ 2,000$/);
  expect(rows[3]).toMatch(/^API keys \d+$/);
  expect(await page.$eval(".limits time", (time) => time.dateTime)).toBe(until);
});
