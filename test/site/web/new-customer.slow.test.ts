// A new customer in a real browser: from signing up by e-mail to the invoice of the first month, and what an attacker tries.
import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { periodKey } from "../../../lib/service/aws/table-keys.ts";
import { periodsUntil } from "../../../lib/service/billing/billing-period.ts";
import { readPdf } from "../../fixtures/pdf.ts";
import { writeItems } from "../../fixtures/usage-items.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { openClient } from "../../support/client.ts";
import { fill, press, show, textOf } from "../../support/dashboard-screens.ts";
import { codeTo } from "../../support/mailbox.ts";
import { fromOwnPage, signIn } from "../../support/signed-in.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site, accountsTable, usageTable } = inject("service");
const browser = webBrowser();
/** It captures five times, and waits for mail and for a webhook. */
const TIMEOUT_MS = 180_000;
const DAY_MS = 24 * 60 * 60 * 1000;

test(
  "a new customer signs up by e-mail, captures, sees it, rotates the key, finds a failed webhook, and gets an invoice",
  async () => {
    const email = `ann-${randomUUID().slice(0, 8)}@customer.example`;
    await using opened = await browser.open(`${baseUrl}/app`);
    const { page, problems } = opened;

    // Signs up.
    await fill(page, "#sign-in-email", email);
    await press(page, "Send a code");
    await fill(page, "#sign-in-code", await codeTo(email));
    await page.waitForSelector(".first-steps");
    expect(await page.$(".first-steps .is-done")).toBeNull();

    // Makes the first key.
    await show(page, "API keys");
    await fill(page, "#key-label", "Website");
    await press(page, "Create key");
    await page.waitForSelector(".issued");
    const issuedKey = async () => /cap_[0-9A-Za-z]{46}/.exec(await textOf(page, ".issued"))?.[0] ?? "";
    const first = await issuedKey();

    // Captures with it, as a program.
    const capture = (key: string, options: Record<string, string>) =>
      fetch(`${baseUrl}/api/v1/screenshot?${new URLSearchParams(options)}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
    const captured = await capture(first, { url: `${site}/box`, viewport_width: "320" });
    expect([captured.status, captured.headers.get("content-type")]).toEqual([200, "image/png"]);
    await captured.arrayBuffer();

    // Finds it in the log, and all three steps done.
    await show(page, "Captures");
    await page.waitForSelector(".capture-source");
    expect(await textOf(page, ".captures")).toContain(`${site}/box`);
    await show(page, "Overview");
    await page.waitForSelector(".figure-card strong");
    expect(await page.$(".first-steps")).toBeNull();
    expect(await textOf(page, ".figures")).toMatch(/Captures today \(UTC\)\s+1\s/);

    // Sees it in the charts.
    await show(page, "Usage");
    await page.waitForSelector(".bar-chart .bar-success");
    expect(await textOf(page, "tbody tr")).toMatch(/\s1\s+0\s/);
    await page.waitForSelector(".breakdown a");
    expect(await textOf(page, ".breakdown")).toContain(new URL(site).hostname);

    // Rotates the key, after reading what that breaks.
    await show(page, "API keys");
    await press(page, "Rotate");
    await page.waitForFunction(() => document.querySelector(".key-question .note"));
    expect(await textOf(page, ".key-question")).toMatch(/last used.*127\.0\.0\.1/s);
    await press(page, "Rotate “Website”");
    await page.waitForFunction(
      (old) => document.querySelector(".issued") && !document.querySelector(".issued")?.textContent?.includes(old),
      {},
      first,
    );
    const second = await issuedKey();
    expect((await capture(first, { html: "x" })).status).toBe(401);

    // Sees that a webhook failed, and why.
    const accepted = await capture(second, { html: "<p>", async: "true", webhook_url: `${site}/nothing-here` });
    expect(accepted.status).toBe(202);
    const { request_id } = await accepted.json();
    await page.goto(`${baseUrl}/app/captures/${request_id}`);
    await page.waitForFunction(() => document.querySelector(".deliveries")?.textContent?.includes(": 404 in"));
    expect(await accessibilityProblems(page)).toEqual([]);

    // Two months later, on a paid plan.
    const { account } = await page.evaluate(async (address) => (await fetch(address)).json(), `${baseUrl}/session`);
    const began = new Date(Date.now() - 45 * DAY_MS).toISOString();
    const ring = await updateKeyRing(accountsTable, account.id, (current) => ({
      ...current,
      account: { ...current.account, plan: "starter", created_at: began, billed_from: began },
    }));
    const [lastMonth] = periodsUntil(ring.account, Date.now());
    await writeItems(usageTable, [{ ...periodKey(account.id, began), screenshots: 5_120, videos: 12 }]);
    await show(page, "Plan and invoices");
    await page.waitForSelector(".invoices .badge-closed");
    expect(await page.$$(".invoices > li")).toHaveLength(2);
    const address = await page.$eval(
      ".invoices > li:last-child a[download]",
      (link) => (link as HTMLAnchorElement).href,
    );
    expect(decodeURIComponent(address)).toContain(lastMonth?.start);
    const invoice = await page.evaluate(async (url) => {
      const response = await fetch(url);
      return {
        name: response.headers.get("content-disposition"),
        bytes: [...new Uint8Array(await response.arrayBuffer())],
      };
    }, address);
    expect(invoice.name).toContain(`invoice-${account.id}-${began.slice(0, 10)}.pdf`);
    const pdf = readPdf(Buffer.from(invoice.bytes));
    expect(pdf.texts).toHaveLength(1);
    for (const text of ["Invoice", email, "Starter plan", "5,120 of 5,000 included", "120 $0.005 $0.60", "$1.60"]) {
      expect(pdf.texts[0]).toContain(text);
    }
    expect(problems.filter((problem) => !/ERR_ABORTED|status of 401/.test(problem))).toEqual([]);

    // An attacker with another account, a forged form, or a guessed code gets nothing.
    const stranger = await signIn((await openClient()).accountId);
    const logs = await (
      await fetch(`${baseUrl}/api/v1/usage`, { headers: { Authorization: `Bearer ${second}` } })
    ).json();
    for (const path of [`/api/v1/usage/${logs.data[0].id}`, new URL(address).pathname]) {
      expect((await stranger.request("GET", path)).status).toBe(404);
    }
    const cookies = (await page.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const forged = await fetch(`${baseUrl}/api/v1/keys`, {
      method: "POST",
      headers: { Cookie: cookies, "Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain" },
      body: '{"label":"Forged"}',
    });
    expect(forged.status).toBe(403);
    const guess = await fromOwnPage("POST", "/sign-in/code/verify", { body: { email, code: "123456" } });
    expect(guess.status).toBe(401);
  },
  TIMEOUT_MS,
);
