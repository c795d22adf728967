// What a function that captures needs of its environment before it starts.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { browserMegabytes, createBrowserLauncher } from "../../lib/runtime/browser-launcher.ts";

beforeEach(() => {
  vi.stubEnv("FONT_FILES", "/opt/fonts");
  vi.stubEnv("BLOCKING_FILES", "/opt/blocking");
});
afterEach(() => void vi.unstubAllEnvs());

test("refuses to start when origins are allowed and the stage's settings do not ask for it", () => {
  vi.stubEnv("CHROMIUM_FILES", "/opt/chromium");
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS", "127.0.0.1:8080");
  expect(createBrowserLauncher).toThrow(/this stage's settings do not ask/);
});

test("refuses to start with an origin that is not address:port", () => {
  vi.stubEnv("CHROMIUM_FILES", "/opt/chromium");
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS", "localhost:8080");
  vi.stubEnv("CAPTURE_ALLOW_ORIGINS_PERMITTED", "true");
  expect(createBrowserLauncher).toThrow(/'localhost:8080', which is not address:port/);
});

test("never begins a browser for options that were refused", async () => {
  vi.stubEnv("CHROMIUM_FILES", "/nowhere/at-all");
  const refusal = new Error("refused");
  await using browser = createBrowserLauncher()(Promise.reject(refusal));
  await expect(browser.first).rejects.toBe(refusal);
});

test("leaves a browser all the memory that the function does not need, and less where a video is made of its page", () => {
  const [picture, film] = [false, true].map((isFilmed) => browserMegabytes(2_048, { isFilmed }));
  expect(picture).toBe(browserMegabytes(1_048, { isFilmed: false }) + 1_000);
  expect(film).toBe((picture ?? 0) - 400);
});
