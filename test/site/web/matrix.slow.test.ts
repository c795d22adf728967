// Every page and every screen at every width and in every color scheme: nothing overflows, axe-core finds nothing, the console has
// no error, nothing moves while the page loads, and the first view is small.
import { describe, expect, inject, test } from "vitest";
import { docPages } from "../../../lib/site/docs/doc-pages.ts";
import { openClient } from "../../support/client.ts";
import {
  openOperatorScreen,
  openScreen,
  screenPaths,
  storeExamples,
  storeReceivers,
} from "../../support/dashboard-screens.ts";
import {
  observeLayoutShift,
  schemes,
  showView,
  transferSizes,
  viewProblems,
  widths,
} from "../../support/page-views.ts";
import { type WebPage, webBrowser } from "../../support/web-browser.ts";

/** A page has 18 views, and axe-core takes seconds for the API reference. */
const TIMEOUT_MS = 300_000;

const { baseUrl } = inject("service");
const browser = webBrowser();

/** Loads an address at each width, and shows it in each scheme. Resolves to everything that is wrong. */
async function matrixProblems({ page, problems }: WebPage, url: string): Promise<string[]> {
  const layoutShift = await observeLayoutShift(page);
  const found: string[] = [];
  for (const width of widths) {
    await showView(page, { width, scheme: "light" });
    await page.goto(url, { waitUntil: "networkidle0" });
    const shift = await layoutShift();
    if (shift > 0.05) found.push(`${width} px: the layout shifts by ${shift.toFixed(3)}`);
    found.push(
      ...(await viewProblems(
        page,
        schemes.map((scheme) => ({ width, scheme })),
      )),
    );
  }
  return [...found, ...problems];
}

const pagePaths = [
  "/",
  "/playground",
  "/pricing",
  "/app/sign-in",
  ...docPages.map(({ path }) => path),
  "/docs/nothing",
];

describe.concurrent("pages", { timeout: TIMEOUT_MS }, () => {
  test.each(pagePaths)("%s: is right in every view, and takes at most 70 kB without pictures", async (path) => {
    await using opened = await browser.open("about:blank");
    const found = await matrixProblems(opened, `${baseUrl}${path}`);
    expect(await opened.page.$$eval("h1", (headings) => headings.length)).toBe(1);
    const isMissing = path === "/docs/nothing";
    expect(found.filter((problem) => !(isMissing && problem.includes("404")))).toEqual([]);
    const files = [...new Set(opened.requests)].filter((url) => !/\.(webp|png|avif|svg)(\?|$)/.test(url));
    const sizes = await transferSizes(files);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(70_000);
  });
});

/** An account with captures and receivers for one screen: its views make as many requests as a session may send in a minute. */
async function openExampleAccount() {
  const client = await openClient();
  await storeExamples(client);
  await client.capture({ html: "<p>", async: "true" });
  const { request_id: captureId } = await (
    await client.capture({ html: "<h1>Hello", full_page: "true", viewport_width: "400", response_type: "json" })
  ).json();
  const [receiverId] = await storeReceivers(client);
  return { client, captureId: String(captureId), receiverId: String(receiverId) };
}

describe("dashboard", { timeout: TIMEOUT_MS }, () => {
  const views = [
    ...screenPaths,
    "/captures?asynchronous=true",
    "/captures?status=failed",
    "/captures/ID",
    "/webhooks?receiver=RECEIVER",
  ];
  test.each(views)("/app%s: is right in every view", async (path) => {
    const { client, captureId, receiverId } = await openExampleAccount();
    await using opened = await openScreen(browser, client.accountId);
    await opened.page.waitForNetworkIdle();
    const url = `${baseUrl}/app${path.replace("ID", captureId).replace("RECEIVER", receiverId)}`;
    expect(await matrixProblems(opened, url)).toEqual([]);
  });
});

describe("operator's page", { timeout: TIMEOUT_MS }, () => {
  const views = [
    "",
    "/accounts",
    "/accounts/ACCOUNT",
    "/accounts/ACCOUNT/captures",
    "/requests/ID",
    "/failed",
    "/audit",
  ];
  test.each(views)("/operator%s: is right in every view", async (path) => {
    const { client, captureId } = await openExampleAccount();
    await using opened = await openOperatorScreen(browser);
    await opened.page.waitForNetworkIdle();
    const url = `${baseUrl}/operator${path.replace("ACCOUNT", String(client.accountId)).replace("ID", captureId)}`;
    expect(await matrixProblems(opened, url)).toEqual([]);
  });
});
