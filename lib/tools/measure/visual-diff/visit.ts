// A visit: plain Chromium scrolls through a page, stop by stop, waits at each until it is still, and keeps what the window shows.
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "puppeteer-core";
import { type PageGeometry, type PinnedBox, readGeometry } from "./page-geometry.ts";
import { launchPlainBrowser } from "./plain-browser.ts";
import { compareTiles, type DecodedPicture, decodePicture, type Rect } from "./tiles.ts";

export interface PlainVisitOptions {
  /** Of the window, in CSS pixels. @default 1280 × 1024 */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Device pixels per CSS pixel. @default 1 */
  readonly scale?: number;
  /** From one stop to the next, as a share of the window's height. @default 1 */
  readonly step?: number;
  /** Where the visit ends, in CSS pixels from the top. @default 20,000 */
  readonly maxHeight?: number;
  /** How long a visitor looks at a stop that doesn't become still, in milliseconds. @default 700 */
  readonly maxStillMs?: number;
  /** How long a visitor looks at least, in milliseconds: what comes with a delay begins later. @default 350 */
  readonly minStillMs?: number;
  /** Called with the page when the visit is over, before the page is closed. */
  readonly visited?: (page: Page) => Promise<void>;
}

export interface Stop {
  /** How far the page is scrolled, in CSS pixels. */
  readonly scrollTop: number;
  /** How far each pane is, on a page with several. */
  readonly paneTops: readonly number[];
  /** What the window shows, a PNG. */
  readonly image: Buffer;
  /** Boxes that are fixed to the window or may stick to it, in CSS pixels of the window. */
  readonly pinned: readonly PinnedBox[];
  /** Tiles that changed between two looks, in CSS pixels of the window. */
  readonly moving: readonly Rect[];
}

export interface PlainVisit {
  readonly scale: number;
  readonly window: { readonly width: number; readonly height: number };
  /** What scrolls, as it was at the last stop. */
  readonly geometry: PageGeometry;
  readonly stops: readonly Stop[];
}

const DEFAULT_VIEWPORT = { width: 1280, height: 1024 };
const DEFAULT_MAX_HEIGHT = 20_000;
const LOAD_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 3_000;
const IMAGES_TIMEOUT_MS = 3_000;
/** Between two looks at the same stop, in milliseconds. */
const BETWEEN_LOOKS_MS = 150;
/** Mean difference of a tile from which it counts as changed between two looks. */
const MOVING_DIFFERENCE = 3;

/** Visits the page at `url` in a browser of its own. Rejects when the page doesn't load. */
export async function visitPlainly(
  url: string,
  { isOffline, ...options }: PlainVisitOptions & { readonly isOffline: boolean },
): Promise<PlainVisit> {
  await using plain = await launchPlainBrowser({ isOffline });
  return await visitPage(plain.browser, url, options); // it is closed after that
}

async function visitPage(browser: Browser, url: string, options: PlainVisitOptions): Promise<PlainVisit> {
  const { viewport = DEFAULT_VIEWPORT, scale = 1, step = 1, maxHeight = DEFAULT_MAX_HEIGHT } = options;
  const page = (await browser.pages())[0] ?? (await browser.newPage());
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined)); // it would block the page
  const cdp = await page.createCDPSession();
  await cdp.send("Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor: scale, mobile: false });
  await page.goto(url, { waitUntil: "load", timeout: LOAD_TIMEOUT_MS });
  await page.waitForNetworkIdle({ idleTime: 300, timeout: IDLE_TIMEOUT_MS }).catch(() => undefined); // some never rest
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const stops: Stop[] = [];
  let isTriedFarther = false;
  for (let top = 0; ; ) {
    const { stop, geometry } = await lookAt(page, cdp, top, options);
    const last = stops.at(-1);
    const isFarther = last === undefined || stop.scrollTop > last.scrollTop;
    if (isFarther) stops.push(stop);
    const { scrollHeight, viewport: view } = geometry;
    const isAtEnd = stop.scrollTop + view.height >= Math.min(scrollHeight, maxHeight) - 1;
    if (isAtEnd || (!isFarther && isTriedFarther)) {
      await options.visited?.(page);
      return { scale, window: viewport, geometry, stops };
    }
    // A page that snaps goes back after a short step.
    isTriedFarther = !isFarther;
    top = stop.scrollTop + Math.floor(isFarther ? view.height * step : view.height);
  }
}

async function lookAt(page: Page, cdp: CDPSession, top: number, options: PlainVisitOptions) {
  const { scale = 1, maxStillMs = 700, minStillMs = 350 } = options;
  await page.evaluate(readGeometry, top);
  const startedAt = performance.now();
  await sleep(minStillMs);
  const imagesUntil = performance.now() + IMAGES_TIMEOUT_MS;
  while ((await page.evaluate(readGeometry)).pendingImages > 0 && performance.now() < imagesUntil) await sleep(50);
  let look = await shoot(cdp);
  for (;;) {
    await sleep(BETWEEN_LOOKS_MS);
    const next = await shoot(cdp);
    const moving = next.equals(look) ? [] : await changedTiles(look, next, scale);
    if (moving.length === 0 || performance.now() - startedAt > maxStillMs) {
      const geometry = await page.evaluate(readGeometry);
      const { scrollTop, paneTops, pinned } = geometry;
      return { stop: { scrollTop, paneTops, image: next, pinned, moving }, geometry };
    }
    look = next;
  }
}

async function shoot(cdp: CDPSession): Promise<Buffer> {
  const { data } = await cdp.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
  return Buffer.from(data, "base64");
}

async function changedTiles(one: Buffer, other: Buffer, scale: number): Promise<readonly Rect[]> {
  const [first, second] = await Promise.all([decodePicture(one, scale), decodePicture(other, scale)]);
  const options = { maxDifference: MOVING_DIFFERENCE };
  return compareTiles(first, wholeOf(first), second, { left: 0, top: 0 }, options).differing;
}

/** A picture's whole rectangle. */
export function wholeOf({ width, height, scale }: DecodedPicture): Rect {
  return { left: 0, top: 0, width: width / scale, height: height / scale };
}
