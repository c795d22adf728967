// Pictures of one colour: told from others at hardly any cost, and taken again once the page shows what it has.
import { setTimeout as sleep } from "node:timers/promises";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { waitForLoad } from "../../page/load-conditions.ts";
import { softAllowance } from "../../pipeline/budget.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";
import { withTimeout } from "../../pipeline/with-timeout.ts";
import { type Area, toDevicePixels } from "./area.ts";
import type { Size } from "./encoding.ts";
import { loadSharp } from "./raster-source.ts";
import { captureArea, type ScreenshotSettings, TILE } from "./screenshot.ts";

/** Longest wait for a page to show what it has. */
const SHOWING_MS = 3_000;
const LOOK_AGAIN_MS = 200;

/** Longest wait for the page to say what it has. */
const ANSWER_MS = 1_000;

export interface Look {
  /** How the picture was taken, if at once. */
  readonly settings: ScreenshotSettings;
  /** What the window shows. */
  readonly inView: () => Promise<Area>;
  /** True where the picture is not taken again, whatever is found. */
  readonly isLast: boolean;
}

/**
 * Looks whether the picture that was taken is of one colour. If the page has, or had, something to show, it is given time
 * to do so: true where it did, so that the picture has to be taken again. Otherwise the picture stays, with a warning.
 */
export async function isBlankTooEarly(capturing: CaptureState, { settings, inView, isLast }: Look): Promise<boolean> {
  if (!(await isBlank(capturing, settings))) return false;
  const { activity, area, budget, now, warnings } = capturing;
  const asking = evaluateInIsolatedWorld(capturing, "contentToShow", area.y + area.height);
  const found = await withTimeout(asking, softAllowance(budget, now(), ANSWER_MS));
  if (!found) return false; // it is too busy to be asked, and this is its picture
  const { hasContent, canChange } = found;
  const isExpected = hasContent || activity.document.contentPainted || activity.pending().length > 0;
  if (isExpected && !isLast && (await comesLate(capturing, await inView()))) return true;
  // What has nothing to show, and no script that could bring something, is meant to be so.
  if (isExpected) warnings.push("The picture is of one colour, although the page has something to show.");
  else if (canChange) warnings.push("The picture is of one colour: the page shows nothing.");
  return false;
}

/** Waits until the window shows more than one colour, and for what comes with it. */
async function comesLate(capturing: CaptureState, inView: Area): Promise<boolean> {
  const { budget, now } = capturing;
  const expiry = now() + softAllowance(budget, now(), SHOWING_MS);
  while (now() < expiry) {
    await sleep(Math.min(LOOK_AGAIN_MS, expiry - now()));
    const picture = await captureArea(capturing, inView, TILE);
    if (await isOneColour(picture, toDevicePixels(inView, capturing.scale), TILE)) continue;
    await waitForLoad(capturing);
    return true;
  }
  return false;
}

async function isBlank({ output, strips, area, scale }: CaptureState, settings: ScreenshotSettings): Promise<boolean> {
  const size = toDevicePixels(area, scale);
  if (output) return isOneColour(output.body, size, settings);
  const bytes = strips.reduce((sum, { length }) => sum + length, 0);
  return bytes <= mostBytes(size, TILE, strips.length) && areOneColour(strips, TILE);
}

async function isOneColour(picture: Buffer, size: Size, settings: ScreenshotSettings): Promise<boolean> {
  return picture.length <= mostBytes(size, settings, 1) && areOneColour([picture], settings);
}

/** What Chromium writes for pictures of one colour, as measured: at most so many bytes, and so many per pixel. */
const HEAD_BYTES = 1_024;
const bytesPerPixel = { png: 0.0063, fastPng: 0.0235, jpeg: 0.0066, webp: 0.0023 };

/**
 * A picture of one colour has no more bytes than this, and nearly every other has, such as one of a heading and two
 * lines: so hardly any picture has to be decoded in order to know.
 */
function mostBytes({ width, height }: Size, { format, fast }: ScreenshotSettings, count: number): number {
  const each = format === "png" && fast ? bytesPerPixel.fastPng : bytesPerPixel[format];
  return count * HEAD_BYTES + width * height * each;
}

/** By how much a channel of one colour varies once it was encoded: WebP of low quality has a grain. */
const grain = { png: 0, jpeg: 2, webp: 32 };

async function areOneColour(pictures: readonly Buffer[], { format }: ScreenshotSettings): Promise<boolean> {
  const sharp = await loadSharp();
  let first: Buffer | undefined;
  for (const picture of pictures) {
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    first ??= data.subarray(0, info.channels);
    if (!areAll(data, first, grain[format])) return false;
  }
  return true;
}

/** True where no pixel differs from the one given by more than `most` in any channel. */
function areAll(pixels: Buffer, pixel: Buffer, most: number): boolean {
  for (let at = 0; at < pixels.length; at++) {
    if (Math.abs((pixels[at] ?? 0) - (pixel[at % pixel.length] ?? 0)) > most) return false;
  }
  return true;
}
