// Screenshots of areas of a page through CDP, inside and beyond the viewport.

import type { Protocol } from "puppeteer-core";
import { ApiError } from "../../../contract/errors/api-error.ts";
import type { Area } from "../../geometry/area.ts";
import type * as fixedBackgrounds from "../../injected/fixed-backgrounds.ts";
import type * as noscript from "../../injected/noscript.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { pageOrigin, pageZoom } from "../../page/viewport.ts";
import { withAreaShown } from "../../page/visible-area.ts";
import { softAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";

export interface ScreenshotSettings {
  readonly format: "png" | "jpeg" | "webp";
  readonly quality: number;
  /** Prefers speed over file size. */
  readonly fast: boolean;
}

export interface ScaledPage extends CapturedPage {
  /** Image pixels per CSS pixel. */
  readonly scale: number;
}

/** For images that are decoded again at once. */
export const TILE_SETTINGS: ScreenshotSettings = { format: "png", quality: 100, fast: true };

/**
 * Takes a screenshot of an area: directly where it lies within the viewport, which is faster and changes nothing. `meanwhile` is
 * called while Chromium paints, if the area is painted at once; it must not change the page.
 */
export async function captureArea(
  capturing: ScaledPage,
  area: Area,
  settings: ScreenshotSettings,
  meanwhile?: () => unknown,
): Promise<Buffer> {
  const { frameScheduler, window } = capturing;
  if (!(await isAreaInWindow(capturing, area))) {
    return withPageFrozen(capturing, () => captureBeyondViewport(capturing, area, settings));
  }
  if (!frameScheduler) {
    return screenshot(capturing, isWindowArea(area, window) ? {} : { clip: { ...area, scale: 1 } }, settings);
  }
  const take = () => frameScheduler.screenshot(encodingParameters(settings));
  if (!isPaintedAtOnce(capturing, area)) return withAreaShown(capturing, { area, scale: capturing.scale }, take);
  const taking = take();
  if (meanwhile) void withTimeout(taking, MAIN_THREAD_MS).then(meanwhile, meanwhile);
  return taking;
}

/**
 * True for an area that one BeginFrame shows: the browser's own window, unless it is scaled, or larger than the viewport.
 */
export function isPaintedAtOnce({ window, frameScheduler }: CapturedPage, area: Area): boolean {
  return (
    frameScheduler !== undefined &&
    isWindowArea(area, window) &&
    window.scale === 1 &&
    window.screenMetrics === undefined
  );
}

function isWindowArea({ width, height }: Area, window: CapturedPage["window"]): boolean {
  return width === window.width && height === window.height;
}

/** The page's main thread takes about this long for a frame; then it is idle, while the image is rastered and encoded. */
const MAIN_THREAD_MS = 8;

/** Takes a screenshot of an area anywhere on the page, at one moment of the page's time and without resizing its viewport. */
export function captureBeyondViewport(
  capturing: ScaledPage,
  area: Area,
  settings: ScreenshotSettings,
): Promise<Buffer> {
  const { scale, window, frameScheduler } = capturing;
  if (!frameScheduler) return screenshot(capturing, { clip: { ...area, scale: scale / window.scale } }, settings);
  const take = () => frameScheduler.currentFrame(encodingParameters(settings));
  return withAreaShown(capturing, { area, scale }, take);
}

/** Longest wait for the sizes of background images, which are already loaded. */
const BACKGROUNDS_MS = 500;

/**
 * Converts fixed backgrounds to scrolling ones, for a screenshot of more than the viewport, then runs `work` while the page does
 * not change: virtual time stands still, so that no timer fires; otherwise scripts are disabled.
 */
export async function withPageFrozen<T>(capturing: CapturedPage, work: () => Promise<T>): Promise<T> {
  const { budget, now, frameScheduler } = capturing;
  await evaluateInIsolatedWorld(capturing, releaseFixedBackgrounds, softAllowance(budget, now(), BACKGROUNDS_MS));
  return frameScheduler?.virtualTime ? work() : withScriptsDisabled(capturing, work);
}

/**
 * Runs `work` while the page's scripts are disabled. Otherwise they could change the page before it is painted or between two
 * tiles. Scripts that animate stop for good, because their frame callbacks are dropped. `prepare` runs right before, with no
 * frame in between in begin-frame-control mode.
 */
export async function withScriptsDisabled<T>(
  capturing: CapturedPage,
  work: () => Promise<T>,
  prepare: () => Promise<void> = async () => undefined,
): Promise<T> {
  if (capturing.isJavaScriptDisabled) {
    await prepare();
    return work();
  }
  const { session, frameScheduler } = capturing;
  const { cdp } = session;
  await evaluateInIsolatedWorld(capturing, hideNoScript);
  const disableScripts = async () => {
    await prepare();
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
  };
  await (frameScheduler ? frameScheduler.pauseWhile(disableScripts) : disableScripts());
  try {
    return await work();
  } finally {
    // Not awaited: later commands are handled after it, and a page that is gone does not need it.
    cdp.send("Emulation.setScriptExecutionDisabled", { value: false }).catch(() => undefined);
  }
}

/** Limit for the tiles of an image together: those of photographs and noise are as large as their pixels. */
const MAX_TILES_BYTES = 200_000_000;

/** Captures a tile for each area, top to bottom. Throws `RESULT_TOO_LARGE` when they no longer fit into memory. */
export async function collectTiles(
  areas: readonly Area[],
  captureTile: (area: Area) => Promise<Buffer>,
): Promise<Buffer[]> {
  const tiles: Buffer[] = [];
  let bytes = 0;
  for (const area of areas) {
    const tile = await captureTile(area);
    bytes += tile.length;
    if (bytes > MAX_TILES_BYTES) throw tooDetailedError();
    tiles.push(tile);
  }
  return tiles;
}

function tooDetailedError(): ApiError {
  const message =
    "The page shows more detail than an image of its size can hold here. " +
    "Lower device_scale_factor or full_page_max_height, or capture a smaller part.";
  return new ApiError("RESULT_TOO_LARGE", message, { details: { image: ["has too much detail"] } });
}

/** True when the window shows an area of the page whole. Always false for a page that is zoomed out, as on phones. */
export async function isAreaInWindow(
  { session, window }: CapturedPage,
  { x, y, width, height }: Area,
): Promise<boolean> {
  if (width > window.width || height > window.height) return false;
  const metrics = await session.cdp.send("Page.getLayoutMetrics");
  const { cssVisualViewport } = metrics;
  if (cssVisualViewport.scale !== 1 || pageZoom(metrics) !== 1) return false;
  const [left, top] = [cssVisualViewport.pageX + pageOrigin(metrics), cssVisualViewport.pageY];
  return x >= left && y >= top && x + width <= left + window.width && y + height <= top + window.height;
}

async function screenshot(
  { session, frameScheduler }: CapturedPage,
  part: Pick<Protocol.Page.CaptureScreenshotRequest, "clip">,
  settings: ScreenshotSettings,
): Promise<Buffer> {
  const take = () => session.cdp.send("Page.captureScreenshot", { ...encodingParameters(settings), ...part });
  const { data } = await (frameScheduler ? frameScheduler.withFrames(take) : take());
  return Buffer.from(data, "base64");
}

function encodingParameters({ format, quality, fast }: ScreenshotSettings) {
  return { format, ...(format !== "png" && { quality }), optimizeForSpeed: fast };
}

const hideNoScript: PageFunction<typeof noscript.hideNoScript> = pageFunction("fullPage", "hideNoScript");

const releaseFixedBackgrounds: PageFunction<typeof fixedBackgrounds.releaseFixedBackgrounds> = pageFunction(
  "fullPage",
  "releaseFixedBackgrounds",
  { waitsFor: "resources" },
);
