// Takes the screenshot: at once where memory allows it, else in tiles that are joined later. A picture of the whole page is
// compared with what the window showed while the page was scrolled; what it lacks is captured while it is in view.
import type { ImageFormat } from "../../../contract/options/formats.ts";
import { type Area, MAX_TILE_PIXELS, splitIntoTiles, toDevicePixels } from "../../geometry/area.ts";
import { type ImageSettings, wholeImageFormat } from "../../outputs/screenshot/image-settings.ts";
import { describeParts, findMissingParts, isMost, pasteParts } from "../../outputs/screenshot/missing-parts.ts";
import { sceneParts } from "../../outputs/screenshot/pinned-scenes.ts";
import { prepareScreenshot } from "../../outputs/screenshot/prepare-screenshot.ts";
import { decodeReferences } from "../../outputs/screenshot/reference-views.ts";
import {
  captureArea,
  captureBeyondViewport,
  collectTiles,
  type ScreenshotSettings,
  TILE_SETTINGS,
  withPageFrozen,
} from "../../outputs/screenshot/screenshot.ts";
import { captureParts, captureSections } from "../../outputs/screenshot/sections.ts";
import type { CapturingPage, Output } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";
import { awaitJudgement } from "./judge-page.ts";

interface Screenshot {
  readonly image: ImageSettings;
  /** True when fixed elements keep the place that they have at the top of the page. */
  readonly freeze?: boolean;
}

type Taken = Pick<Output, "output"> | Pick<Output, "tiles">;

export const screenshot: StepFactory<CaptureStep, Screenshot> = captureStep({
  name: "screenshot",
  needsSameDocument: true,
  run: async (page, { image, freeze = false }) => {
    await prepareScreenshot(page, image);
    const references = decodeReferences(page.references ?? []); // while Chromium paints
    references.catch(() => undefined); // it is awaited after the picture
    const taken = { ...(await captureAtOnce(page, image)), ...(await awaitJudgement(page)) };
    const missing = await findMissingParts(page, references);
    const scenes = await sceneParts(page, page.scenes);
    if (missing.length === 0 && scenes.length === 0) return taken;
    const fixed = { freezesFixed: freeze };
    if (isMost(page.area, missing)) {
      page.warnings.push(
        "Most of the page looks different while it is in view, so it was captured section by section.",
      );
      return { tiles: await pasteParts(await captureSections(page, page.area, fixed), scenes, page) };
    }
    if (missing.length > 0)
      page.warnings.push(
        `Parts of the page look different while they are in view, and were captured there: ${describeParts(missing)}.`,
      );
    const tiles = "tiles" in taken ? taken.tiles : await captureTiles(page);
    const parts = missing.length > 0 ? await captureParts(page, missing, fixed) : [];
    return { tiles: await pasteParts(tiles, [...parts, ...scenes], page) };
  },
});

async function captureAtOnce(page: CapturingPage, image: ImageSettings): Promise<Taken> {
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
