// The field of the landing page that captures without a key, in a real browser.
import type { Page } from "puppeteer-core";
import sharp from "sharp";
import { expect, inject, test } from "vitest";
import type { KeylessPicture } from "../../../lib/contract/keyless-capture.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
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

/** Answers `POST /try` in place of the service, which captures no page of this machine for visitors. */
async function answerTry(
  page: Page,
  response: { readonly status: number; readonly headers?: Record<string, string>; readonly lines: readonly object[] },
): Promise<void> {
  const { lines, ...others } = response;
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!request.url().endsWith("/try")) return void request.continue();
    const isWake = request.postData() === "{}";
    void request.respond(isWake ? { status: 204 } : { ...others, contentType: "application/json", body });
  });
}

test("visitor capture: shows the phases, the picture in place of the sample, and the code of the same request", async () => {
  await using opened = await openLanding();
  const { page, problems, requests } = opened;
  const data = await sharp({ create: { width: 640, height: 400, channels: 3, background: "#08c" } })
    .webp()
    .toBuffer();
  const picture: KeylessPicture = {
    mime_type: "image/webp",
    data: data.toString("base64"),
    total_ms: 1_230,
    captured_at: new Date().toISOString(),
    from_cache: false,
  };
  const phases = ["browser", "navigate", "settle", "capture", "encode"].map((phase, index) => ({
    phase,
    at_ms: 100 * index,
  }));
  await answerTry(page, { status: 200, lines: [...phases, { picture }] });
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
  const shown = await page.$eval(".viewfinder img", (image) => [image.naturalWidth, image.naturalHeight, image.alt]);
  expect(shown).toEqual([640, 400, `${new URL(site).host}, captured now`]);
  expect(await page.$eval(".viewfinder figcaption", ({ innerText }) => innerText)).toMatch(
    /640 × 400\s+WebP\s+\d+ KB\s+captured in 1\.23 s/,
  );
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
  expect(seen.join("\n")).toMatch(/Page loads 100 ms/);
  const codes = await page.$$eval("#code [data-language] pre code", (all) =>
    all.map(({ textContent }) => textContent ?? ""),
  );
  expect(codes).toHaveLength(9);
  const inQuery = `url=${site}/cards%3Fa%3D%27%21%22%60%24%28b%29&`;
  expect(codes.filter((code) => code.includes(inQuery))).toHaveLength(3);
  expect(codes.filter((code) => code.includes(`url: ${JSON.stringify(address)}`))).toHaveLength(2); // TypeScript, Ruby
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

/** Keeps `POST /try` waiting, and answers the addresses in `pictures` on demand. */
async function holdTry(page: Page) {
  const requests: { readonly url: string; respond(lines: readonly object[]): Promise<void> }[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!request.url().endsWith("/try")) return void request.continue();
    if (request.postData() === "{}") return void request.respond({ status: 204 });
    const { url } = JSON.parse(request.postData() ?? "{}");
    requests.push({
      url,
      respond: (lines) =>
        request
          .respond({
            status: 200,
            contentType: "application/json",
            body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
          })
          .catch(() => undefined), // the page has aborted it
    });
  });
  return requests;
}

/** A picture of one colour. */
async function plainPicture(background: string): Promise<KeylessPicture> {
  const image = sharp({ create: { width: 640, height: 400, channels: 3, background } });
  const data = (await image.webp().toBuffer()).toString("base64");
  const captured_at = new Date().toISOString();
  return { mime_type: "image/webp", data, total_ms: 1_230, captured_at, from_cache: false };
}

const caption = (page: Page) => page.$eval(".viewfinder figcaption", ({ innerText }) => innerText.replace(/\s+/g, " "));
const picture = (page: Page) =>
  page.$eval(".viewfinder img", ({ alt, currentSrc }) => ({ alt, isSample: !currentSrc.startsWith("data:") }));

slowTest("visitor capture: another address ends the running capture, whose picture is never shown", async () => {
  await using opened = await openLanding();
  const { page } = opened;
  const requests = await holdTry(page);
  await submit(page, "first.example");
  await page.waitForSelector(".viewfinder[aria-busy=true]");
  await expect.poll(() => requests.length).toBe(1);
  await submit(page, "second.example");
  await expect.poll(() => requests.length).toBe(2);
  await requests[0]?.respond([{ picture: await plainPicture("#f00") }]);
  expect(await caption(page)).toMatch(/^Capturing second\.example \d+ s Cancel$/);
  await requests[1]?.respond([{ picture: await plainPicture("#00f") }]);
  await page.waitForFunction(() =>
    document.querySelector("#try-note")?.textContent?.startsWith("Done: second.example"),
  );
  expect(await picture(page)).toEqual({ alt: "second.example, captured now", isSample: false });
  expect(requests.map(({ url }) => url)).toEqual(["https://first.example", "https://second.example"]);
});

slowTest("visitor capture: submitting the same address again sends no second request", async () => {
  await using opened = await openLanding();
  const { page } = opened;
  const requests = await holdTry(page);
  await submit(page, "one.example");
  await expect.poll(() => requests.length).toBe(1);
  await page.keyboard.press("Enter");
  await requests[0]?.respond([{ picture: await plainPicture("#00f") }]);
  await page.waitForFunction(() => document.querySelector("#try-note")?.textContent?.startsWith("Done"));
  expect(requests).toHaveLength(1);
});

slowTest("visitor capture: counts the seconds, and Cancel ends it and shows the sample again", async () => {
  await using opened = await openLanding({ viewport: { width: 320, height: 640 } });
  const { page } = opened;
  const sample = [await picture(page), await caption(page)];
  const requests = await holdTry(page);
  await submit(page, "slow.example");
  await page.waitForFunction(() => /[1-9] s/.test(document.querySelector("figcaption")?.textContent ?? ""));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("figcaption button").click();
  await page.waitForFunction(() => document.querySelector("#try-note")?.textContent === "Cancelled.");
  expect([await picture(page), await caption(page)]).toEqual(sample);
  expect(await page.$(".viewfinder[aria-busy=true], .phases")).toBeNull();
  await submit(page, "other.example");
  await expect.poll(() => requests.length).toBe(2);
});

test("visitor capture: nothing of the page before is left after an error", async () => {
  await using opened = await openLanding();
  const { page } = opened;
  const sample = [await picture(page), await caption(page)];
  const requests = await holdTry(page);
  await submit(page, "good.example");
  await expect.poll(() => requests.length).toBe(1);
  await requests[0]?.respond([{ picture: await plainPicture("#0f0") }]);
  await page.waitForFunction(() => document.querySelector("#try-note")?.textContent?.startsWith("Done"));
  expect(await picture(page)).toEqual({ alt: "good.example, captured now", isSample: false });
  await submit(page, "broken.example");
  await expect.poll(() => requests.length).toBe(2);
  await requests[1]?.respond([{ error: { code: "TARGET_UNREACHABLE" } }]);
  await page.waitForSelector("#try-address[aria-invalid=true]");
  expect([await picture(page), await caption(page)]).toEqual(sample);
});

sampled(test, 3).each([
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
    await answerTry(page, { status, headers: { "Retry-After": after }, lines: [{ code }] });
    await submit(page, "example.com");
    await page.waitForSelector("#try-note.wrong");
    expect(await note(page)).toMatch(text);
    expect(await page.$eval("#try-note a", ({ href }) => href)).toBe(`${baseUrl}/app/sign-in`);
    expect(await accessibilityProblems(page)).toEqual([]);
  },
);
