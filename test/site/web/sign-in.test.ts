// Signing in, in a real browser: codes by e-mail, links, the way back to where one was, and what happens when a session ends.
import { randomUUID } from "node:crypto";
import type { Page } from "puppeteer-core";
import { describe, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { type Client, openClient } from "../../support/client.ts";
import { fill, press, show, textOf } from "../../support/dashboard-screens.ts";
import { codeTo, linkTokenTo } from "../../support/mailbox.ts";
import { linkToken, signIn } from "../../support/signed-in.ts";
import { slowDescribe, slowTest } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, accountsTable } = inject("service");
const browser = webBrowser();
const anAddress = () => `ann@customer-${randomUUID().slice(0, 8)}.example`; // trials of one domain are limited

/** Opens an address by a one-time link that is opened first. */
async function openSignedIn({ accountId }: Client) {
  const opened = await browser.open(`${baseUrl}/app/sign-in#token=${await linkToken(accountId)}`);
  await press(opened.page, "Continue");
  await opened.page.waitForSelector(".app-account strong");
  return opened;
}

/** Pastes a text into the field that has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    document.execCommand("insertText", false, pasted);
  }, text);

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
const address = (page: Page) => page.url().slice(baseUrl.length);

async function askForCode(page: Page, email: string): Promise<string> {
  await fill(page, "#sign-in-email", email);
  await press(page, "Send a code");
  await page.waitForSelector("#sign-in-code");
  return codeTo(email);
}

describe.concurrent("sign-in by a code", () => {
  test("takes it as it is pasted, says how many tries are left, survives a reload, and leads back to a deep link", async () => {
    const email = anAddress();
    await using opened = await browser.open(`${baseUrl}/app/captures?status=failed`);
    const { page, problems } = opened;
    await page.waitForSelector("#sign-in-email");
    expect([problems, await page.title()]).toEqual([[], "Sign in – Screen Capture API"]);
    const code = await askForCode(page, email);
    await expect.poll(() => focused(page)).toBe("sign-in-code");
    expect(
      await page.$eval("#sign-in-code", (field) => [
        field.getAttribute("inputmode"),
        field.getAttribute("autocomplete"),
        field.getAttribute("maxlength"),
      ]),
    ).toEqual(["numeric", "one-time-code", null]);
    expect(await accessibilityProblems(page)).toEqual([]);

    const wrong = code.startsWith("1") ? "222 222" : "111-111";
    await paste(page, wrong);
    await page.waitForSelector(".code-form .notice");
    expect(await textOf(page, ".code-form .notice")).toBe("This code is wrong. 4 tries are left.");
    expect(await page.$$(".sign-in .notice a")).toEqual([]);
    expect([
      await focused(page),
      await page.$eval("#sign-in-code", (field) => (field as HTMLInputElement).value),
    ]).toEqual(["sign-in-code", ""]);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.type("#sign-in-code", code.slice(0, 3));
    await page.reload();
    await page.waitForSelector("#sign-in-code");
    expect(await textOf(page, ".code-form")).toContain(email);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).toContain(email); // what is looked at is what was stored
    expect(stored.replaceAll(/\d{13}/g, "a time")).not.toContain(code.slice(0, 3));
    await paste(page, ` ${code.slice(0, 3)} ${code.slice(3)}\n`);
    await page.waitForSelector(".list-filters");
    expect(address(page)).toBe("/app/captures?status=failed");
    expect(await page.title()).toBe("Captures – Screen Capture API");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(email);
  });

  slowTest("is sent again after half a minute, and the address can be changed", async () => {
    const email = anAddress();
    await using opened = await browser.open(`${baseUrl}/app/sign-in`);
    const { page } = opened;
    await askForCode(page, email);
    const resend = () =>
      page.$$eval(".code-form button", (all) => {
        const found = all.find((each) => each.textContent?.startsWith("Resend"));
        return found && [found.textContent, found.disabled];
      });
    expect(await resend()).toEqual([expect.stringMatching(/^Resend the code in (30|2\d) s$/), true]);
    await page.evaluate(() => {
      const [key = "", text = "{}"] = Object.entries({ ...sessionStorage })[0] ?? [];
      sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(text), sentAt: Date.now() - 31_000 }));
    });
    await page.reload();
    await page.waitForSelector("#sign-in-code");
    expect(await resend()).toEqual(["Resend the code", false]);
    await press(page, "Resend the code");
    const second = await codeTo(email, 2);
    await page.waitForFunction(() => document.activeElement?.id === "sign-in-code");
    expect(await resend()).toEqual([expect.stringMatching(/^Resend the code in/), true]);
    await press(page, "Use another address");
    await page.waitForSelector("#sign-in-email");
    await page.reload();
    await page.waitForSelector("#sign-in-email");
    expect(second).toMatch(/^\d{6}$/);
  });

  slowTest("says when a code can be asked for again", async () => {
    const email = anAddress();
    await using opened = await browser.open(`${baseUrl}/app/sign-in`);
    const { page } = opened;
    await page.evaluate(async (asked) => {
      const body = JSON.stringify({ email: asked });
      const headers = { "Content-Type": "application/json" };
      for (let count = 0; count < 5; count++) await fetch("/sign-in/code", { method: "POST", headers, body });
    }, email);
    await fill(page, "#sign-in-email", email);
    await press(page, "Send a code");
    await page.waitForSelector("form .notice");
    expect(await textOf(page, "form .notice")).toMatch(/^Too many attempts\. Try again in \d+ (s|min)\.$/);
  });

  slowTest("says where sign-up is closed that the operator opens accounts, for every address", async () => {
    await using opened = await browser.open("about:blank");
    const { page } = opened;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.method() !== "GET" || new URL(request.url()).pathname !== "/session") return void request.continue();
      const body = JSON.stringify({ account: null, session: null, sign_in: { email: true, sign_up: false } });
      void request.respond({ status: 200, contentType: "application/json", body });
    });
    await page.goto(`${baseUrl}/app/sign-in`);
    await page.waitForSelector("#sign-in-email");
    expect(await textOf(page, ".sign-in form")).toContain("New accounts are opened by the operator");
    await askForCode(page, anAddress());
    expect(await textOf(page, ".sign-in form")).toContain("New accounts are opened by the operator");
  });
});

slowDescribe.concurrent("sign-in by a link", () => {
  test("that is opened in another tab leads back to where the visitor was", async () => {
    const client = await openClient();
    await using opened = await browser.open(`${baseUrl}/app/usage?days=7`);
    await opened.page.waitForSelector("#sign-in-key");
    const tab = await opened.page.browserContext().newPage();
    await tab.goto(`${baseUrl}/app/sign-in#token=${await linkToken(client.accountId)}`);
    await press(tab, "Continue");
    await tab.waitForSelector(".app-account strong");
    expect(address(tab)).toBe("/app/usage?days=7");
    // The first tab, loaded again, is there as well.
    await opened.page.reload();
    await opened.page.waitForSelector(".app-account strong");
    expect(address(opened.page)).toBe("/app/usage?days=7");
  });

  test("that was used says so at the e-mail form, and the API key stays folded", async () => {
    await using opened = await browser.open(`${baseUrl}/app/sign-in#token=sgn_used`);
    const { page } = opened;
    await press(page, "Continue");
    await page.waitForSelector(".sign-in .notice");
    expect(await textOf(page, ".sign-in .notice")).toMatch(/^This link was used or has expired\./);
    expect(
      await page.evaluate(() => [
        document.querySelector(".sign-in .notice + form #sign-in-email") !== null,
        document.querySelector("details")?.open,
        document.querySelectorAll(".sign-in .notice").length,
      ]),
    ).toEqual([true, false, 1]);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("that reports a sign-in ends every session, and not by being opened", async () => {
    const [client, email] = [await openClient(), anAddress()];
    await updateKeyRing(accountsTable, client.accountId, (ring) => ({ ...ring, account: { ...ring.account, email } }));
    const stranger = await signIn(client.accountId);
    const token = await linkTokenTo(email, "not-me");
    await using opened = await browser.open(`${baseUrl}/app/not-me#token=${token}`);
    const { page } = opened;
    await page.waitForSelector(".button-primary");
    expect([page.url(), await page.title()]).toEqual([
      `${baseUrl}/app/not-me`,
      "A sign-in that was not you – Screen Capture API",
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect((await stranger.request("GET", "/session")).status).toBe(200);
    await press(page, "Sign every browser out");
    await page.waitForSelector(".sign-in ol");
    expect((await stranger.request("GET", "/session")).status).toBe(401);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe.concurrent("a signed-in browser", () => {
  test("is led on from the sign-in page, to a page of the dashboard regardless of its address, and stays known", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page, problems } = opened;
    const hint = () => page.evaluate(() => localStorage.getItem("signed-in"));
    const to = async (text?: string) => {
      await page.goto(`${baseUrl}/app/sign-in${text === undefined ? "" : `?${new URLSearchParams({ to: text })}`}`);
      await page.waitForSelector(".app-account strong");
      return address(page);
    };
    expect(await hint()).toBe("true");
    expect(await to()).toBe("/app");
    expect(await to("keys")).toBe("/app/keys");
    for (const attack of ["//evil.example", "\\@evil.example"]) {
      expect([await to(attack), attack]).toEqual(["/app", attack]);
    }
    expect(await hint()).toBe("true");
    expect(problems.filter((problem) => !problem.endsWith("net::ERR_ABORTED"))).toEqual([]);
  });

  slowTest("moves the focus and the title with each screen, also back", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page } = opened;
    const state = () => page.evaluate(() => [document.title, document.activeElement?.textContent]);
    await show(page, "Captures");
    await expect.poll(state).toEqual(["Captures – Screen Capture API", "Captures"]);
    await page.focus("#filter-status");
    await page.select("#filter-status", "failed");
    await page.waitForFunction(() => location.search === "?status=failed");
    expect(await focused(page)).toBe("filter-status");
    await show(page, "Usage");
    await expect.poll(state).toEqual(["Usage – Screen Capture API", "Usage"]);
    await page.goBack();
    await expect.poll(state).toEqual(["Captures – Screen Capture API", "Captures"]);
    expect(address(page)).toBe("/app/captures?status=failed");
  });

  test("whose session has ended gets one notice, keeps what it wrote, and signs in back to where it was", async () => {
    const client = await openClient();
    await using opened = await openSignedIn(client);
    const { page } = opened;
    await show(page, "Account");
    await page.waitForSelector(".sessions li");
    const other = await signIn(client.accountId);
    await other.request("DELETE", "/sessions");
    await fill(page, "#account-name", "Another name");
    await press(page, "Rename");
    await page.waitForSelector(".frame-notice");
    expect(await textOf(page, ".frame-notice")).toMatch(/^Your session has ended\.\s+Sign in again$/);
    expect(await page.$$(".notice")).toHaveLength(1);
    expect(await page.$$(".notice a[href*=docs]")).toEqual([]);
    expect(await page.$eval("#account-name", (field) => (field as HTMLInputElement).value)).toBe("Another name");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.click(".frame-notice a");
    await page.waitForFunction(() =>
      document.querySelector(".sign-in")?.textContent?.includes("Your session has ended."),
    );
    await fill(page, "#sign-in-key", client.key);
    await press(page, "Sign in");
    await page.waitForSelector(".sessions li");
    expect(address(page)).toBe("/app/account");
  });

  slowTest("that has sent too many requests keeps its frame, counts down, and goes on by itself", async () => {
    await using opened = await openSignedIn(await openClient());
    const { page } = opened;
    let isLimited = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (!isLimited || !/\/(session|api\/)/.test(new URL(request.url()).pathname)) return void request.continue();
      const body = JSON.stringify({ error: "Too many. Try again in 2 s.", code: "RATE_LIMITED" });
      void request.respond({ status: 429, headers: { "Retry-After": "2" }, contentType: "application/json", body });
    });
    await page.goto(`${baseUrl}/app/keys`);
    await page.waitForSelector(".frame-notice");
    expect(await textOf(page, ".frame-notice")).toMatch(/goes on by itself in [12] s\.$/);
    expect(await page.$$(".app-navigation nav a")).not.toHaveLength(0);
    expect(Number.parseInt(await page.$eval(".frame-notice", (notice) => getComputedStyle(notice).padding), 10)).toBe(
      12,
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    isLimited = false;
    await page.waitForSelector(".key-card");
    expect(await page.$(".frame-notice")).toBeNull();
  });

  slowTest("that is offline shows no rows of other filters", async () => {
    const client = await openClient();
    await client.capture({ html: "<h1>Hello", viewport_width: "200", viewport_height: "100" });
    await using opened = await openSignedIn(client);
    const { page } = opened;
    await show(page, "Captures");
    await page.waitForSelector(".captures > li");
    await page.setOfflineMode(true);
    await page.select("#filter-status", "failed");
    await page.waitForSelector(".notice");
    expect(await textOf(page, ".notice")).toMatch(/^The service can’t be reached\. Check your connection\./);
    expect(await page.$$(".captures > li")).toEqual([]);
    await page.setOfflineMode(false);
    await press(page, "Try again");
    await page.waitForFunction(() => document.body.innerText.includes("No capture matches the filters"));
  });

  slowTest("whose account was deleted is shown nothing but that, and the way out", async () => {
    const client = await openClient();
    await client.capture({ html: "<h1>Hello", viewport_width: "200", viewport_height: "100" });
    await using opened = await openSignedIn(client);
    const { page } = opened;
    await show(page, "Account");
    await press(page, "Delete the account…");
    await fill(page, "#delete-name", "Test");
    await press(page, "Delete for good");
    await page.waitForFunction(() => document.title === "The account was deleted – Screen Capture API");
    expect(await textOf(page, ".sign-in")).toMatch(
      /With it 1 capture of the log, 0 asynchronous captures, .* and 1 API key\./,
    );
    expect(await page.$$eval("#app :is(button, input, a)", (all) => all.map(({ textContent }) => textContent))).toEqual(
      ["Go to the home page"],
    );
    expect(await page.evaluate(() => localStorage.getItem("signed-in"))).toBeNull();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.reload();
    await page.waitForFunction(() => document.body.innerText.includes("1 capture of the log"));
  });
});
