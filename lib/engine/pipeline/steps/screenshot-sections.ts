// Takes a full-page screenshot section by section: scrolls the window down the page and captures what it shows.
import { splitIntoTiles } from "../../geometry/area.ts";
import type { ImageSettings } from "../../outputs/screenshot/image-settings.ts";
import { prepareScreenshot } from "../../outputs/screenshot/prepare-screenshot.ts";
import { captureArea, collectTiles, TILE_SETTINGS } from "../../outputs/screenshot/screenshot.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { softAllowance } from "../../timing/budget.ts";
import type { CapturingPage } from "../capture-state.ts";
import type { CaptureStep } from "../step-definition.ts";

/** Longest wait for what a section loads. */
const MAX_SECTION_MS = 500;

interface ScreenshotSections {
  /** True when fixed elements keep the place that they have at the top of the page. */
  readonly freeze: boolean;
  readonly image: ImageSettings;
}

export const screenshotSections: CaptureStep<"screenshot-sections", ScreenshotSections> = {
  name: "screenshot-sections",
  phase: "capture",
  needsSameDocument: true,
  run: async (page, { freeze, image }) => {
    await prepareScreenshot(page, image);
    return { tiles: await captureSections(page, freeze) };
  },
};

function captureSections(page: CapturingPage, freeze: boolean): Promise<Buffer[]> {
  const { activity, area, scale, window, budget, now } = page;
  return collectTiles(splitIntoTiles(area, scale, window.height), async (section) => {
    const { requestsStarted } = activity;
    if (freeze && section.y === area.y) await evaluateInIsolatedWorld(page, "rememberFixedPositions");
    await evaluateInIsolatedWorld(page, "scrollToOffset", section.y);
    if (freeze && (await evaluateInIsolatedWorld(page, "offsetFixed")))
      await evaluateInIsolatedWorld(page, "scrollToOffset", section.y);
    await keepHover(page, { mayScroll: false });
    await evaluateInIsolatedWorld(page, "readiness", softAllowance(budget, now(), MAX_SECTION_MS));
    await activity.untilAnswered(requestsStarted, MAX_SECTION_MS);
    return captureArea(page, section, TILE_SETTINGS);
  });
}
