// Judges the page as it is captured, and adds what is wrong with it to the problems of the capture.

import { judgePage } from "../../problems/judge-page.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface JudgePage {
  /** True when all of the page is captured, not only the selected area. */
  readonly isWhole: boolean;
  /** The frame of a video that the page shows; undefined for other results. */
  readonly frame?: "first" | "last";
}

export const judgePageStep: StepFactory<CaptureStep, JudgePage> = captureStep({
  name: "judge-page",
  run: async (page, { isWhole, frame }) => {
    const observed = await judgePage(page, { isWhole, ...(frame && { frame }) });
    return observed && { observed };
  },
});
