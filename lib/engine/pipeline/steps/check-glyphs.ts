// Warns of characters that no font has a glyph for.
import { warnOfMissingGlyphs } from "../../page/missing-glyphs.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface CheckGlyphs {
  /** True when all of the page is captured, not only the selected area. */
  readonly isWhole: boolean;
}

export const checkGlyphs: StepFactory<CaptureStep, CheckGlyphs> = captureStep({
  name: "check-glyphs",
  phase: "capture",
  run: (page, { isWhole }) => warnOfMissingGlyphs(page, isWhole),
});
