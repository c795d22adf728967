// The form of the playground in a browser: what it does with an address, presets, choices, the history, and a missing key.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { fill, press, textOf } from "../../support/dashboard-screens.ts";
import { type WebPage, webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

let opened: WebPage;
beforeAll(async () => {
  opened = await browser.open(`${baseUrl}/playground`);
  await opened.page.waitForSelector(".playground-grid");
});
afterAll(() => opened?.[Symbol.asyncDispose]());

const textIn = (selector: string) =>
  opened.page.$eval(selector, (field) => (field as HTMLInputElement | HTMLTextAreaElement).value);

test("playground: an address without a scheme gets one, in the request and in the field", async () => {
  const { page } = opened;
  await page.$eval("#option-url", (field) => (field as HTMLInputElement).select());
  await page.keyboard.type("example.org/a?b=c:d");
  await page.waitForFunction(() =>
    document.querySelector(".code code")?.textContent?.includes('"https://example.org/a?b=c:d"'),
  );
  expect(await page.$(".source.is-bad")).toBeNull();
  await page.keyboard.press("Tab");
  expect(await textIn("#option-url")).toBe("https://example.org/a?b=c:d");
  await fill(page, "#option-url", "http://localhost:3000/");
  await page.waitForFunction(() =>
    document.querySelector(".code code")?.textContent?.includes('"http://localhost:3000/"'),
  );
  await fill(page, "#option-url", "https://example.org/");
});

test("playground: a preset that replaces what was typed can be undone", async () => {
  const { page } = opened;
  await press(page, "HTML");
  await page.waitForSelector("#option-html");
  await press(page, "PDF invoice");
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#option-html")?.value.includes("1042"));
  expect(await page.$(".undo")).toBeNull(); // only the sample was replaced
  await fill(page, "#option-html", "<h1>Mine</h1>");
  await press(page, "PDF invoice");
  await page.waitForSelector(".undo");
  expect(await textOf(page, ".undo")).toMatch(/^“PDF invoice” replaced your HTML\.\s+Undo$/);
  await press(page, "Phone"); // leaves the source, and what can be undone
  await press(page, "Undo");
  await page.waitForFunction(() => !document.querySelector(".undo"));
  expect(await textIn("#option-html")).toBe("<h1>Mine</h1>");
  expect(await textOf(page, ".code code")).toContain('"format":"pdf"');
  await press(page, "URL");
});

test("playground: choices are the names of the documentation, without their aliases", async () => {
  const choices = await opened.page.$$eval("#option-format option", (all) => all.map(({ value }) => value));
  expect(choices).toEqual(expect.arrayContaining(["jpeg", "markdown", "tiff"]));
  expect(choices.filter((name) => ["jpg", "md", "tif", "txt"].includes(name))).toEqual([]);
});

test("playground: without a key, the way to sign in stays", async () => {
  const { page } = opened;
  expect(await page.$eval("#key-note a", (link) => link.textContent)).toBe("sign in");
  await page.click(".capture-button");
  await page.waitForSelector(".key-bar.is-bad");
  expect(await textOf(page, "#key-note")).toMatch(/^Paste an API key to capture\. Or sign in/);
});

test("playground: the history opens at its button", async () => {
  const { page } = opened;
  await page.evaluate(() => {
    const entry = { options: { url: "https://example.com" }, status: 200, sentAt: Date.now() };
    localStorage.setItem("playground-history", JSON.stringify([entry]));
  });
  await page.reload();
  for (const width of [1280, 360]) {
    await page.setViewport({ width, height: 800 });
    await press(page, "History (1)");
    await page.waitForSelector("#history:popover-open");
    const [button, menu] = await page.evaluate(() =>
      [".history-button", "#history"].map((selector) =>
        document.querySelector(selector)?.getBoundingClientRect().toJSON(),
      ),
    );
    expect(menu.top - button.bottom).toBeGreaterThanOrEqual(0);
    expect(menu.top - button.bottom).toBeLessThan(16);
    expect([menu.left >= 0, menu.right <= width]).toEqual([true, true]);
    await page.keyboard.press("Escape");
  }
});
