// The screen of captures in a browser: its filters and what they leave in the address and in the history, pages, and a capture's details.
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createId } from "../../../lib/service/platform/ids.ts";
import { type CaptureLog, createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { hourItems, logItems, monthItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type Client, openClient } from "../../support/client.ts";
import { openScreen, press, show, textOf } from "../../support/dashboard-screens.ts";
import { type WebPage, webBrowser } from "../../support/web-browser.ts";

const { baseUrl, usageTable, activityTable } = inject("service");
const browser = webBrowser();
const DAY_MS = 24 * 60 * 60 * 1000;

let client: Client;
let opened: WebPage;

const stored: CaptureLog[] = [];

/** Writes captures that failed with these errors, or succeeded, a second apart and the newest first, with all counters. */
async function storeCaptures(errors: readonly (string | null)[], newestAt: number): Promise<void> {
  const logs = errors.map((error_message, index): CaptureLog => {
    const { id: _, created_at: __, ...log } = aCaptureLog({ user_id: client.accountId, api_key_id: client.keyId });
    return createCaptureLog(createId(newestAt - index * 1000, 0), {
      ...log,
      url: `https://shop.example.com/products/${index + 1}`,
      options: {},
      status: error_message === null ? "success" : "failed",
      error_message,
    });
  });
  stored.push(...logs);
  await writeItems(activityTable, logItems(logs));
  await writeItems(usageTable, [...monthItems(stored), ...hourItems(stored)]);
}

const SELECTOR_ERROR = "SELECTOR_NOT_FOUND: No element matches the selector '#chart'.";

beforeAll(async () => {
  client = await openClient({ openedAt: Date.now() - 20 * DAY_MS });
  await storeCaptures([SELECTOR_ERROR, "CAPTURE_TIMEOUT: The capture timed out.", SELECTOR_ERROR, null], Date.now());
  await storeCaptures([SELECTOR_ERROR, ...Array.from({ length: 59 }, () => null)], Date.now() - 10 * DAY_MS);
  opened = await openScreen(browser, client.accountId);
});

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
  await opened.page.waitForSelector(".captures summary");
};

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
    await openCaptures();
    await opened.page.select("#filter-error_code", "SELECTOR_NOT_FOUND");
    await waitForAddresses(3);
    expect(await shownAddresses()).toEqual(["1", "3", "1"]);
  });

  test("a date that is typed is one step, and asks for no year that was not meant", async () => {
    const { page, requests } = opened;
    await page.goto(`${baseUrl}/app`);
    await page.waitForSelector(".figure-card");
    await show(page, "Captures");
    await page.waitForSelector(".captures summary");
    const [before, asked] = [await historyLength(), requests.length];
    await page.focus("#filter-from");
    await page.keyboard.type("11252026");
    await page.waitForFunction(() => location.search === "?from=2026-11-25");
    expect(await historyLength()).toBe(before);
    expect(requests.slice(asked).filter((url) => url.includes("/usage?"))).toEqual([
      `${baseUrl}/api/v1/usage?from=2026-11-25`,
    ]);
    await page.goBack();
    await page.waitForSelector(".figure-card");
  });

  test("a text applies while it is typed, at once with Enter, and is cleared by a button", async () => {
    const { page } = opened;
    await openCaptures();
    const before = await historyLength();
    await page.type("#filter-url", "PRODUCTS/59");
    await waitForAddresses(1);
    await page.waitForFunction(() => new URLSearchParams(location.search).get("url") === "PRODUCTS/59");
    await page.type("#filter-url", "9");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => new URLSearchParams(location.search).get("url"))).toBe("PRODUCTS/599");
    await page.waitForFunction(() => document.body.innerText.includes("No capture matches the filters"));
    await press(page, "Clear Address contains");
    await waitForAddresses(25);
    expect(await page.evaluate(() => [location.search, document.activeElement?.id])).toEqual(["", "filter-url"]);
    expect(await historyLength()).toBe(before);
  });

  test("are folded on a phone, where captures are in the first screen", async () => {
    const { page } = opened;
    await page.setViewport({ width: 360, height: 740 });
    await openCaptures("?status=failed");
    expect(await textOf(page, ".filter-fold summary")).toBe("Filters (1)");
    expect(await page.$eval(".captures summary", (row) => row.getBoundingClientRect().bottom)).toBeLessThan(740);
    await page.click(".filter-fold summary");
    await page.waitForFunction(() => document.querySelector("#filter-status")?.checkVisibility());
    await page.setViewport({ width: 1280, height: 800 });
    await page.waitForFunction(() => !document.querySelector(".filter-fold summary")?.checkVisibility());
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

test("captures: the id and the address of a capture are copied by buttons", async () => {
  const { page } = opened;
  await page.browserContext().overridePermissions(baseUrl, ["clipboard-read", "clipboard-sanitized-write"]);
  await openCaptures("?error_code=CAPTURE_TIMEOUT");
  await page.click(".captures summary");
  await press(page, "Copy the address");
  await page.waitForFunction(() => document.querySelector(".copy-button")?.textContent === "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("https://shop.example.com/products/2");
  await press(page, "Copy the request number");
  const id = new URL(page.url()).searchParams.get("open");
  await page.waitForFunction(async (text) => (await navigator.clipboard.readText()) === text, {}, id);
});

test("captures: a stored full page is as wide as its place, with the top first", async () => {
  const { page } = opened;
  const html = "<body style='margin: 0'><div style='height: 9000px; background: linear-gradient(teal, gold)'>";
  const { request_id } = await (
    await client.capture({ html, full_page: "true", viewport_width: "400", response_type: "json" })
  ).json();
  await openCaptures(`?open=${request_id}`);
  const size = () =>
    page.$eval(".preview-frame", (frame) => [frame.clientWidth, frame.clientHeight].map((each) => Math.round(each)));
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".preview")?.naturalWidth === 400);
  await page.waitForSelector(".is-cropped");
  expect(await size()).toEqual([400, expect.toSatisfy((height: number) => height < 400)]);
  await press(page, "Show the whole picture");
  await page.waitForSelector(".is-whole");
  expect(await size()).toEqual([400, 9000]);
});

test("captures: the list names the time zone of their times", async () => {
  const { page } = opened;
  await page.emulateTimezone("Asia/Kathmandu");
  await openCaptures();
  expect(await textOf(page, ".list-head")).toContain("Times are in GMT+5:45");
  expect(await page.$eval(".captures time", (time) => time.title)).toMatch(/ UTC$/);
});
