// The search dialog in a real browser: results, marks, keyboard, what it keeps, and the palette of the dashboard.
import type { Page } from "puppeteer-core";
import { describe, expect, inject, test } from "vitest";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { openClient } from "../../support/client.ts";
import { press } from "../../support/dashboard-screens.ts";
import { linkToken, signIn } from "../../support/signed-in.ts";
import { slowTest } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

/** Opens the dialog with the slash, types, and waits for the results of the whole query. */
async function searchFor(page: Page, query: string): Promise<void> {
  if (!(await page.$("dialog[open]"))) await page.keyboard.press("/");
  await page.waitForSelector("dialog[open]");
  await page.$eval("[role=combobox]", (field) => (field as HTMLInputElement).select());
  await page.keyboard.type(query);
  await page.waitForFunction(
    (typed) => document.querySelector<HTMLElement>(".search-dialog a")?.dataset["query"] === typed,
    {},
    query,
  );
}

const texts = (page: Page, selector: string) =>
  page.$$eval(`.search-dialog ${selector}`, (elements) => elements.map((each) => each.textContent ?? ""));
const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.querySelector("[role=combobox]")?.getAttribute("aria-activedescendant") ?? "";
    return [document.activeElement?.role, document.getElementById(id)?.getAttribute("href")];
  });
const addresses = (page: Page) =>
  page.$$eval(".search-dialog a", (links) => links.map((link) => link.getAttribute("href") ?? ""));
const status = (page: Page) => page.$eval(".search-dialog [role=status]", (element) => element.textContent);

describe.concurrent("search", () => {
  test("leads to an option by keyboard, and keeps the query", async () => {
    await using opened = await browser.open(`${baseUrl}/docs/guide/images`);
    const { page, problems, requests } = opened;
    const ofSearch = (url: string) => /\/assets\/search-|\/docs\/search\.json/.test(url);
    expect(requests.filter(ofSearch)).toEqual([]);
    await searchFor(page, "pdf margin top");
    expect(requests.filter(ofSearch)).toHaveLength(2);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash === "#pdf_margin_top");
    expect(new URL(page.url()).pathname).toBe("/docs/reference/options");
    await page.waitForFunction(() => document.readyState === "complete");
    await page.keyboard.press("/");
    await page.waitForSelector(".search-recent");
    expect(await texts(page, ".search-group, .search-recent")).toEqual(["Recent searches", "pdf margin top"]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".search-dialog a");
    expect(await page.$eval("[role=combobox]", (field) => (field as HTMLInputElement).value)).toBe("pdf margin top");
    expect(problems).toEqual([]);
  });

  slowTest("marks stems and corrected words, groups results by kind, and shows code as code", async () => {
    await using opened = await browser.open(`${baseUrl}/docs`);
    const { page, problems } = opened;
    await searchFor(page, "screenshoot formatting");
    const marks = (await texts(page, "mark")).map((text) => text.toLowerCase());
    expect(marks).toEqual(expect.arrayContaining(["screenshot", "format"]));
    expect((await texts(page, ".search-group"))[0]).toBe("Best matches");
    expect(await texts(page, ".search-group")).toContain("Options");
    expect(await page.$(".search-excerpt code")).not.toBeNull();
    expect(await status(page)).toMatch(/^\d+ results$/);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  slowTest("shows the nearest five when nothing matches, and closes with Escape", async () => {
    await using opened = await browser.open(`${baseUrl}/docs`);
    const { page } = opened;
    await page.click("[data-search]");
    await searchFor(page, "qwertzuiop");
    expect(await status(page)).toBe("Nothing matches exactly. Nearest:");
    expect(await addresses(page)).toHaveLength(5);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.$("dialog[open]")).toBeNull();
  });

  slowTest("opens again with a slash right after Escape, before the focus has left the closed field", async () => {
    await using opened = await browser.open(`${baseUrl}/docs`);
    const { page } = opened;
    await searchFor(page, "pdf");
    await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("/")]);
    await page.waitForSelector("dialog[open]");
    expect(await page.$eval("[role=combobox]", (field) => (field as HTMLInputElement).value)).toBe("pdf");
  });

  slowTest("walks through the results with the arrows, Home, and End, while the field keeps the focus", async () => {
    await using opened = await browser.open(`${baseUrl}/docs/guide/pdf`);
    const { page } = opened;
    await page.keyboard.down("Control");
    await page.keyboard.press("k");
    await page.keyboard.press("k"); // it is open already
    await page.keyboard.up("Control");
    await searchFor(page, "webhook");
    const all = await addresses(page);
    expect(all.length).toBeGreaterThan(4);
    const walk: (readonly [Parameters<Page["keyboard"]["press"]>[0], string | undefined])[] = [
      ["ArrowDown", all[1]],
      ["ArrowUp", all[0]],
      ["ArrowUp", all.at(-1)],
      ["ArrowDown", all[0]],
      ["End", all.at(-1)],
      ["Home", all[0]],
    ];
    expect(await active(page)).toEqual(["combobox", all[0]]);
    for (const [key, expected] of walk) {
      await page.keyboard.press(key);
      expect([key, ...(await active(page))]).toEqual([key, "combobox", expected]);
    }
    await page.keyboard.type("s"); // goes on typing
    expect(await page.$eval("[role=combobox]", (field) => (field as HTMLInputElement).value)).toBe("webhooks");
  });

  test("fits into 320 px, without an accessibility problem in dark colours", async () => {
    await using opened = await browser.open(`${baseUrl}/docs`, {
      viewport: { width: 320, height: 640 },
      scheme: "dark",
    });
    const { page } = opened;
    await searchFor(page, "full_page_slice_overlap_height");
    const [left = -1, right = -1, content = -1, inner = -1] = await page.$eval(".search-dialog", (dialog) => {
      const { left: from, right: to } = dialog.getBoundingClientRect();
      return [from, to, dialog.scrollWidth, dialog.clientWidth];
    });
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(320);
    expect(content).toBe(inner);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  slowTest("says so when its documents can't be loaded, and loads them the next time", async () => {
    await using opened = await browser.open(`${baseUrl}/docs`);
    const { page } = opened;
    let isBroken = true;
    await page.setRequestInterception(true);
    page.on("request", (request) =>
      isBroken && request.url().endsWith("/docs/search.json")
        ? void request.respond({ status: 502, body: "Bad gateway" })
        : void request.continue(),
    );
    await page.keyboard.press("/");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.type("video");
    await page.waitForFunction(() =>
      document.querySelector(".search-dialog [role=status]")?.textContent?.startsWith("The documentation couldn't be"),
    );
    await page.keyboard.press("Escape");
    isBroken = false;
    await searchFor(page, "video");
    expect((await addresses(page))[0]).toBe(`${baseUrl}/docs/guide/video`);
  });
});

describe.concurrent("the palette of the dashboard", () => {
  async function openSignedIn(accountId: number) {
    const opened = await browser.open(`${baseUrl}/app/sign-in#token=${await linkToken(accountId)}`);
    await press(opened.page, "Continue");
    await opened.page.waitForSelector(".app-navigation");
    return opened;
  }

  test("jumps to screens, to a key by its label, and to a capture by its id, besides the documentation", async () => {
    const client = await openClient();
    await client.capture({ html: "<h1>Hello", viewport_width: "200", viewport_height: "100" });
    const [log] = await client.logs();
    await using opened = await openSignedIn(client.accountId);
    const { page, problems } = opened;
    await searchFor(page, "invoices");
    expect((await addresses(page))[0]).toBe(`${baseUrl}/app/billing`);
    expect((await addresses(page)).some((address) => address.includes("/docs/"))).toBe(true);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Plan and invoices");
    expect(await page.evaluate("isSamePage")).toBe(true);

    await searchFor(page, "Test");
    expect(await addresses(page)).toContain(`${baseUrl}/app/keys?open=${client.keyId}`);

    await searchFor(page, `request_id ${log?.["id"]}`);
    const address = `${baseUrl}/app/captures/${log?.["id"]}`;
    await page.waitForFunction(
      (expected) => document.querySelector(`.search-dialog a[href="${expected}"]`),
      {},
      address,
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".capture-summary");
    expect(page.url()).toBe(address);
    expect(await page.evaluate(() => localStorage.getItem("recent-searches"))).toBe('["invoices"]');
    expect(problems.filter((problem) => !problem.endsWith("net::ERR_ABORTED"))).toEqual([]);
  });

  test("shows markup in labels and captures as text", async () => {
    const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
    const client = await openClient();
    const owner = await signIn(client.accountId);
    expect((await owner.request("POST", "/api/v1/keys", { label: `Shop ${markup}` })).status).toBe(201);
    const selector = '#<img src=x onerror="alert(1)">';
    await client.capture({ html: "<p>", wait_for_selector: selector, timeout: "6", viewport_height: "100" });
    const [log] = await client.logs();
    expect(log?.["error_message"]).toContain("<img src=x");
    await using opened = await openSignedIn(client.accountId);
    const { page, problems } = opened;
    await page.evaluate(() => {
      const added: string[] = [];
      Object.assign(window, { added });
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes)
            if (node instanceof Element && node.closest(".search-dialog"))
              added.push(...[node, ...node.querySelectorAll("*")].map((each) => each.localName));
      }).observe(document.body, { childList: true, subtree: true });
    });
    await searchFor(page, "shop bold");
    expect(await texts(page, ".search-title")).toContainEqual(expect.stringContaining(`Shop ${markup}`));
    await searchFor(page, String(log?.["id"])); // nothing else matches, and what is nearest is not shown before
    expect(await addresses(page)).toEqual([`${baseUrl}/app/captures/${log?.["id"]}`]);
    expect(await texts(page, ".search-excerpt")).toContainEqual(expect.stringContaining("<img src=x"));
    await searchFor(page, `x.example/${markup.replaceAll(" ", "")}`);
    expect((await addresses(page))[0]).toContain("/app/captures?url=x.example");
    const added = new Set((await page.evaluate("added")) as string[]);
    expect(added.has("mark")).toBe(true);
    expect(
      [...added].filter(
        (name) => !["dialog", "div", "input", "button", "kbd", "p", "a", "span", "code", "mark"].includes(name),
      ),
    ).toEqual([]);
    expect(problems).toEqual([]);
  });

  slowTest("finds the documentation alone when signed out, and the rest when requests fail", async () => {
    await using opened = await browser.open(`${baseUrl}/app/sign-in`);
    await opened.page.waitForSelector("#sign-in-key");
    await searchFor(opened.page, "invoices");
    const found = await addresses(opened.page);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((address) => address.includes("/app"))).toEqual([]);

    const { accountId } = await openClient();
    await using signedIn = await openSignedIn(accountId);
    const { page } = signedIn;
    await page.setRequestInterception(true);
    page.on("request", (request) =>
      /\/api\/v1\/|\/docs\/search\.json/.test(request.url()) ? void request.abort() : void request.continue(),
    );
    await searchFor(page, "billing");
    expect(await addresses(page)).toEqual([`${baseUrl}/app/billing`]);
    expect(await status(page)).toContain("The documentation couldn't be loaded.");
    await page.$eval("[role=combobox]", (field) => (field as HTMLInputElement).select());
    await page.keyboard.type("244092525226475");
    await page.waitForFunction(() => !document.querySelector(".search-dialog a"));
    await searchFor(page, "billing");
  });
});
