// The form of the playground in a browser: what it does with an address, presets, choices, the history, and a missing key.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readShareFragment, shareFragment } from "../../../lib/site/web/shared/share-link.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
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
  expect(await page.$eval("#key-note a", (link) => link.textContent)).toBe("Sign in or get one");
  await page.click(".capture-button");
  await page.waitForSelector(".key-bar.is-bad");
  expect(await textOf(page, "#key-note")).toMatch(/^Paste an API key to capture\. None yet\? Sign in/);
});

test("playground: an option is found by its words and by what other services call it, with its help in whole sentences", async () => {
  const { page } = opened;
  await page.focus(".option-search");
  await page.keyboard.type("retina");
  await page.waitForSelector(".more-options", { hidden: true });
  await page.waitForSelector("[data-option=device_scale_factor]");
  const help = () => page.$eval("[data-option=device_scale_factor] .help", (text) => (text as HTMLElement).innerText);
  expect(await help()).toBe("Image pixels per CSS pixel.");
  await page.click("[data-option=device_scale_factor] .hint");
  expect(await help()).toMatch(/Default: .+\.\s+Reference$/);
  expect(await accessibilityProblems(page)).toEqual([]);
  await fill(page, ".option-search", "");
  await page.waitForSelector(".more-options");
});

test("playground: an option that the API refuses is corrected by a button", async () => {
  await using other = await browser.open(
    `${baseUrl}/playground${await shareFragment({ url: "https://example.org/", ful_page: true }, () => false)}`,
  );
  const { page } = other;
  await page.waitForSelector(".invalid-options");
  expect(await accessibilityProblems(page)).toEqual([]);
  await press(page, "Rename it to full_page");
  await page.waitForSelector(".invalid-options", { hidden: true });
  expect(await textOf(page, ".code code")).toContain('"full_page":true');
});

test("playground: request, result, and code are in sight at once, or one below the other", async () => {
  const { page } = opened;
  const boxes = () =>
    page.$$eval(".request-pane, .result-pane, .code-pane", (panes) =>
      panes.map((pane) => pane.getBoundingClientRect().toJSON()),
    );
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
    [1920, 1080],
  ] as const) {
    await page.setViewport({ width, height });
    const [request, result, code] = await boxes();
    expect([request.bottom, result.bottom, code.bottom].filter((bottom) => bottom > height + 1)).toEqual([]);
    expect([result.left >= request.right, code.left >= request.right]).toEqual([true, true]);
    expect(width < 1792 ? code.top >= result.bottom : code.left >= result.right).toBe(true);
    expect(await page.$eval(".capture-button", (button) => button.getBoundingClientRect().bottom)).toBeLessThan(height);
  }
  await page.setViewport({ width: 768, height: 1024 });
  const [request, result, code] = await boxes();
  expect([result.top >= request.bottom, code.top >= result.bottom]).toEqual([true, true]);
  await page.setViewport({ width: 1280, height: 800 });
});

test("playground: the history opens at its button, and its number leaves the tools on one line", async () => {
  const { page } = opened;
  const toolsBefore = await page.$eval(".pane-tools", (tools) => tools.getBoundingClientRect().width);
  await page.evaluate(() => {
    const entries = Array.from({ length: 12 }, (_, index) => ({
      options: { url: `https://example.com/${index}` },
      status: 200,
      sentAt: Date.now() - index,
    }));
    localStorage.setItem("playground-history", JSON.stringify(entries));
  });
  await page.reload();
  await page.waitForSelector(".playground-grid");
  expect(await page.$eval(".pane-tools", (tools) => tools.getBoundingClientRect().width)).toBe(toolsBefore);
  for (const width of [1280, 360]) {
    await page.setViewport({ width, height: 800 });
    const tops = await page.$$eval(".pane-tools > button", (all) =>
      all.map((each) => each.getBoundingClientRect().top),
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
    await press(page, "History 12");
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
