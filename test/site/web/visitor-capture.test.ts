// The field of the landing page that captures without a key, in a real browser.
import type { Page } from "puppeteer-core";
import { expect, inject, test } from "vitest";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { type OpenOptions, webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site } = inject("service");
const browser = webBrowser();

const note = (page: Page) => page.$eval("#try-note", ({ textContent }) => textContent);

/** The landing page, with the sum of its layout shifts that no input caused. */
async function openLanding(options?: OpenOptions) {
  const opened = await browser.open(`${baseUrl}/`, options);
  await opened.page.evaluate(() => {
    Object.assign(globalThis, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        Object.assign(globalThis, { shift: (globalThis as unknown as { shift: number }).shift + entry.value });
    }).observe({ type: "layout-shift" });
  });
  return opened;
}

async function submit(page: Page, address: string): Promise<void> {
  await page.locator("#try-address").fill(address);
  await page.keyboard.press("Enter");
}

/** Answers `POST /try` in place of the service. */
async function answerTry(page: Page, status: number, headers: Record<string, string>, body: object): Promise<void> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!request.url().endsWith("/try")) return void request.continue();
    void request.respond({ status, headers, contentType: "application/json", body: JSON.stringify(body) });
  });
}

test("visitor capture: shows the phases, the picture in place of the sample, and the code of the same request", async () => {
  await using opened = await openLanding();
  const { page, problems, requests } = opened;
  const loadedBefore = requests.length;
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { seen });
    const figure = document.querySelector(".viewfinder") as HTMLElement;
    new MutationObserver(() => {
      for (const { textContent } of figure.querySelectorAll(".phases p")) seen.add(textContent ?? "");
    }).observe(figure, { childList: true, subtree: true });
  });
  const address = `${site}/cards?a='!"${"`"}$(b)`;
  await submit(page, address);
  await page.waitForFunction(() => document.querySelector("#try-note")?.textContent?.startsWith("Done"));
  const picture = await page.$eval(".viewfinder img", (image) => [image.naturalWidth, image.naturalHeight, image.alt]);
  expect(picture).toEqual([640, 400, `${new URL(site).host}, captured now`]);
  expect(await page.$eval(".viewfinder figcaption", ({ innerText }) => innerText)).toMatch(
    /640 × 400\s+WebP\s+\d+ KB\s+captured in \d+\.\d\d s/,
  );
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
  expect(seen.join("\n")).toMatch(/Page loads \d+ ms/);
  const codes = await page.$$eval("#code [data-language] pre code", (all) =>
    all.map(({ textContent }) => textContent ?? ""),
  );
  expect(codes).toHaveLength(8);
  const inQuery = `url=${site}/cards%3Fa%3D%27%21%22%60%24%28b%29&`;
  expect(codes.filter((code) => code.includes(inQuery))).toHaveLength(6);
  expect(codes.filter((code) => code.includes(`url: ${JSON.stringify(address)}`))).toHaveLength(1); // TypeScript
  expect(codes.filter((code) => code.includes(`"url": ${JSON.stringify(address)}`))).toHaveLength(1); // Python
  expect(requests.slice(loadedBefore).filter((url) => url.startsWith(baseUrl))).toEqual([
    expect.stringMatching(/\/assets\/visitor-capture-\w+\.js$/),
    `${baseUrl}/try`, // to start the function while the visitor types
    `${baseUrl}/try`,
  ]);
  expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBeLessThan(0.01);
  expect(await accessibilityProblems(page)).toEqual([]);
  // Chromium calls a response without content aborted.
  expect(problems.filter((problem) => problem !== `${baseUrl}/try: net::ERR_ABORTED`)).toEqual([]);
});

test("visitor capture: adds https:// to an address, and says at the field what is wrong with it", async () => {
  await using opened = await openLanding({ viewport: { width: 320, height: 640 } });
  const { page } = opened;
  await submit(page, " nothing.invalid ");
  await page.waitForSelector("#try-address[aria-invalid=true]");
  expect(await page.$eval("input#try-address", ({ value }) => value)).toBe("https://nothing.invalid");
  expect(await note(page)).toBe("No site has this name. Check the address.");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("try-address");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.each([
  [
    429,
    "RATE_LIMITED",
    "1800",
    /^Your network has made its 10 captures of this hour\. Try again at \d.*, or get a key\.$/,
  ],
  [503, "CAPACITY", "7200", /^The captures for visitors are used up for today\. Try again at \d.*, or get a key\.$/],
  [503, "CAPACITY", "3", /^Too many pages are being captured right now\. Try again in a moment, or get a key\.$/],
])(
  "visitor capture: a refusal with %i says when to try again and how to get a key",
  async (status, code, after, text) => {
    await using opened = await openLanding();
    const { page } = opened;
    await answerTry(page, status, { "Retry-After": after }, { code });
    await submit(page, "example.com");
    await page.waitForSelector("#try-note.wrong");
    expect(await note(page)).toMatch(text);
    expect(await page.$eval("#try-note a", ({ href }) => href)).toBe(`${baseUrl}/app/sign-in`);
    expect(await accessibilityProblems(page)).toEqual([]);
  },
);
