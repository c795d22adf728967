// Takes the screenshot: at once where memory allows it, else in tiles that are joined later.
import type { ImageFormat } from "../../../options/formats.ts";
import { type Area, MAX_TILE_PIXELS, splitIntoTiles, toDevicePixels } from "../../geometry/area.ts";
import { encodableFormat, type ImageSettings } from "../../outputs/screenshot/image-settings.ts";
import { prepareScreenshot } from "../../outputs/screenshot/prepare-screenshot.ts";
import {
  captureArea,
  captureBeyondViewport,
  collectTiles,
  type ScreenshotSettings,
  TILE_SETTINGS,
  withPageFrozen,
} from "../../outputs/screenshot/screenshot.ts";
import type { CapturingPage } from "../capture-state.ts";
import type { CaptureStep } from "../step-definition.ts";

interface Screenshot {
  readonly image: ImageSettings;
}

export const screenshot: CaptureStep<"screenshot", Screenshot> = {
  name: "screenshot",
  phase: "capture",
  needsSameDocument: true,
  run: async (page, { image }) => {
    await prepareScreenshot(page, image);
    const { area } = page;
    const format = encodableFormat(page, image);
    const { width, height } = toDevicePixels(area, page.scale);
    if (!isChromiumFormat(format) || image.resizing || image.keepsPixels || width * height > MAX_TILE_PIXELS) {
      return { tiles: await captureTiles(page) };
    }
    const settings = { format, quality: image.quality, fast: image.fast };
    return { output: { body: await captureArea(page, area, settings), format } };
  },
};

/** True for a format that Chromium encodes itself. */
function isChromiumFormat(format: ImageFormat): format is ScreenshotSettings["format"] {
  return format === "png" || format === "jpeg" || format === "webp";
}

async function captureTiles(page: CapturingPage): Promise<Buffer[]> {
  const { area, scale } = page;
  const tiles = splitIntoTiles(area, scale);
  if (tiles.length === 1) return [await captureArea(page, area, TILE_SETTINGS)];
  const capture = (tile: Area) => captureBeyondViewport(page, tile, TILE_SETTINGS);
  return withPageFrozen(page, () => collectTiles(tiles, capture));
}
