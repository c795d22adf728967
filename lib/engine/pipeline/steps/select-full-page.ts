// Selects the whole page as the area of the image, down to a maximum height.
import { wholePixels } from "../../geometry/area.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { measureLayout } from "../../page/viewport.ts";
import { sidesOfWindowInPage } from "../../page/window-sides.ts";
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
    if (page.visit) return undefined; // the picture is as tall as its windows together
    const { metrics, scale } = await measureLayout(page);
    const sides = await evaluateInIsolatedWorld(page, sidesOfWindowInPage);
    const { cssContentSize: content, cssLayoutViewport: view } = metrics;
    const width = sides.right ? Math.min(content.width, view.clientWidth) : content.width;
    const height = sides.bottom ? Math.min(content.height, view.clientHeight) : content.height;
    const cut = Math.min(height, maxHeight);
    if (cut < height) addProblem(page, "CUT_OFF", maxHeightFinding(height, cut, width));
    return { area: wholePixels({ x: 0, y: 0, width, height: cut }), scale };
  },
});
