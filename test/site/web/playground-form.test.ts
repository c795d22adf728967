// The form of the playground in a browser: what it does with an address, presets, choices, the history, and a missing key.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readShareFragment, shareFragment } from "../../../lib/site/web/shared/share-link.ts";
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
  await press(page, "Phone"); // another preset is another step
  await page.waitForFunction(() => !document.querySelector(".undo"));
  await page.reload();
  await page.waitForSelector("#option-html");
  const isMine = () => document.querySelector<HTMLTextAreaElement>("#option-html")?.value === "<h1>Mine</h1>";
  await page.click("[aria-label=Undo]");
  await page.waitForFunction(() => document.querySelector(".code code")?.textContent?.includes('"format":"pdf"'));
  await page.click("[aria-label=Undo]");
  await page.waitForFunction(isMine);
  await page.click("[aria-label=Redo]");
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#option-html")?.value.includes("1042"));
  await page.click("[aria-label=Undo]");
  await page.waitForFunction(isMine);
  await press(page, "URL");
});

test("playground: a reload restores everything, and the address has nothing secret and no HTML", async () => {
  await using other = await browser.open(`${baseUrl}/playground`);
  const { page, problems } = other;
  await page.waitForSelector(".playground-grid");
  await fill(page, "#option-url", "https://example.org/kept");
  await fill(page, ".option-search", "authorization");
  await page.waitForSelector("#option-authorization");
  await fill(page, "#option-authorization", "Bearer hidden");
  await page.waitForFunction(() => location.hash !== "");
  const { hash } = new URL(page.url());
  expect(await readShareFragment(hash)).toEqual({ url: "https://example.org/kept" });
  await press(page, "HTML");
  await fill(page, "#option-html", "<p>private</p>");
  await page.reload(); // before the address is written
  await page.waitForSelector("#option-html");
  expect(await page.$eval("#option-html", (field) => (field as HTMLTextAreaElement).value)).toBe("<p>private</p>");
  expect(await textOf(page, ".code code")).toContain("Bearer hidden");
  await page.waitForFunction(() => location.hash === ""); // only HTML and a secret are left
  await press(page, "URL");
  expect(await page.$eval("#option-url", (field) => (field as HTMLInputElement).value)).toBe(
    "https://example.org/kept",
  );
  expect(problems).toEqual([]);
});

test("playground: a crafted link captures nothing, adds no markup, and what it replaces can be undone", async () => {
  await using other = await browser.open(`${baseUrl}/playground`);
  const { page, problems, requests } = other;
  await page.waitForSelector(".playground-grid");
  await fill(page, "#option-url", "https://example.org/mine");
  await page.waitForFunction(() => location.hash !== "");
  const markup = "<img src=x onerror=document.title='owned'>";
  const crafted = {
    url: `javascript:${markup}`,
    format: { toString: markup },
    [markup]: markup,
    selector: [markup, { a: [null] }],
    webhook_url: 7,
    __proto__: null,
  };
  const hash = await shareFragment(crafted, () => false);
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, hash);
  await page.waitForSelector(".undo");
  expect(await textOf(page, ".undo")).toMatch(/^The link replaced your request\./);
  expect(await page.$("img[src=x]")).toBeNull();
  await page.reload();
  await page.waitForSelector(".playground-grid");
  await page.click(".capture-button"); // there is no key, and the request is invalid
  await page.click("[aria-label=Undo]");
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("#option-url")?.value === "https://example.org/mine",
  );
  expect(await page.title()).not.toBe("owned");
  expect(requests.filter((url) => url.includes("/api/v1/"))).toEqual([]);
  expect(problems).toEqual([]);
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
