// The operator's page in a real browser against the running service, as an operator uses it.
import { describe, expect, inject, test } from "vitest";
import { createId } from "../../../lib/service/platform/ids.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { openClient } from "../../support/client.ts";
import { fill, openOperatorScreen, press, show, textOf } from "../../support/dashboard-screens.ts";
import { codeTo } from "../../support/mailbox.ts";
import { operatorLinkToken, signInOperator } from "../../support/operator.ts";
import { observeLayoutShift, transferSizes, type View, viewProblems } from "../../support/page-views.ts";
import { OPERATOR } from "../../support/running-service.ts";
import { signIn } from "../../support/signed-in.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site } = inject("service");
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
