// The screen of usage in a browser: the chart by keyboard, by pointer, and on a phone, the table of days, and the tables of shares.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { utcDay } from "../../../lib/service/usage/day.ts";
import { storeExampleUsage } from "../../fixtures/example-usage.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { type Client, openClient } from "../../support/client.ts";
import { openScreen, press, textOf } from "../../support/dashboard-screens.ts";
import { slowTest } from "../../support/slow-run.ts";
import { type WebPage, webBrowser } from "../../support/web-browser.ts";

const { baseUrl, usageTable, activityTable } = inject("service");
const browser = webBrowser();
const DAY_MS = 24 * 60 * 60 * 1000;

let client: Client;
let opened: WebPage;

beforeAll(async () => {
  const now = Date.now();
  client = await openClient({ openedAt: now - 60 * DAY_MS });
  const key = { id: client.keyId, label: "ada.lovelace@example.com", key_prefix: "cap_test" };
  await storeExampleUsage(
    { usage: usageTable, activity: activityTable },
    { accountId: client.accountId, keys: [key], count: 300, days: 20, now },
  );
  opened = await openScreen(browser, client.accountId, "/usage");
  await opened.page.waitForSelector(".bar-success");
  await opened.page.waitForSelector(".breakdown");
});

afterAll(() => opened?.[Symbol.asyncDispose]());

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * DAY_MS).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });

test("usage: says how many of the free failures of the billing period are used", async () => {
  const { page } = opened;
  await page.waitForSelector("#free-failures");
  expect(await textOf(page, "section[aria-labelledby='free-failures']")).toMatch(/0 of \d+/);
  expect(await accessibilityProblems(page)).toEqual([]);
});

describe("usage: the chart", () => {
  test("shows a day's counts to the keyboard, and leads to its captures", async () => {
    const { page } = opened;
    await page.focus(".spans button:last-child");
    for (const key of ["Tab", "Tab"] as const) await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("bar-chart");
    expect(await textOf(page, ".chart-tooltip")).toContain(`${day(0)} (UTC)`);
    await page.keyboard.press("ArrowLeft");
    expect(await textOf(page, ".chart-tooltip")).toMatch(
      new RegExp(`^${day(1)} \\(UTC\\)\\s+\\d+ succeeded\\s+\\d+ failed$`),
    );
    const value = await page.$eval(".bar-chart", (chart) => chart.getAttribute("aria-valuetext"));
    expect(value).toMatch(new RegExp(`^${day(1)}: \\d+ succeeded, \\d+ failed$`));
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".captures > li");
    const yesterday = utcDay(Date.now() - DAY_MS);
    expect(new URL(page.url()).search).toBe(`?from=${yesterday}&to=${yesterday}`);
    await page.goBack();
    await page.waitForSelector(".bar-success");
  });

  test("shows the day under the pointer, with its whole tooltip within the chart", async () => {
    const { page } = opened;
    const chart = await page.$eval(".bar-chart", (element) => element.getBoundingClientRect().toJSON());
    for (const [x, daysAgo] of [
      [chart.right - 3, 0],
      [chart.left + chart.width / 2, undefined],
    ] as const) {
      await page.mouse.move(x, chart.top + 60);
      await page.waitForSelector(".chart-tooltip");
      if (daysAgo !== undefined) expect(await textOf(page, ".chart-tooltip")).toContain(day(daysAgo));
      const tooltip = await page.$eval(".chart-tooltip", (element) => element.getBoundingClientRect().toJSON());
      expect([tooltip.left >= chart.left, tooltip.right <= chart.right]).toEqual([true, true]);
    }
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => !document.querySelector(".chart-tooltip"));
  });

  test("has ticks of round numbers, and texts to read, on a phone, too", async () => {
    const { page } = opened;
    await page.setViewport({ width: 320, height: 740 });
    await page.waitForFunction(() => (document.querySelector(".bar-chart svg")?.clientWidth ?? 999) < 300);
    const heights = await page.$$eval(".axis-label", (all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(12);
    const ticks = await page.$$eval(".bar-chart g > .axis-label", (all) => all.map((each) => Number(each.textContent)));
    expect(ticks[0]).toBe(0);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.every((tick) => /^[1-9]0*$|^\d?[05]0*$|^\d$/.test(String(tick)))).toBe(true);
    const chart = await page.$eval(".bar-chart", (element) => {
      element.scrollIntoView({ block: "center", behavior: "instant" });
      return element.getBoundingClientRect().toJSON();
    });
    await page.touchscreen.tap(chart.right - 3, chart.top + 60);
    await page.waitForSelector(".chart-tooltip");
    expect(new URL(page.url()).pathname).toMatch(/\/usage$/); // a finger asks for the counts first
    await page.setViewport({ width: 1280, height: 800 });
  });
});

test("usage: the table has the last ten days, and all from the first capture on when they are asked for", async () => {
  const { page } = opened;
  const rows = () => page.$$eval(".days tbody tr", (all) => all.map(({ innerText }) => innerText));
  expect(await rows()).toHaveLength(10);
  const label = await page.$$eval(
    "button",
    (all) => all.find((each) => each.innerText.startsWith("Show all"))?.innerText,
  );
  await press(page, label ?? "");
  await page.waitForFunction(() => document.querySelectorAll(".days tbody tr").length > 10);
  const shown = await rows();
  expect(label).toBe(`Show all ${shown.length} days`);
  expect(shown.at(-1)).not.toMatch(/\s0\s+0\s/);
  expect(await textOf(page, ".screen")).toContain(`Nothing was captured in the ${30 - shown.length} days before.`);
});

test("usage: the numbers of a row stand at one height, also next to a label of two lines", async () => {
  const { page } = opened;
  await page.setViewport({ width: 1280, height: 800 });
  const rows = await page.$$eval(".figure-card", (cards) =>
    cards.map((card) => [
      card.getBoundingClientRect().top,
      card.querySelector(".figure-value")?.getBoundingClientRect().top,
    ]),
  );
  const heights = rows.map(([top = 0, number = 0]) => Math.round(number - top));
  expect(rows.length).toBe(6);
  expect(new Set(heights).size).toBe(1);
});

test("usage: hosts and names break between their parts alone", async () => {
  const { page } = opened;
  await page.waitForSelector(".shares a");
  const lines = await page.$$eval(".shares a", (links) =>
    links.map((link) =>
      [...link.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return [part.textContent, range.getClientRects().length];
        }),
    ),
  );
  const parts = lines.flat();
  expect(parts.map(([text]) => text)).toEqual(expect.arrayContaining(["shop.", "example.", "com"]));
  expect(parts.filter(([, count]) => count !== 1)).toEqual([]);
});

test("usage: a row of a share leads to its captures of these days", async () => {
  const { page } = opened;
  await page.waitForSelector(".breakdown a");
  const [host = ""] = await page.$$eval(".breakdown a", (links) =>
    links.filter(({ textContent }) => textContent === "shop.example.com").map(({ href }) => href),
  );
  expect(new URL(host).search).toBe(`?from=${utcDay(Date.now() - 29 * DAY_MS)}&url=%3A%2F%2Fshop.example.com`);
});

slowTest("usage: without captures there is a way to the first one, and no table of zeros", async () => {
  await using other = await openScreen(browser, (await openClient()).accountId, "/usage");
  await other.page.waitForFunction(() => document.body.innerText.includes("Nothing was captured in these 30 days."));
  expect(await other.page.$(".screen table")).toBeNull();
  expect(await other.page.$eval(".screen p a", (link) => (link as HTMLAnchorElement).href)).toBe(
    `${baseUrl}/playground`,
  );
});

test("dashboard: forced colors show the current screen, the pressed button, and how much of a quota is used", async () => {
  const { page } = opened;
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  const background = (selector: string) => page.$eval(selector, (element) => getComputedStyle(element).backgroundColor);
  expect(await background(".app-navigation a[aria-current]")).not.toBe(await background(".app-navigation a"));
  expect(await background(".spans [aria-pressed=true]")).not.toBe(await background(".spans [aria-pressed=false]"));
  await page.goto(`${baseUrl}/app/billing`);
  const meter = await page.waitForSelector(".meter meter");
  await page.$eval(".meter meter", (element) => {
    (element as HTMLMeterElement).value = (element as HTMLMeterElement).max / 2;
  });
  const { data, info } = await sharp(await meter?.screenshot())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixel = (part: number) => {
    const start = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * part)) * info.channels;
    return [...data.subarray(start, start + 3)].join(" ");
  };
  expect(pixel(0.25)).not.toBe(pixel(0.75));
  expect(pixel(0.75)).toBe(pixel(0.9));
});
