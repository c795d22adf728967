// Locates the elements of the page where its picture shows them, to list them or to mark them in it.

import { type ElementsRequest, locatePageElements } from "../../formats/elements/page-elements.ts";
import { mapBox } from "../../full-page/map-boxes.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface LocateElements {
  readonly request: ElementsRequest;
  /** True when the picture is to be marked. */
  readonly isMarked: boolean;
  /** True when the metadata lists them. */
  readonly isListed: boolean;
}

export const locateElements: StepFactory<CaptureStep, LocateElements> = captureStep({
  name: "locate-elements",
  run: async (page, { request, isMarked, isListed }) => {
    const { pictureLayout: layout, area } = page;
    const inPicture = layout && {
      toPicture: (...box: BoxInPage) => mapBox(layout, ...box),
      height: area.height,
      paneFrame: page.visit?.frameId,
    };
    const { list, ...located } = await locatePageElements(page, request, { isMarked, inPicture });
    return { ...(isMarked && { located }), ...(isListed && { metadata: { ...page.metadata, elements: list } }) };
  },
});

type BoxInPage = Parameters<typeof mapBox> extends [unknown, ...infer Rest] ? Rest : never;
