// The floor of somebody who takes @sparticuz/chromium as its README says: its own files, its own flags, puppeteer's
// defaults. A process of its own; its first message tells how its start went, and then it takes windows.
import chromium from "@sparticuz/chromium";
import puppeteer, { type Browser } from "puppeteer-core";
import type { FloorRequest, FloorResult } from "./floor.ts";

/** Milliseconds since 1970, and for whoever started the process since that moment. */
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
const told: PackageStart = { importedMs, unpackedMs, readyMs: Date.now() };
await first.close();

process.on("message", (request: FloorRequest) => void run(request).then((result) => process.send?.(result)));
process.send?.(told);

async function launch(): Promise<Browser> {
  return puppeteer.launch({
    args: await puppeteer.defaultArgs({ args: chromium.args, headless: "shell" }),
    defaultViewport: WINDOW,
    executablePath,
    headless: "shell",
  });
}

async function run({ url }: FloorRequest): Promise<FloorResult> {
  const begun = performance.now();
  const browser = await launch();
  const [page] = await browser.pages();
  if (!page) throw new Error("Chromium started without a page.");
  await page.goto(url, { waitUntil: "load" });
  const { length } = await page.screenshot();
  const milliseconds = performance.now() - begun;
  await browser.close();
  return { milliseconds, bytes: length };
}
