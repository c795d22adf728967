// Takes a full-page screenshot section by section: scrolls the window down the page and captures what it shows.
import type { ImageSettings } from "../../outputs/screenshot/image-settings.ts";
import { pasteParts } from "../../outputs/screenshot/missing-parts.ts";
import { sceneParts } from "../../outputs/screenshot/pinned-scenes.ts";
import { prepareScreenshot } from "../../outputs/screenshot/prepare-screenshot.ts";
import { captureSections } from "../../outputs/screenshot/sections.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface ScreenshotSections {
  /** True when fixed elements keep the place that they have at the top of the page. */
  readonly freeze: boolean;
  readonly image: ImageSettings;
}

export const screenshotSections: StepFactory<CaptureStep, ScreenshotSections> = captureStep({
  name: "screenshot-sections",
  needsSameDocument: true,
  run: async (page, { freeze, image }) => {
    await prepareScreenshot(page, image);
    const scenes = await sceneParts(page, page.scenes);
    const tiles = await captureSections(page, page.area, { freezesFixed: freeze });
    return { tiles: await pasteParts(tiles, scenes, page) };
  },
});
