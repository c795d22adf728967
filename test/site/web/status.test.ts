// The status page in a real browser: accessible at each width, within its policy, and marked once its checks are old.
import { beforeAll, expect, inject, test } from "vitest";
import { ordinaryViews, viewProblems } from "../../support/page-views.ts";
import { runLocalCanary } from "../../support/scheduled-functions.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();
beforeAll(runLocalCanary);

test("status page: has no error, no violation of its policy, and at each width no problem for axe-core and no overflow", async () => {
  await using opened = await browser.open(`${baseUrl}/status`);
  const { page, problems } = opened;
  expect(await page.$eval("h1", ({ textContent }) => textContent)).toBe("All checks succeed");
  expect(await page.$$eval(".component svg.days g", (days) => days.length)).toBe(4 * 90);
  await page.click(".day-table summary");
  const [today] = await page.$$eval(".day-table tbody tr", (rows) => rows.map(({ textContent }) => textContent));
  expect(today).toMatch(/^\d{4}-\d\d-\d\d(100 %){4}$/);
  expect(problems).toEqual([]);
  expect(await viewProblems(page, [...ordinaryViews, { width: 360, scheme: "forced" }])).toEqual([]);
});

test("status page: says that the checks fail once the last one is older than 15 minutes", async () => {
  await using opened = await browser.open("about:blank");
  const { page, problems } = opened;
  const isMarked = async (minutes: number) => {
    await page.evaluateOnNewDocument((ms: number) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + ms;
    }, minutes * 60_000);
    await page.goto(`${baseUrl}/status`);
    return page.$eval("#stale", (notice) => (notice as HTMLElement).checkVisibility());
  };
  expect(await isMarked(5)).toBe(false);
  expect(await isMarked(11)).toBe(true); // 16 in all
  expect(problems).toEqual([]);
});

test("status page: looks the same and says the same when no function answers: it needs no other file", async () => {
  await using opened = await browser.open("about:blank");
  const { page } = opened;
  await page.setRequestInterception(true);
  page.on("request", (request) => void (request.url() === `${baseUrl}/status` ? request.continue() : request.abort()));
  await page.goto(`${baseUrl}/status`);
  const shown = await page.evaluate(() => {
    const bar = document.querySelector("rect.ok");
    return { width: document.querySelector("main")?.clientWidth, fill: bar && getComputedStyle(bar).fill };
  });
  expect(shown).toEqual({ width: 960, fill: "rgb(43, 106, 56)" });
});
