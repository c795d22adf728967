// Lets each scene that is pinned while the page scrolls stand in the page once.
import { describeParts } from "../../outputs/screenshot/missing-parts.ts";
import { collapsePinnedScenes, sceneParts } from "../../outputs/screenshot/pinned-scenes.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const collapsePinned: StepFactory<CaptureStep> = captureStep({
  name: "collapse-pinned-scenes",
  run: async (page) => {
    if (page.isJavaScriptDisabled) return;
    const scenes = await collapsePinnedScenes(page);
    if (scenes.length === 0) return;
    const areas = (await sceneParts(page, scenes)).map(({ area }) => area);
    page.warnings.push(
      "Scenes that stay in the window while the page scrolls are in the capture once, as they look halfway: " +
        `${describeParts(areas)}. Set full_page_pinned=as_is for the page with the space in which they play.`,
    );
    return { scenes };
  },
});
