// Detects blank screenshots, of a single color, and waits for the page to show content so that they can be retaken.
import * as v from "valibot";
import { type Area, toDevicePixels } from "../../geometry/area.ts";
import type * as blankImage from "../../injected/blank-image.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { addProblem } from "../../problems/problem-record.ts";
import { singleColorFinding } from "../../problems/rules/blank.ts";
import { passTime, retryAtRealPace, startTimeout } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import type { Size } from "./encoding.ts";
import { loadSharp } from "./raster-source.ts";
import { captureArea, type ScaledPage, type ScreenshotSettings, TILE_SETTINGS } from "./screenshot.ts";

/** Longest wait for content. */
const CONTENT_WAIT_MS = 3_000;
const RETRY_INTERVAL_MS = 200;

/** Longest wait for the page's response. */
const RESPONSE_MS = 1_000;

/** A page with its screenshot: as Chromium encoded it, or as PNG tiles from top to bottom. */
export interface TakenImage extends ScaledPage {
  readonly area: Area;
  readonly output?: { readonly body: Buffer } | undefined;
  readonly tiles: readonly Buffer[];
}

export interface BlankCheck {
  /** How the image was encoded, if it is not in tiles. */
  readonly settings: ScreenshotSettings;
  /** The area in the viewport, and its image pixels per CSS pixel. */
  readonly inView: () => Promise<{ readonly area: Area; readonly scale: number }>;
  /** True when the screenshot is not retaken, regardless of the result of the check. */
  readonly isLast: boolean;
}

/**
 * Returns true when the screenshot is blank and the page showed content shortly afterwards, so that the screenshot has
 * to be retaken. Otherwise the blank image stays, with a warning.
 */
export async function isBlankTooEarly(
  capturing: TakenImage,
  { settings, inView, isLast }: BlankCheck,
): Promise<boolean> {
  if (!(await isBlank(capturing, settings))) return false;
  const { activity, area, budget, now } = capturing;
  const searching = evaluateInIsolatedWorld(capturing, contentToShowInPage, area.y + area.height);
  const found = await withTimeout(searching, softAllowance(budget, now(), RESPONSE_MS));
  if (!found) return false; // the page is too busy to respond; keep its image
  const { hasContent, canChange } = found;
  const isExpected = hasContent || activity.document.contentPainted || activity.pending().length > 0;
  const contentComesInView = async () => {
    const { area, scale } = await inView();
    const wait = () => waitForContent({ ...capturing, scale }, area);
    return retryAtRealPace(capturing, wait, (isFound) => isFound);
  };
  if (isExpected && !isLast && (await contentComesInView())) return true;
  // No warning for a page without content and without scripts that could add any.
  if (isExpected || canChange) addProblem(capturing, "BLANK", singleColorFinding(isExpected));
  return false;
}

/** Waits until the viewport shows more than one color, then until the page has loaded. */
async function waitForContent(capturing: ScaledPage, inView: Area): Promise<boolean> {
  const { budget, now } = capturing;
  const leftMs = startTimeout(capturing, softAllowance(budget, now(), CONTENT_WAIT_MS));
  while (leftMs() > 0) {
    await passTime(capturing, Math.min(RETRY_INTERVAL_MS, leftMs()));
    const image = await captureArea(capturing, inView, TILE_SETTINGS);
    if (await isOneColor(image, toDevicePixels(inView, capturing.scale), TILE_SETTINGS)) continue;
    await waitForLoad(capturing);
    return true;
  }
  return false;
}

async function isBlank({ output, tiles, area, scale }: TakenImage, settings: ScreenshotSettings): Promise<boolean> {
  const size = toDevicePixels(area, scale);
  if (output) return isOneColor(output.body, size, settings);
  const bytes = tiles.reduce((sum, { length }) => sum + length, 0);
  return bytes <= maxBlankBytes(size, TILE_SETTINGS, tiles.length) && areOneColor(tiles, TILE_SETTINGS);
}

async function isOneColor(image: Buffer, size: Size, settings: ScreenshotSettings): Promise<boolean> {
  return image.length <= maxBlankBytes(size, settings, 1) && areOneColor([image], settings);
}

/** Upper bounds for Chromium's encoding of images of one color, as measured: bytes per image, and per pixel. */
const OVERHEAD_BYTES = 1_024;
const bytesPerPixel = { png: 0.0063, fastPng: 0.0235, jpeg: 0.0066, webp: 0.0023 };

/**
 * Images of one color have at most this many bytes, and nearly all others have more, even a heading and two lines. So
 * hardly any image has to be decoded.
 */
function maxBlankBytes({ width, height }: Size, { format, fast }: ScreenshotSettings, count: number): number {
  const each = format === "png" && fast ? bytesPerPixel.fastPng : bytesPerPixel[format];
  return count * OVERHEAD_BYTES + width * height * each;
}

/** By how much a channel of a single color varies after encoding: WebP of low quality has noise. */
const encodingNoise = { png: 0, jpeg: 2, webp: 32 };

async function areOneColor(images: readonly Buffer[], { format }: ScreenshotSettings): Promise<boolean> {
  const sharp = await loadSharp();
  let first: Buffer | undefined;
  for (const image of images) {
    const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
    first ??= data.subarray(0, info.channels);
    if (!isUniform(data, first, encodingNoise[format])) return false;
  }
  return true;
}

/** True when no pixel differs from `pixel` by more than `tolerance` in any channel. */
function isUniform(pixels: Buffer, pixel: Buffer, tolerance: number): boolean {
  for (let at = 0; at < pixels.length; at++) {
    if (Math.abs((pixels[at] ?? 0) - (pixel[at % pixel.length] ?? 0)) > tolerance) return false;
  }
  return true;
}

export const contentToShowInPage: PageFunction<typeof blankImage.contentToShow> = pageFunction(
  "core",
  "contentToShow",
  {
    result: v.object({ hasContent: v.boolean(), canChange: v.boolean() }),
  },
);
