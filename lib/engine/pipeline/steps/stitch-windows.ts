// Stitches what the windows of the page have shown into one picture.

import { assertImageSize, wholeImageFormat } from "../../formats/screenshot/image-settings.ts";
import { describeScenesShownOnce } from "../../full-page/describe-scenes.ts";
import { findNoSingleLook } from "../../full-page/describe-seams.ts";
import { stitch } from "../../full-page/stitch.ts";
import type { Visit } from "../../full-page/visit.ts";
import type { Area } from "../../geometry/area.ts";
import { addProblem } from "../../problems/problem-record.ts";
import { maxHeightFinding } from "../../problems/rules/cut-off.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";
import { type PagePainting, paintPage } from "./paint-page.ts";

export const stitchWindows: StepFactory<CaptureStep, PagePainting> = captureStep({
  name: "stitch-windows",
  needsSameDocument: true,
  run: async (page, painting) => {
    const { visit } = page;
    if (!visit) return paintPage(page, painting);
    const { image, maxHeight } = painting;
    const { scale } = visit;
    assertImageSize({ area: expectedArea(visit, maxHeight), scale }, image, page.session.limits);
    const { tiles, width, height, fullHeight, seams, missingRows, layout } = await stitch(visit, { maxHeight });
    const area = { x: visit.area.x, y: 0, width: width / scale, height: height / scale };
    if (fullHeight > height && area.height >= maxHeight - 1)
      addProblem(page, "CUT_OFF", maxHeightFinding(Math.round(fullHeight / scale), maxHeight, area.width));
    if (visit.scenes.length > 0) page.warnings.push(describeScenesShownOnce(visit.scenes));
    // Whole windows below each other differ where they meet, as the caller wants it.
    const finding = painting.freezesFixed ? findNoSingleLook({ seams, missingRows, area, scale }) : undefined;
    if (finding) addProblem(page, "NO_SINGLE_LOOK", finding);
    wholeImageFormat({ area, scale, warnings: page.warnings }, image);
    return { tiles, scale, area, pictureLayout: layout };
  },
});

/** What the picture will show. */
function expectedArea({ windows, area, lead }: Visit, maxHeight: number): Area {
  const height = Math.max(...windows.map(({ top }) => top)) + area.height + (lead?.height ?? 0);
  return { ...area, y: 0, height: Math.min(height, maxHeight) };
}
