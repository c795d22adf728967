// What the script of the pages does: search, language of samples, copying, filter of options, and the keyboard.
import { expect, inject, test } from "vitest";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

test("search: opens with a slash, finds an option, and leads to it by keyboard", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/guide/images`);
  const { page, problems } = opened;
  await page.keyboard.press("/");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.type("pdf margin top");
  await page.waitForSelector("dialog li a");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash === "#pdf_margin_top");
  expect(new URL(page.url()).pathname).toBe("/docs/reference/options");
  expect(problems).toEqual([]);
});

test("search: says so when nothing is found, and closes with Escape", async () => {
  await using opened = await browser.open(`${baseUrl}/docs`);
  const { page } = opened;
  await page.click("[data-search]");
  await page.keyboard.type("qwertz");
  await page.waitForFunction(() => document.querySelector("dialog p")?.textContent === "Nothing found.");
  await page.keyboard.press("Escape");
  expect(await page.$("dialog[open]")).toBeNull();
});

test("samples: the chosen language holds for all samples and for the next page", async () => {
  await using opened = await browser.open(`${baseUrl}/docs`);
  const { page } = opened;
  const shown = () =>
    page.$$eval(".samples > [data-language]:not([hidden])", (panels) => [
      ...new Set(panels.map((panel) => (panel as HTMLElement).dataset["language"])),
    ]);
  expect(await shown()).toEqual(["sh"]);
  await page.focus(".samples [role=tab]");
  await page.keyboard.press("ArrowRight");
  expect(await shown()).toEqual(["javascript"]);
  await page.goto(`${baseUrl}/docs/guide/pdf`);
  expect(await shown()).toEqual(["javascript"]);
});

test("samples: copying gives the shown code with the address of this service", async () => {
  await using opened = await browser.open(`${baseUrl}/docs`);
  const { page } = opened;
  await page.browserContext().overridePermissions(baseUrl, ["clipboard-read", "clipboard-sanitized-write"]);
  await page.click(".samples .copy");
  await page.waitForFunction(() => document.querySelector(".samples .copy")?.textContent === "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `curl -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" \\\n  "${baseUrl}/api/v1/screenshot?url=https://example.com" -o page.png`,
  );
});

test("options: the filter shows the options that have all words", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/reference/options`);
  const { page } = opened;
  await page.type("[data-option-filter] input", "pdf_margin bottom");
  expect(await page.$$eval(".option:not([hidden])", (options) => options.map(({ id }) => id))).toEqual([
    "pdf_margin_bottom",
  ]);
  expect(await page.$$eval(".option-group:not([hidden]) h2", (headings) => headings.length)).toBe(1);
});

test("errors: an error answer links to the description of its code", async () => {
  const { docs } = (await (await fetch(`${baseUrl}/api/v1/account`)).json()) as { docs: string };
  expect(docs).toBe(`${baseUrl}/docs/errors#UNAUTHORIZED`);
  await using opened = await browser.open(docs);
  expect(await opened.page.$eval("#UNAUTHORIZED", (section) => section.textContent)).toContain("Authorization: Bearer");
});

test("samples: a request opens in the playground with its options", async () => {
  await using opened = await browser.open(`${baseUrl}/docs`);
  const { page, problems, requests } = opened;
  const [, second] = await page.$$(".samples .try");
  await Promise.all([page.waitForNavigation(), second?.click()]);
  await page.waitForSelector(".playground-grid");
  await page.waitForFunction(() => document.querySelector(".code code")?.textContent?.includes('"full_page":true'));
  expect(await page.$eval(".code code", (code) => code.textContent)).toContain('"block_cookie_banners":true');
  expect(requests.filter((url) => url.includes("/api/v1/"))).toEqual([]);
  expect(problems).toEqual([]);
});

test("keyboard: the first stop skips the navigation, and the search opens with Ctrl+K", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/guide/pdf`);
  const { page } = opened;
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.press("k"); // it is open already
  await page.keyboard.up("Control");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.type("TARGET_BLOCKED");
  await page.waitForSelector("dialog li a");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("href"))).toContain("#TARGET_BLOCKED");
});

test("contents: the section that is read is marked", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/guide/images`);
  const { page } = opened;
  const marked = () => page.$eval(".docs-toc [aria-current]", (link) => (link as HTMLAnchorElement).hash);
  const [first = "", , third = ""] = await page.$$eval(".docs-toc a", (links) => links.map(({ hash }) => hash));
  expect(await marked()).toBe(first);
  await page.click(`.docs-toc a[href="${third}"]`);
  await page.waitForFunction(
    (hash) => document.querySelector<HTMLAnchorElement>(".docs-toc [aria-current]")?.hash === hash,
    {},
    third,
  );
});
