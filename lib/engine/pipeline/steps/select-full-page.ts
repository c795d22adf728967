// Selects the whole page as the area of the image, down to a maximum height.
import * as v from "valibot";
import { wholePixels } from "../../geometry/area.ts";
import type * as wholePage from "../../injected/whole-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { measureLayout } from "../../page/viewport.ts";
import { addProblem } from "../../problems/problem-record.ts";
import { maxHeightFinding } from "../../problems/rules/cut-off.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface SelectFullPage {
  /** In CSS pixels. */
  readonly maxHeight: number;
}

export const selectFullPage: StepFactory<CaptureStep, SelectFullPage> = captureStep({
  name: "select-full-page",
  run: async (page, { maxHeight }) => {
    const { metrics, scale } = await measureLayout(page);
    const sides = await evaluateInIsolatedWorld(page, sidesOfWindow);
    const { cssContentSize: content, cssLayoutViewport: view } = metrics;
    const width = sides.right ? Math.min(content.width, view.clientWidth) : content.width;
    const height = sides.bottom ? Math.min(content.height, view.clientHeight) : content.height;
    const cut = Math.min(height, maxHeight);
    if (cut < height) addProblem(page, "CUT_OFF", maxHeightFinding(height, cut, width));
    return { area: wholePixels({ x: 0, y: 0, width, height: cut }), scale };
  },
});

const sidesOfWindow: PageFunction<typeof wholePage.sidesOfWindow> = pageFunction("fullPage", "sidesOfWindow", {
  result: v.object({ right: v.boolean(), bottom: v.boolean() }),
});
