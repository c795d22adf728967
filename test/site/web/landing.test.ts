// What the landing page shows, in a real browser: its bytes on a phone, a PDF whose pages turn, and a video that plays.
import { expect, inject, test } from "vitest";
import { observeLayoutShift, transferSizes } from "../../support/page-views.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();
const PHONE = { viewport: { width: 390, height: 844 } };

test("landing page: takes at most 150 KB before a phone scrolls and 350 KB at its end, and nothing moves", async () => {
  await using opened = await browser.open("about:blank", PHONE);
  const { page, requests } = opened;
  const layoutShift = await observeLayoutShift(page);
  await page.goto(`${baseUrl}/`, { waitUntil: "networkidle0" });
  const bytes = async () => (await transferSizes([...requests])).reduce((sum, size) => sum + size);
  expect(await bytes()).toBeLessThanOrEqual(150_000);
  const images = await page.$$("main img");
  for (const image of images) {
    await image.scrollIntoView();
    await page.waitForFunction((element) => (element as HTMLImageElement).complete, {}, image);
    expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
  }
  expect(images.length).toBeGreaterThanOrEqual(12);
  expect(await bytes()).toBeLessThanOrEqual(350_000);
  expect(await layoutShift()).toBeLessThanOrEqual(0.02);
});

test("landing page: the pages of a PDF turn by a button and by the keyboard, and stop at the last one", async () => {
  await using opened = await browser.open(`${baseUrl}/`);
  const { page } = opened;
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]); // scrolls at once
  await page.$eval(".page-strip", (strip) => strip.scrollIntoView());
  const next = await page.waitForSelector(".page-buttons button:last-of-type", { visible: true });
  const isDisabled = (position: "first" | "last") =>
    page.$eval(`.page-buttons button:${position}-of-type`, (button) => button.ariaDisabled);
  expect([await isDisabled("first"), await isDisabled("last")]).toEqual(["true", "false"]);
  await next?.focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press("Enter");
  await page.waitForFunction(
    () => document.querySelector(".page-buttons button:last-of-type")?.ariaDisabled === "true",
  );
  expect(await isDisabled("first")).toBe("false");
});

test("landing page: a video plays under the pointer and pauses behind it; with reduced motion, it plays by its button alone", async () => {
  await using opened = await browser.open(`${baseUrl}/`);
  const { page, problems, requests } = opened;
  const isPlaying = () => page.$eval(".film video", (video) => !video.paused && video.currentTime > 0);
  const playing = (expected: boolean) =>
    page.waitForFunction(
      (is) => (document.querySelector(".film video") as HTMLVideoElement).paused !== is,
      {},
      expected,
    );
  await page.$eval(".film", (film) => film.scrollIntoView());
  await page.waitForSelector(".film button", { visible: true });
  expect(requests.filter((url) => /\.(mp4|webm)$/.test(url))).toEqual([]);
  await page.hover(".film video");
  await playing(true);
  await page.waitForFunction(() => (document.querySelector(".film video") as HTMLVideoElement).currentTime > 0.2);
  expect(await isPlaying()).toBe(true);
  await page.hover(".site-header .brand");
  await playing(false);
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.hover(".film video");
  await page.click(".film video");
  await page.evaluate(() => new Promise(requestAnimationFrame)); // what the pointer has started would have started by now
  expect(await page.$eval(".film video", (video) => video.paused)).toBe(true);
  await page.click(".film button");
  await playing(true);
  expect(problems).toEqual([]);
});
