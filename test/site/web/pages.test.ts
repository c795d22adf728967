// Every page of the website in a real browser: no error, no violation of its policy, accessible, small.
import { describe, expect, inject, test } from "vitest";
import { observeLayoutShift, ordinaryViews, transferSizes, viewProblems } from "../../support/page-views.ts";
import { sampled } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

/** A page of each kind, of which the sample has the quick ones; `matrix.slow.test.ts` has all pages in more views. */
const paths = [
  "/",
  "/playground",
  "/docs/reference/options",
  "/pricing",
  "/docs/errors",
  "/docs/reference/api",
  "/docs/guide/async",
  "/docs",
  "/docs/changelog",
  "/docs/nothing",
];

describe.concurrent("pages", () => {
  sampled(test, 6).each(paths)(
    "%s: has a heading, no error in the console, no violation of its policy, and at each width in light and dark no problem for axe-core and no overflow",
    async (path) => {
      const isMissing = path === "/docs/nothing";
      await using opened = await browser.open(`${baseUrl}${path}`);
      const { page, problems } = opened;
      expect(await page.$$eval("h1", (headings) => headings.length)).toBe(1);
      expect(problems.filter((problem) => !(isMissing && problem.includes("404")))).toEqual([]);
      expect(await viewProblems(page, ordinaryViews)).toEqual([]);
    },
  );
});

/** The playground has the contract, and with it the form of all options. */
sampled(test, 12).each([
  ["/", 40_000],
  ["/docs", 40_000],
  ["/docs/guide/pdf", 40_000],
  ["/docs/reference/options", 70_000],
  ["/docs/reference/api", 70_000],
  ["/playground", 85_000],
] as const)("%s: the first view takes at most 5 requests, and %i bytes without pictures", async (path, maxBytes) => {
  await using opened = await browser.open(`${baseUrl}${path}`);
  await opened.page.waitForNetworkIdle();
  const requests = opened.requests.filter((url) => !/\.(webp|png|avif)$/.test(url));
  const sizes = await transferSizes(requests);
  expect(requests.length).toBeLessThanOrEqual(5);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(maxBytes);
  const firstScript = sizes.find((_, index) => requests[index]?.endsWith(".js"));
  expect(firstScript).toBeLessThanOrEqual(30_000);
});

sampled(test, 4).each(["/", "/docs/guide/pdf", "/docs/reference/options", "/docs/reference/api", "/playground"])(
  "%s: nothing moves when its script has run",
  async (path) => {
    await using opened = await browser.open("about:blank");
    const { page } = opened;
    const layoutShift = await observeLayoutShift(page);
    await page.goto(`${baseUrl}${path}`, { waitUntil: "networkidle0" });
    expect(await layoutShift()).toBeLessThan(0.02);
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
