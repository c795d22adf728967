// Every page of the website in a real browser: no error, no violation of its policy, accessible, small.
import { describe, expect, inject, test } from "vitest";
import { docPages } from "../../../lib/site/docs/doc-pages.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { IS_SLOW_RUN, sampled } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

/** A page of each kind, which the ordinary run tests; the slow run tests all. */
const pageOfEachKind = [
  "/",
  "/playground",
  "/pricing",
  "/docs",
  "/docs/guide/async",
  "/docs/reference/api",
  "/docs/reference/options",
  "/docs/errors",
  "/docs/changelog",
  "/docs/nothing",
];
const paths = IS_SLOW_RUN
  ? ["/", "/playground", "/pricing", ...docPages.map(({ path }) => path), "/docs/nothing"]
  : pageOfEachKind;

describe.concurrent("pages", () => {
  sampled(test, 2).each(paths)(
    "%s: has a heading, no error in the console, no violation of its policy, no problem for axe-core, and fits into 360 px",
    async (path) => {
      const isMissing = path === "/docs/nothing";
      await using opened = await browser.open(`${baseUrl}${path}`);
      const { page, problems } = opened;
      expect(await page.$$eval("h1", (headings) => headings.length)).toBe(1);
      expect(problems.filter((problem) => !(isMissing && problem.includes("404")))).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.setViewport({ width: 360, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    },
  );
});

sampled(test, 4).each(["/", "/docs", "/docs/reference/options", "/playground"])(
  "%s: axe-core finds nothing in dark colours at 360 px",
  async (path) => {
    await using opened = await browser.open(`${baseUrl}${path}`, {
      viewport: { width: 360, height: 740 },
      scheme: "dark",
    });
    expect(await accessibilityProblems(opened.page)).toEqual([]);
  },
);

sampled(test, 6).each([
  "/",
  "/docs",
  "/docs/guide/pdf",
  "/docs/reference/options",
  "/docs/reference/api",
  "/playground",
])("%s: the first view takes at most 5 requests, and 70 KB without pictures", async (path) => {
  await using opened = await browser.open(`${baseUrl}${path}`);
  await opened.page.waitForNetworkIdle();
  const requests = opened.requests.filter((url) => !/\.(webp|png)$/.test(url));
  const sizes = await Promise.all(
    requests.map(async (url) => {
      const response = await fetch(url, { headers: { "Accept-Encoding": "br" } });
      await response.arrayBuffer();
      return Number(response.headers.get("content-length"));
    }),
  );
  expect(requests.length).toBeLessThanOrEqual(5);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(70_000);
  const firstScript = sizes.find((_, index) => requests[index]?.endsWith(".js"));
  expect(firstScript).toBeLessThanOrEqual(30_000);
});

sampled(test, 4).each(["/", "/docs/guide/pdf", "/docs/reference/options", "/docs/reference/api"])(
  "%s: nothing moves when its script has run",
  async (path) => {
    await using opened = await browser.open("about:blank");
    const { page } = opened;
    await page.evaluateOnNewDocument(() => {
      const total = { shift: 0 };
      Object.assign(window, { total });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) total.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`${baseUrl}${path}`, { waitUntil: "networkidle0" });
    expect(await page.evaluate("total.shift")).toBeLessThan(0.02);
  },
);

test("the header stands still while a page loads", async () => {
  await using opened = await browser.open("about:blank");
  const { page } = opened;
  await page.evaluateOnNewDocument(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node: Node }[] })[])
        if (entry.sources.some(({ node }) => node.parentElement?.closest("header"))) shifts.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${baseUrl}/docs/guide/pdf`, { waitUntil: "networkidle0" });
  expect(await page.evaluate("shifts.filter((value) => value > 0.005)")).toEqual([]);
});
