// Expands the element that scrolls in place of the document, so that a full-page capture shows all of its content.

import { expandFrames, expandScrollersInPage, renderSkippedContentInPage } from "../../formats/expand-frames.ts";
import type * as repainting from "../../injected/repaint.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { warnOfSampling } from "../../page/layout-sampling.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { warnOfBoard } from "../../page/sideways-board.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const expandScroller: StepFactory<CaptureStep> = captureStep({
  name: "expand-scroller",
  run: async (page) => {
    await evaluateInIsolatedWorld(page, renderSkippedContentInPage);
    const { scrollers, board, hasFrames, isSampled } = await evaluateInIsolatedWorld(page, expandScrollersInPage);
    for (const { result, scroller } of scrollers) {
      if (result === "virtualized")
        page.warnings.push(
          `The list '${scroller}' renders only the rows that are in view (a virtualized list), ` +
            "so that the capture shows it as the window does, not in full height.",
        );
      if (result === "harmful")
        page.warnings.push(
          `The page scrolls in '${scroller}', which can't be laid out in full height without changing other parts of the page. ` +
            "The capture shows it as the window does.",
        );
    }
    const frames = hasFrames ? await expandFrames(page) : undefined;
    if (frames?.areExpanded === false)
      page.warnings.push(
        "The page scrolls in a frame that can't be laid out in full height without changing other parts of the page. " +
          "The capture shows it as the window does.",
      );
    if (hasFrames || scrollers.some(({ result }) => result === "expanded"))
      await evaluateInIsolatedWorld(page, repaint);
    if (board) warnOfBoard(page, board);
    if (isSampled) warnOfSampling(page);
    return frames && { framing: frames.framing, ...(frames.window && { window: frames.window }) };
  },
});

const repaint: PageFunction<typeof repainting.repaint> = pageFunction("fullPage", "repaint", { waitsFor: "frames" });
