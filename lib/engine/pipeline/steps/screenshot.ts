// Takes the screenshot: at once where memory allows it, else in tiles that are joined later.
import type { ImageFormat } from "../../../contract/options/formats.ts";
import { type ImageSettings, wholeImageFormat } from "../../formats/screenshot/image-settings.ts";
import { prepareScreenshot } from "../../formats/screenshot/prepare-screenshot.ts";
import {
  captureArea,
  captureBeyondViewport,
  collectTiles,
  type ScreenshotSettings,
  TILE_SETTINGS,
  withPageFrozen,
} from "../../formats/screenshot/screenshot.ts";
import { type Area, MAX_TILE_PIXELS, splitIntoTiles, toDevicePixels } from "../../geometry/area.ts";
import type { CapturingPage, Output } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";
import { awaitJudgement } from "./judge-page.ts";

interface Screenshot {
  readonly image: ImageSettings;
}

type Taken = Pick<Output, "output"> | Pick<Output, "tiles">;

export const screenshot: StepFactory<CaptureStep, Screenshot> = captureStep({
  name: "screenshot",
  needsSameDocument: true,
  run: async (page, { image }) => {
    await prepareScreenshot(page, image);
    const isTaken = page.tiles.length > 0; // while its rows were visited
    return { ...(!isTaken && (await captureAtOnce(page, image))), ...(await awaitJudgement(page)) };
  },
});

/** Paints the area at once, in tiles where memory needs them. */
export async function captureAtOnce(page: CapturingPage, image: ImageSettings): Promise<Taken> {
  const { area } = page;
  const format = wholeImageFormat(page, image);
  const { width, height } = toDevicePixels(area, page.scale);
  if (!isChromiumFormat(format) || image.resizing || image.keepsPixels || width * height > MAX_TILE_PIXELS) {
    return { tiles: await captureTiles(page) };
  }
  const settings = { format, quality: image.quality, fast: image.fast };
  return { output: { body: await captureArea(page, area, settings, page.judge), format } };
}

/** True for a format that Chromium encodes itself. */
function isChromiumFormat(format: ImageFormat): format is ScreenshotSettings["format"] {
  return format === "png" || format === "jpeg" || format === "webp";
}

async function captureTiles(page: CapturingPage): Promise<Buffer[]> {
  const { area, scale } = page;
  const tiles = splitIntoTiles(area, scale);
  if (tiles.length === 1) return [await captureArea(page, area, TILE_SETTINGS, page.judge)];
  const capture = (tile: Area) => captureBeyondViewport(page, tile, TILE_SETTINGS);
  return withPageFrozen(page, () => collectTiles(tiles, capture));
}
