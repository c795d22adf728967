// Grows the window until it holds the area that a video shows: frames show nothing outside the window.
import { resizeWindow } from "../../formats/video/video-window.ts";
import { measureViewport } from "../../page/viewport.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

export const growWindow: StepFactory<CaptureStep> = captureStep({
  name: "grow-window",
  run: async (page) => {
    const { area } = page;
    const viewport = await measureViewport(page);
    // A phone shows a wide page zoomed out: its viewport holds more CSS pixels of the page than its window is large.
    const width = Math.round(page.window.width * Math.max(1, area.width / viewport.area.width));
    const height = Math.round(page.window.height * Math.max(1, area.height / viewport.area.height));
    if (width === page.window.width && height === page.window.height) return;
    const window = { ...page.window, width, height };
    await resizeWindow(page, window);
    return { window };
  },
});
