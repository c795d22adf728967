// The operator's page in a real browser against the running service, as an operator uses it.
import type { Page } from "puppeteer-core";
import { describe, expect, inject, test } from "vitest";
import type { PlanName } from "../../../lib/contract/plans.ts";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { openClient } from "../../support/client.ts";
import { fill, openOperatorScreen, press, show, storeExamples, textOf } from "../../support/dashboard-screens.ts";
import { codeTo, linkTokenTo } from "../../support/mailbox.ts";
import { operatorLinkToken, signInOperator } from "../../support/operator.ts";
import { observeLayoutShift, transferSizes, type View, viewProblems } from "../../support/page-views.ts";
import { OPERATOR } from "../../support/running-service.ts";
import { signIn } from "../../support/signed-in.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site, accountsTable } = inject("service");
const browser = webBrowser();

const views: readonly View[] = [
  { width: 390, scheme: "light" },
  { width: 1440, scheme: "dark" },
];

describe.concurrent("operator's page", () => {
  test("signs in by a one-time link, whose token leaves the address at once, and out again", async () => {
    await using opened = await browser.open(`${baseUrl}/operator#token=${await operatorLinkToken()}`);
    const { page } = opened;
    await page.waitForSelector(".sign-in .button-primary");
    expect(page.url()).toBe(`${baseUrl}/operator`);
    expect(await viewProblems(page, views)).toEqual([]);
    await press(page, "Continue");
    await page.waitForSelector(".app-navigation");
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toMatch(/token|opr_/);
    await press(page, "Sign out");
    await page.waitForSelector(".sign-in");
    await page.goto(`${baseUrl}/operator/audit`);
    await page.waitForSelector(".sign-in");
  });

  test("says that a link was used, and how to get another one", async () => {
    await using opened = await browser.open(`${baseUrl}/operator#token=${"x".repeat(43)}`);
    const { page } = opened;
    await press(page, "Continue");
    await page.waitForSelector(".notice");
    expect(await textOf(page, ".notice")).toContain("was used or has expired");
    expect(await textOf(page, ".sign-in")).toContain("npm run operator -- sign-in");
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("signs in by a code, and stays at the screen that was asked for", async () => {
    await using opened = await browser.open(`${baseUrl}/operator/audit`);
    const { page } = opened;
    await fill(page, "#operator-email", OPERATOR);
    await press(page, "Send a code");
    await fill(page, "#operator-code", await codeTo(OPERATOR));
    await page.waitForSelector(".audit");
    expect(new URL(page.url()).pathname).toBe("/operator/audit");
    expect(await textOf(page, ".audit")).toContain("operator.signed_in");
    expect(await textOf(page, ".app-account")).toContain(OPERATOR);
  });

  test("asks a customer to sign in", async () => {
    const { accountId } = await openClient();
    const [name = "", value = ""] = (await signIn(accountId)).cookie.split("; ")[0]?.split(/=(.*)/s) ?? [];
    await using opened = await browser.open("about:blank");
    const { page } = opened;
    await page.setCookie({ name, value, url: baseUrl });
    await page.goto(`${baseUrl}/operator/accounts`);
    await page.waitForSelector(".sign-in");
    expect(await page.$(".app-navigation")).toBeNull();
  });

  test("ends with the session, and keeps what is shown until the operator signs in again", async () => {
    await using opened = await openOperatorScreen(browser, "/audit");
    const { page } = opened;
    await page.waitForSelector(".audit");
    await page.deleteCookie(...(await page.cookies()));
    await show(page, "Failed");
    await page.waitForSelector(".frame-notice");
    await press(page, "Sign in again");
    await page.waitForSelector("#operator-email");
    expect(new URL(page.url()).pathname).toBe("/operator/failed");
  });

  test("traces a request by its number: its account, what came of it, where the time went, and its log", async () => {
    const client = await openClient();
    const response = await client.capture({ url: `${site}/none`, wait_for_selector: "#chart" });
    const { request_id, code } = (await response.json()) as { request_id: number; code: string };
    await using opened = await openOperatorScreen(browser, "/requests");
    const { page, problems } = opened;
    await fill(page, "#request-id", ` ${request_id} `);
    await press(page, "Trace");
    await page.waitForSelector(".log-lines");
    expect(new URL(page.url()).pathname).toBe(`/operator/requests/${request_id}`);
    const text = await textOf(page, ".screen");
    for (const part of [String(client.accountId), code, new URL(site).hostname, "wait_for_selector", "navigate"])
      expect(text).toContain(part);
    expect(await page.$(`.facts a[href="/operator/accounts/${client.accountId}"]`)).not.toBeNull();
    expect(await viewProblems(page, views)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("says that no line of the log has a number", async () => {
    await using opened = await openOperatorScreen(browser, `/requests/${createId(Date.now(), 0)}`);
    const { page } = opened;
    await page.waitForFunction(() => document.body.innerText.includes("No log line has this id"));
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

/** An account with an address and a key, and without the limits of a trial. */
async function openCustomer({ label = "Test", plan = "pro" as PlanName } = {}) {
  const client = await openClient({ plan });
  const email = `ann-${client.accountId}@customer.example`;
  await updateKeyRing(accountsTable, client.accountId, ({ account, keys }) => ({
    account: { ...account, label, email },
    keys,
  }));
  return { ...client, email };
}

/** Problems other than requests of a screen that was left before they were answered. */
const withoutAborted = (problems: readonly string[]) =>
  problems.filter((problem) => !problem.endsWith("net::ERR_ABORTED"));

/** Waits until the page says what an action has done. */
async function waitForOutcome(page: Page, text: string): Promise<void> {
  await page.waitForFunction((said) => document.querySelector(".outcome")?.textContent === said, {}, text);
}

describe.concurrent("operator's page, accounts", () => {
  test("finds and opens an account by the keyboard alone, by the start of its address", async () => {
    const { accountId, email } = await openCustomer();
    await using opened = await openOperatorScreen(browser);
    const { page, problems } = opened;
    await page.keyboard.press("/");
    await page.keyboard.type(email.slice(0, -12));
    await page.waitForSelector(`.row-link[href="/operator/accounts/${accountId}"]`);
    await page.waitForFunction(() => document.querySelectorAll(".row-link").length === 1);
    expect(new URL(page.url()).searchParams.get("search")).toBe(email.slice(0, -12));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".account-actions");
    expect(new URL(page.url()).pathname).toBe(`/operator/accounts/${accountId}`);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.goBack();
    await page.waitForSelector(`.row-link[href="/operator/accounts/${accountId}"]`);
    expect(withoutAborted(problems)).toEqual([]);
  });

  test("finds an account by its id and by the start of its key, and offers to trace a number that is none", async () => {
    const { accountId, key } = await openCustomer();
    await using opened = await openOperatorScreen(browser);
    const { page } = opened;
    for (const search of [String(accountId), key.slice(0, 12)]) {
      await page.goto(`${baseUrl}/operator/accounts?search=${search}`);
      await page.waitForSelector(`.row-link[href="/operator/accounts/${accountId}"]`);
      expect(await page.$$eval(".rows .row-link", (links) => links.length)).toBe(1);
    }
    await page.goto(`${baseUrl}/operator/accounts?search=${createId(Date.now(), 0)}`);
    await page.waitForSelector('.row-link[href^="/operator/requests/"]');
    expect(await viewProblems(page, views)).toEqual([]);
  });

  test("suspends an account with a reason, and resumes it", async () => {
    const client = await openCustomer({ label: "Acme" });
    const status = async () => (await client.get("/api/v1/account")).status;
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page, problems } = opened;
    await press(page, "Suspend…");
    await page.waitForSelector("dialog[open]");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.type("Phishing of <b>a bank</b>"); // the reason has the focus
    await press(page, "Suspend");
    await waitForOutcome(page, "“Acme” is suspended.");
    expect(await textOf(page, ".notice")).toContain("Phishing of <b>a bank</b>");
    expect(await status()).toBe(403);
    await press(page, "Resume…");
    await press(page, "Resume");
    await waitForOutcome(page, "“Acme” is resumed.");
    expect(await page.$(".notice")).toBeNull();
    expect(await status()).toBe(200);

    await show(page, "Audit log");
    await page.waitForSelector(".audit");
    const audit = await textOf(page, ".audit");
    for (const part of [
      "account.suspended",
      "“Phishing of <b>a bank</b>”",
      "account.resumed",
      String(client.accountId),
    ])
      expect(audit).toContain(part);
    expect(withoutAborted(problems)).toEqual([]);
  });

  test("changes an account also after a sign-in in another tab, which has another token", async () => {
    const client = await openCustomer({ label: "Acme" });
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page } = opened;
    const [name = "", value = ""] = (await signInOperator()).cookie.split(/=(.*)/s);
    await page.setCookie({ name, value, url: baseUrl });
    await press(page, "Suspend…");
    await fill(page, "#suspend-reason", "Phishing");
    await press(page, "Suspend");
    await waitForOutcome(page, "“Acme” is suspended.");
  });

  test("leaves an account as it is by Escape, and gives the focus back to the button", async () => {
    const client = await openCustomer();
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page } = opened;
    await page.waitForSelector(".account-actions button");
    await page.focus(".account-actions button:last-of-type");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.type("By mistake");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector("dialog") === null);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Suspend…");
    expect((await client.get("/api/v1/account")).status).toBe(200);
  });

  test("sets a limit with an end, which the customer sees, and gives it back to the plan", async () => {
    const client = await openCustomer();
    const limit = async () => (await (await client.get("/api/v1/account")).json()).limits.captures_per_day;
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page, problems } = opened;
    await press(page, "Set limits…");
    await fill(page, "#limit-captures_per_day", "2000");
    await fill(page, "#until-captures_per_day", "2099-12-09");
    await press(page, "Set the limits");
    await waitForOutcome(page, "The limits are set.");
    expect(await textOf(page, ".limits")).toMatch(/set by the operator, until 2099-12-09\s+2,000/);
    expect(await limit()).toEqual({ value: 2_000, until: "2099-12-09T00:00:00.000Z", is_override: true });
    await press(page, "Set limits…");
    await fill(page, "#limit-captures_per_day", "");
    await press(page, "Set the limits");
    await page.waitForFunction(() => !document.querySelector(".limits")?.textContent?.includes("set by the operator"));
    expect(await limit()).toEqual({ value: null, until: null, is_override: false });
    expect(problems).toEqual([]);
  });

  test("says why a limit is refused, and keeps what was entered", async () => {
    const client = await openCustomer();
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page } = opened;
    await press(page, "Set limits…");
    await fill(page, "#limit-api_keys", "9999");
    await press(page, "Set the limits");
    await page.waitForSelector("dialog .notice");
    expect(await textOf(page, "dialog .notice")).toContain("must be a whole number from 0 to");
    expect(await page.$eval("#limit-api_keys", (field) => (field as HTMLInputElement).value)).toBe("9999");
  });

  test("changes the plan to the one that the owner asks for", async () => {
    const client = await openCustomer();
    await updateKeyRing(accountsTable, client.accountId, ({ account, keys }) => ({
      account: { ...account, requested_plan: "max" },
      keys,
    }));
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page } = opened;
    await page.waitForFunction(() => document.body.innerText.includes("The owner asks for the plan Max."));
    await press(page, "Change the plan…");
    expect(await page.$eval("#plan", (field) => (field as HTMLSelectElement).value)).toBe("max");
    await press(page, "Change to Max");
    await waitForOutcome(page, "The plan is Max.");
    expect((await (await client.get("/api/v1/account")).json()).plan).toBe("max");
    expect(await page.evaluate(() => document.body.innerText)).not.toContain("asks for the plan");
  });

  test("sends an event of an account again", async () => {
    const { accountId } = await openCustomer({ label: "<b>Acme</b>" });
    const owner = await signIn(accountId);
    await owner.request("PATCH", "/api/v1/account/settings", { requested_plan: "max" });
    await using opened = await openOperatorScreen(browser, "/events");
    const { page, problems } = opened;
    const row = `.events tr:has(a[href="/operator/accounts/${accountId}"])`;
    await page.waitForSelector(row);
    expect(await textOf(page, row)).toContain("Asks for the plan Max, has Pro");
    expect(await textOf(page, row)).toContain("<b>Acme</b>");
    expect(await viewProblems(page, views)).toEqual([]);
    await page.click(`${row} button`);
    await press(page, "Send again");
    await waitForOutcome(page, "The event is queued, and is sent within seconds.");
    expect(problems).toEqual([]);
  });

  test("sends the owner a sign-in link, which the operator never sees", async () => {
    const client = await openCustomer();
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page } = opened;
    await press(page, "Send a sign-in link…");
    await press(page, "Send the link");
    await waitForOutcome(page, `A sign-in link was sent to ${client.email}.`);
    const token = await linkTokenTo(client.email, "sign-in");
    await page.goto(`${baseUrl}/operator/audit`);
    await page.waitForSelector(".audit");
    expect(await textOf(page, ".audit")).toContain("account.sign_in_link_sent");
    expect(await page.content()).not.toContain(token);
  });

  test("shows markup in a label, a host, and a reason as text", async () => {
    const markup = '<img src="x" onerror="document.title = 1"><b>Acme</b>';
    const client = await openCustomer({ label: markup });
    await using opened = await openOperatorScreen(browser, `/accounts?search=${client.accountId}`);
    const { page, problems } = opened;
    await page.waitForSelector(".rows");
    expect(await textOf(page, ".row-link")).toBe(markup);
    await page.click(".row-link");
    await page.waitForSelector(".account-actions");
    expect(await textOf(page, "h1")).toBe(markup);
    await press(page, "Suspend…");
    expect(await textOf(page, "dialog h2")).toBe(`Suspend “${markup}”?`);
    await fill(page, "#suspend-reason", markup);
    await press(page, "Suspend");
    await waitForOutcome(page, `“${markup}” is suspended.`);
    expect(await textOf(page, ".notice")).toContain(markup);
    await show(page, "Audit log");
    await page.waitForSelector(".audit");
    expect(await textOf(page, ".audit")).toContain(markup);
    expect(await page.$$eval(".screen :is(img, b)", (elements) => elements.length)).toBe(0);
    expect(withoutAborted(problems)).toEqual([]);
  });

  test("changes nothing for a request without the session's token", async () => {
    const client = await openCustomer();
    await using opened = await openOperatorScreen(browser, `/accounts/${client.accountId}`);
    const { page } = opened;
    const statuses = await page.evaluate(async (id) => {
      const session = await (await fetch("/operator/api/session")).json();
      const send = (headers: Record<string, string>) =>
        fetch(`/operator/api/accounts/${id}/suspend`, {
          method: "POST",
          headers: { "Content-Type": "application/json", ...headers },
          body: JSON.stringify({ reason: "Forged" }),
        });
      const sent = [{}, { "X-CSRF-Token": "x" }, { "X-CSRF-Token": session.csrf_token }].map(send);
      return (await Promise.all(sent)).map(({ status }) => status);
    }, client.accountId);
    expect(statuses).toEqual([403, 403, 200]);
  });
});

test("operator's page: each screen fits into each width in light and dark, does not move while it loads, and axe-core finds nothing", async () => {
  const client = await openCustomer();
  await storeExamples(client);
  await using opened = await openOperatorScreen(browser);
  const { page, problems } = opened;
  const layoutShift = await observeLayoutShift(page);
  const account = `/accounts/${client.accountId}`;
  for (const path of [
    "",
    "/accounts",
    account,
    `${account}/captures`,
    "/requests",
    "/failed",
    "/events",
    "/audit",
    "/none",
  ]) {
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${baseUrl}/operator${path}`, { waitUntil: "networkidle0" });
    expect(await layoutShift(), path).toBeLessThan(0.05); // web.dev calls 0.1 good
    expect(await viewProblems(page, views), path).toEqual([]);
  }
  expect(problems).toEqual([]);
});

test("operator's page: letters are no shortcuts once they are turned off", async () => {
  await using opened = await openOperatorScreen(browser);
  const { page } = opened;
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Failed");
  await page.keyboard.type("?");
  await page.waitForSelector("dialog[open] input");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.click("dialog[open] input");
  await page.waitForFunction(() => localStorage.length > 0);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await page.keyboard.type("?");
  expect(await page.$("dialog")).toBeNull();
  expect(await textOf(page, "h1")).toBe("Failed");
});

test("operator's page: takes at most 43 kB", async () => {
  await using opened = await browser.open(`${baseUrl}/operator`);
  await opened.page.waitForNetworkIdle();
  const files = opened.requests.filter((url) => url.includes("/assets/") || url.endsWith("/operator"));
  const sizes = await transferSizes(files);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(43_000);
});
