// What the script of the pages does: language of samples, copying, filter of options, and the keyboard.
import { expect, inject, test } from "vitest";
import { WHEEL_PATH } from "../../../lib/site/client-packages/client-paths.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

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
    `curl --fail-with-body -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" \\\n  "${baseUrl}/api/v1/screenshot?url=https://example.com" -o page.png`,
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

test("samples: copying gives the program, and, separately, the command that installs its package", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/guide/images`);
  const { page } = opened;
  await page.browserContext().overridePermissions(baseUrl, ["clipboard-read", "clipboard-sanitized-write"]);
  const copied = async (button: string) => {
    await page.click(button);
    await page.waitForFunction((each) => document.querySelector(each)?.textContent === "Copied", {}, button);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.click(".samples [role=tab][value=python]");
  expect(await copied(".samples .sample-bar .copy")).toMatch(/^import os\n\nfrom screen_capture_client import/);
  expect(await copied("[data-language=python] .install .copy")).toBe(`pip install ${baseUrl}${WHEEL_PATH}`);
});

test("samples: those without the chosen language show their first one", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/guide/async`);
  const { page } = opened;
  const selected = () =>
    page.$$eval(".samples", (groups) =>
      groups.map((group) => [
        group.querySelector("[role=tab][aria-selected=true]")?.textContent,
        group.querySelectorAll("[data-language]:not([hidden])").length,
      ]),
    );
  const [withCurl, webhooks] = [
    ["curl", 1],
    ["JavaScript", 1],
  ];
  expect((await selected()).filter(([name]) => name === "JavaScript")).toEqual([webhooks]);
  expect((await selected()).filter(([name]) => name === "curl").length).toBeGreaterThan(3);
  expect((await selected())[0]).toEqual(withCurl);
  await page.click(".samples [role=tab][value=ruby]");
  expect(new Set((await selected()).map(String))).toEqual(new Set(["Ruby,1"]));
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

test("keyboard: the first stop skips the navigation", async () => {
  await using opened = await browser.open(`${baseUrl}/docs/guide/pdf`);
  const { page } = opened;
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
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
