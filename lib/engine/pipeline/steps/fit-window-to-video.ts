// Fits the window to the size of a video that shows all of the window.
import { videoSize, type WantedSize } from "../../outputs/video/video-size.ts";
import { fitWindowToVideo } from "../../outputs/video/video-window.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface FitWindow {
  readonly size: WantedSize;
}

export const fitWindow: StepFactory<CaptureStep, FitWindow> = captureStep({
  name: "fit-window-to-video",
  phase: "capture",
  run: async (page, { size }) => {
    const fitted = videoSize(size, page.window, page.window.scale);
    await fitWindowToVideo(page, fitted);
    return { videoSize: fitted };
  },
});
