// Locates the elements of the page right before its picture is taken, to mark them in it.
import { type ElementsRequest, locatePageElements } from "../../outputs/elements/page-elements.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface LocateElements {
  readonly request: ElementsRequest;
  /** True when the metadata lists them, too. */
  readonly isListed: boolean;
}

export const locateElements: StepFactory<CaptureStep, LocateElements> = captureStep({
  name: "locate-elements",
  run: async (page, { request, isListed }) => {
    const { list, ...located } = await locatePageElements(page, request);
    return { located, ...(isListed && { metadata: { ...page.metadata, elements: list } }) };
  },
});
