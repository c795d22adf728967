// The floor of @sparticuz/chromium as in its README: its files and flags with Puppeteer's defaults, in its own process. The
// first message has the times of its start; later ones are screenshots.
import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser } from "puppeteer-core";
import type { FloorRequest, FloorResult } from "./floor.ts";

/** Milliseconds since 1970; the process that started this one subtracts the time of the start. */
export interface PackageStart {
  /** The modules were loaded. */
  readonly importedMs: number;
  readonly unpackedMs: number;
  /** The first page could be used. */
  readonly readyMs: number;
}

const WINDOW = { width: 1280, height: 1024 };

const importedMs = Date.now();
const executablePath = await chromium.executablePath();
const unpackedMs = Date.now();
const first = await launch();
await first.pages();
const report: PackageStart = { importedMs, unpackedMs, readyMs: Date.now() };
await first.close();

process.on("message", (request: FloorRequest) => void run(request).then((result) => process.send?.(result)));
process.send?.(report);

async function launch(): Promise<Browser> {
  return puppeteer.launch({
    args: await puppeteer.defaultArgs({ args: chromium.args, headless: "shell" }),
    defaultViewport: WINDOW,
    executablePath,
    headless: "shell",
  });
}

async function run({ url }: FloorRequest): Promise<FloorResult> {
  const startedAt = performance.now();
  const browser = await launch();
  const [page] = await browser.pages();
  if (!page) throw new Error("Chromium started without a page.");
  await page.goto(url, { waitUntil: "load" });
  const { length } = await page.screenshot();
  const milliseconds = performance.now() - startedAt;
  await browser.close();
  return { milliseconds, bytes: length };
}
