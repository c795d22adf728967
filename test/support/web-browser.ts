// One Chromium for the tests of a file: it opens pages of the website and records what goes wrong on them.
import { type Browser, launch, type Page, type Viewport } from "puppeteer-core";
import { afterAll, beforeAll } from "vitest";
import { chromiumFiles } from "./chromium.ts";

export interface WebPage extends AsyncDisposable {
  readonly page: Page;
  /** Messages of the console of kind `error`, uncaught exceptions, and failed requests, CSP violations among them. */
  readonly problems: readonly string[];
  /** Addresses that were requested from the server. */
  readonly requests: readonly string[];
}

export interface OpenOptions {
  readonly viewport?: Viewport;
  readonly scheme?: "light" | "dark";
}

export interface WebBrowser {
  open(url: string, options?: OpenOptions): Promise<WebPage>;
}

/** Launches the browser before the tests of the file and closes it after them. */
export function webBrowser(): WebBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchWebBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    open: (url, options) => {
      if (!browser) throw new Error("The browser is launched before the tests of a file.");
      return openWebPage(browser, url, options);
    },
  };
}

export async function launchWebBrowser(): Promise<Browser> {
  const { executable, libraries, fontConfiguration } = await chromiumFiles();
  return launch({
    executablePath: executable,
    headless: "shell",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars"],
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fontConfiguration },
  });
}

async function openWebPage(browser: Browser, url: string, options: OpenOptions = {}): Promise<WebPage> {
  const { viewport = { width: 1280, height: 800 }, scheme = "light" } = options;
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on("request", (request) => {
    if (/^https?:/.test(request.url())) requests.push(request.url());
  });
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return { page, problems, requests, [Symbol.asyncDispose]: () => context.close() };
}
