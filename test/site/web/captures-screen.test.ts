// The list of captures in a browser: its filters and what they leave in the address and in the history, its pages and views, and how
// new captures arrive.
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { jobKey } from "../../../lib/service/aws/table-keys.ts";
import type { Job } from "../../../lib/service/jobs/job.ts";
import { toJobItem } from "../../../lib/service/jobs/job-item.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { type CaptureLog, createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { hourItems, logItems, monthItems, writeItems } from "../../fixtures/usage-items.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type Client, openClient } from "../../support/client.ts";
import { fill, openScreen, press, show, textOf } from "../../support/dashboard-screens.ts";
import { ordinaryViews, showView, viewProblems } from "../../support/page-views.ts";
import { aQueuedJob } from "../../support/queued-job.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { type WebPage, webBrowser } from "../../support/web-browser.ts";

const { baseUrl, usageTable, activityTable } = inject("service");
const browser = webBrowser();
const DAY_MS = 24 * 60 * 60 * 1000;

let client: Client;
let opened: WebPage;

const stored: CaptureLog[] = [];

function aLog(id: number, parts: Partial<CaptureLog>): CaptureLog {
  const { id: _, created_at: __, ...log } = aCaptureLog({ user_id: client.accountId, api_key_id: client.keyId });
  return createCaptureLog(id, { ...log, options: {}, ...parts });
}

/** Writes captures that failed with these errors, or succeeded, a second apart and the newest first, with all counters. */
async function storeCaptures(errors: readonly (string | null)[], newestAt: number): Promise<void> {
  const logs = errors.map((error_message, index) =>
    aLog(createId(newestAt - index * 1000, 0), {
      url: `https://shop.example.com/products/${index + 1}`,
      status: error_message === null ? "success" : "failed",
      error_message,
    }),
  );
  stored.push(...logs);
  await writeItems(activityTable, logItems(logs));
  await writeItems(usageTable, [...monthItems(stored), ...hourItems(stored)]);
}

const SELECTOR_ERROR = "SELECTOR_NOT_FOUND: No element matches the selector '#chart'.";

async function openAccount(): Promise<void> {
  stored.length = 0;
  client = await openClient({ openedAt: Date.now() - 20 * DAY_MS });
  await storeCaptures([SELECTOR_ERROR, "CAPTURE_TIMEOUT: The capture timed out.", SELECTOR_ERROR, null], Date.now());
  await storeCaptures([SELECTOR_ERROR, ...Array.from({ length: 59 }, () => null)], Date.now() - 10 * DAY_MS);
  opened = await openScreen(browser, client.accountId);
}

beforeAll(openAccount);

afterAll(() => opened?.[Symbol.asyncDispose]());

const shownAddresses = () =>
  opened.page.$$eval(".capture-source", (all) => all.map((each) => each.textContent?.split("/").at(-1)));

const waitForAddresses = (count: number) =>
  opened.page.waitForFunction(
    (wanted) => document.querySelectorAll(".capture-source").length === wanted,
    { polling: 50 },
    count,
  );

const openCaptures = async (query = "") => {
  await opened.page.goto(`${baseUrl}/app/captures${query}`);
  await opened.page.waitForSelector(".capture-source");
};

/** Polls at once, as a browser does when its tab is shown again. */
const returnToTab = () => opened.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

const historyLength = () => opened.page.evaluate(() => history.length);

test("overview: a problem leads to exactly its captures", async () => {
  const { page } = opened;
  await page.waitForSelector(".problems li");
  expect(await textOf(page, ".problems li")).toMatch(/^SELECTOR_NOT_FOUND 2\s/);
  await page.$eval(".problems li a:last-child", (link) => (link as HTMLAnchorElement).click());
  await waitForAddresses(2);
  expect(await shownAddresses()).toEqual(["1", "3"]);
  expect(await page.$eval("#filter-error_code", (select) => (select as HTMLSelectElement).value)).toBe(
    "SELECTOR_NOT_FOUND",
  );
});

describe("captures: filters", () => {
  test("by error find all captures with it", async () => {
    const { page } = opened;
    await openCaptures();
    await page.click(".filter-fold summary");
    await page.select("#filter-error_code", "SELECTOR_NOT_FOUND");
    await waitForAddresses(3);
    expect(await shownAddresses()).toEqual(["1", "3", "1"]);
  });

  slowTest("are all cleared by one click, which is a step of the history", async () => {
    const { page } = opened;
    await openCaptures("?status=failed&error_code=SELECTOR_NOT_FOUND&url=products/3");
    await waitForAddresses(1);
    await press(page, "Clear filters");
    await waitForAddresses(25);
    expect(await page.evaluate(() => [location.search, document.querySelector(".clear-filters")])).toEqual(["", null]);
    await page.goBack();
    await waitForAddresses(1);
    expect(await page.$eval("#filter-url", (field) => (field as HTMLInputElement).value)).toBe("products/3");
  });

  sampled(test, 2).each(["problem=BLANK", "asynchronous=true"])("by %s search the log", async (query) => {
    await opened.page.goto(`${baseUrl}/app/captures?${query}`);
    await opened.page.waitForFunction(() => document.body.innerText.includes("No capture matches the filters"));
    expect(opened.requests.findLast((url) => url.includes("/api/v1/usage"))).toBe(
      `${baseUrl}/api/v1/usage/search?${query}`,
    );
  });

  slowTest("a date that is typed is one step, and asks for no year that was not meant", async () => {
    const { page, requests } = opened;
    await page.goto(`${baseUrl}/app`);
    await page.waitForSelector(".figure-card");
    await show(page, "Captures");
    await page.waitForSelector(".capture-source");
    await page.click(".filter-fold summary");
    const [before, asked] = [await historyLength(), requests.length];
    await page.focus("#filter-from");
    await page.keyboard.type("11252026");
    await page.waitForFunction(() => location.search === "?from=2026-11-25");
    expect(await historyLength()).toBe(before + 1);
    expect(requests.slice(asked).filter((url) => url.includes("/usage?"))).toEqual([
      `${baseUrl}/api/v1/usage?from=2026-11-25`,
    ]);
    await page.goBack();
    await page.waitForFunction(() => location.search === "");
    await waitForAddresses(25);
  });

  slowTest(
    "a text applies while it is typed, at once with Enter, as one step, and is cleared by a button",
    async () => {
      const { page } = opened;
      await openCaptures("?status=success");
      const before = await historyLength();
      await page.type("#filter-url", "PRODUCTS/59");
      await waitForAddresses(1);
      await page.waitForFunction(() => new URLSearchParams(location.search).get("url") === "PRODUCTS/59");
      await page.type("#filter-url", "9");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => new URLSearchParams(location.search).get("url"))).toBe("PRODUCTS/599");
      await page.waitForFunction(() => document.body.innerText.includes("No capture matches the filters"));
      expect(await historyLength()).toBe(before + 1);
      await press(page, "Clear Address contains");
      await waitForAddresses(25);
      expect(await page.evaluate(() => [location.search, document.activeElement?.id])).toEqual([
        "?status=success",
        "filter-url",
      ]);
      expect(await historyLength()).toBe(before + 2);
    },
  );

  test("are folded on a phone, where captures are in the first screen", async () => {
    const { page } = opened;
    await page.setViewport({ width: 360, height: 740 });
    await openCaptures("?status=failed");
    expect(await textOf(page, ".filter-fold summary")).toBe("Filters (1)");
    expect(await page.$eval(".capture", (item) => item.getBoundingClientRect().bottom)).toBeLessThan(740);
    await page.click(".filter-fold summary");
    await page.waitForFunction(() => document.querySelector("#filter-status")?.checkVisibility());
    await page.setViewport({ width: 1280, height: 800 });
    await page.waitForFunction(() => document.querySelector(".filter-fold summary")?.textContent === "More filters");
  });
});

test("captures: a page beyond the end says so, and leads to the last one", async () => {
  const { page } = opened;
  await page.goto(`${baseUrl}/app/captures?page=99`);
  await page.waitForFunction(() => document.body.innerText.includes("Page 99 does not exist; there are 3 pages."));
  await page.click(".screen p a");
  await waitForAddresses(14);
  expect(new URL(page.url()).search).toBe("?page=3");
});

test("captures: Refresh shows what has arrived since", async () => {
  const { page } = opened;
  await openCaptures("?from=2020-01-01");
  await storeCaptures(["CAPACITY: Too many captures run."], Date.now());
  await press(page, "Refresh");
  await page.waitForFunction(() => document.querySelector(".list-head .note")?.textContent?.endsWith("of 65 captures"));
});

test("captures: a failed one shows its reason in the list, and one click leads to its page and back to the place in the list", async () => {
  const { page } = opened;
  await openCaptures("?to=2099-01-01");
  expect(await textOf(page, ".capture-failed .capture-reason")).toMatch(/^CAPACITY\s+Too many captures run\.$/);
  const links = await page.$$(".capture-source");
  await links.at(-1)?.evaluate((link) => link.scrollIntoView({ behavior: "instant" }));
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(300);
  await links.at(-1)?.click();
  await page.waitForSelector(".capture-summary");
  expect(await page.evaluate(() => [scrollY, document.activeElement?.localName])).toEqual([0, "h1"]);
  await page.goBack();
  await waitForAddresses(25);
  await page.waitForFunction((expected) => scrollY === expected, {}, scrolled);
});

test("captures: one opens large, the arrow keys go through the list, and Escape leads back to its button", async () => {
  const { page } = opened;
  await openCaptures();
  await page.focus(".capture-open");
  await page.keyboard.press("Enter");
  const shown = (position: string) =>
    page.waitForFunction((text) => document.querySelector("dialog .note")?.textContent?.startsWith(text), {}, position);
  await shown("1 of ");
  await page.waitForSelector("dialog .facts");
  const source = await textOf(page, ".capture-dialog-source");
  await page.keyboard.press("ArrowRight");
  await shown("2 of ");
  await page.waitForFunction(
    (first) => ![undefined, first].includes(document.querySelector(".capture-dialog-source")?.textContent),
    {},
    source,
  );
  await page.keyboard.press("ArrowLeft");
  await shown("1 of ");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  expect(await page.evaluate(() => document.activeElement === document.querySelector(".capture-open"))).toBe(true);
});

test("captures: an export counts its rows, can be cancelled, and is saved under the name that the service gives it", async () => {
  const { page } = opened;
  await openCaptures();
  const link = () => page.click(".list-actions a");
  await page.evaluate(() => {
    const { fetch: send } = window;
    window.fetch = (address, options) =>
      String(address).includes("/usage/export")
        ? new Promise((_, reject) => options?.signal?.addEventListener("abort", () => reject(new Error("aborted"))))
        : send(address, options);
    Object.assign(window, { restore: () => Object.assign(window, { fetch: send }) });
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      Object.assign(window, { saved: this.download });
    };
  });
  await link();
  await page.waitForFunction(() => document.body.innerText.includes("Exporting CSV: 0 of "));
  await press(page, "Cancel the export");
  await page.waitForSelector(".list-actions a");
  expect(await page.evaluate("window.saved")).toBeUndefined();
  await page.evaluate("window.restore()");
  await link();
  await page.waitForFunction("window.saved");
  expect(await page.evaluate("window.saved")).toMatch(/^captures-\d{4}-\d\d-\d\d\.csv$/);
});

// The sessions of an account may send 120 requests a minute.
describe("captures", () => {
  beforeAll(async () => {
    await opened[Symbol.asyncDispose]();
    await openAccount();
  });

  test("new ones appear by themselves, and wait for a click while the visitor reads", async () => {
    const { page } = opened;
    await openCaptures();
    await storeCaptures(["CAPACITY: First."], Date.now());
    await returnToTab();
    await page.waitForFunction(() => document.querySelector(".capture-reason")?.textContent?.includes("First."));
    await page.evaluate(() => scrollTo({ top: 400, behavior: "instant" }));
    const before = await page.$$eval(".capture-source", (all) => all[6]?.getBoundingClientRect().top);
    await storeCaptures(["CAPACITY: Third.", "CAPACITY: Second."], Date.now());
    await returnToTab();
    await page.waitForFunction(() => document.querySelector(".new-captures button")?.textContent === "2 new captures");
    expect(await page.$$eval(".capture-source", (all) => all[6]?.getBoundingClientRect().top)).toBe(before);
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "2 new captures");
    await page.waitForFunction(() => document.querySelector(".capture-reason")?.textContent?.includes("Third."));
    expect(await page.$(".new-captures button")).toBeNull();
  });

  slowTest(
    "an asynchronous one stands at the top while it waits and runs, and turns into its result, also on its page",
    async () => {
      const { page } = opened;
      const queued = aQueuedJob({ account_id: client.accountId });
      const job: Job = { ...queued, request: { ...queued.request, url: "https://shop.example.com/queued" } };
      const store = (state: Partial<Job>) =>
        writeItems(activityTable, [{ ...jobKey(job.account_id, job.id), ...toJobItem({ ...job, ...state }) }]);
      await store({});
      await openCaptures();
      expect(await textOf(page, ".capture")).toMatch(/^shop\.example\.com\/queued\s+queued\s+png · async/);
      await store({ status: "processing" });
      await returnToTab();
      await page.waitForSelector(".capture:first-child .badge-processing");
      await page.click(".capture-source");
      await page.waitForSelector(".capture-progress");
      expect(await accessibilityProblems(page)).toEqual([]);
      await writeItems(activityTable, logItems([aLog(job.id, { url: job.request.url, asynchronous: true })]));
      await store({ status: "success", finished_at: new Date().toISOString() });
      await returnToTab();
      await page.waitForSelector(".waterfall, .capture-main");
      expect(await textOf(page, ".capture-summary")).toMatch(/^ok\s/);
      await page.goBack();
      await page.waitForSelector(".capture:first-child .badge-success");
      const isThere = async () =>
        expect(await textOf(page, ".capture")).toMatch(/^shop\.example\.com\/queued\s+ok\s+png · async/);
      await vi.waitFor(isThere); // once the items of before have been replaced
    },
  );

  slowTest("the chosen view is remembered, and fits into each width", async () => {
    const { page } = opened;
    await openCaptures();
    await page.waitForSelector(".captures-grid");
    await press(page, "Table");
    await page.waitForSelector(".captures-table");
    await openCaptures();
    await page.waitForSelector(".captures-table");
    expect(await viewProblems(page, ordinaryViews)).toEqual([]);
    await showView(page, { width: 1280, scheme: "light" });
    await press(page, "Grid");
  });

  test("links to the former screens still lead to what they named", async () => {
    const { page } = opened;
    const [{ id } = { id: 0 }] = stored;
    const addressAfter = async (path: string) => {
      await page.goto(`${baseUrl}/app/${path}`);
      await page.waitForSelector("h1");
      return page.url().slice(`${baseUrl}/app/`.length);
    };
    expect(await addressAfter(`captures?status=success&open=${id}`)).toBe(`captures/${id}`);
    expect(await addressAfter(`jobs?open=${id}`)).toBe(`captures/${id}`);
    expect(await addressAfter("jobs?status=failed")).toBe("captures?asynchronous=true&status=failed");
    expect(await addressAfter("jobs?status=queued")).toBe("captures?asynchronous=true");
  });

  slowTest("another account that signs in to the same tab sees nothing of the one before", async () => {
    const other = await openClient();
    await using mine = await openScreen(browser, client.accountId, "/captures");
    const { page } = mine;
    await page.waitForSelector(".capture-source");
    await press(page, "Sign out");
    await fill(page, "#sign-in-key", other.key);
    await press(page, "Sign in");
    await page.waitForSelector(".app-navigation");
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (!request.url().includes("/api/v1/usage?")) void request.continue(); // the list is never answered
    });
    await show(page, "Captures");
    await page.waitForSelector(".list-filters");
    expect(await textOf(page, ".screen")).not.toContain("shop.example.com");
    expect(await page.$(".captures")).toBeNull();
  });

  slowTest("the list names the time zone of their times", async () => {
    const { page } = opened;
    await page.emulateTimezone("Asia/Kathmandu");
    await openCaptures();
    expect(await textOf(page, ".list-head")).toContain("Times are in GMT+5:45");
    expect(await page.$eval(".captures time", (time) => time.title)).toMatch(/ UTC$/);
  });
});
