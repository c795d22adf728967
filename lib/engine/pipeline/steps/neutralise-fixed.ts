// Keeps fixed and sticky elements at their place on the page, so that a full-page image shows them once.
import { neutraliseFixedInPage, offsetFixedInPage, rememberFixedPositionsInPage } from "../../page/fixed-elements.ts";
import { keepHover } from "../../page/hover.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { warnOfSampling } from "../../page/layout-sampling.ts";
import { scrollToOffsetInPage } from "../../page/scrolling.ts";
import type { CapturingPage } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const neutraliseFixedElements: StepFactory<CaptureStep> = captureStep({
  name: "neutralise-fixed",
  run: async (page) => {
    if (page.pointer.hovered === undefined) return neutralise(page);
    // Fixed elements are placed relative to the top of the page, while the pointer may need another scroll position.
    await evaluateInIsolatedWorld(page, scrollToOffsetInPage, 0);
    await neutralise(page);
    await evaluateInIsolatedWorld(page, rememberFixedPositionsInPage);
    await keepHover(page, { mayScroll: true });
    await evaluateInIsolatedWorld(page, offsetFixedInPage);
  },
});

async function neutralise(page: CapturingPage): Promise<void> {
  const { refused, isSampled } = await evaluateInIsolatedWorld(page, neutraliseFixedInPage);
  for (const element of refused)
    page.warnings.push(
      `The fixed or sticky element '${element}' stays where the first window shows it: ` +
        "moving it to its place on the page would change other parts.",
    );
  if (isSampled) warnOfSampling(page);
}
