// Scrolls the page during a recording, including pages that grow meanwhile.

import type * as recording from "../../injected/recording.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInFrameOrPage } from "../../page/isolated-world.ts";
import { findScrollingFrame } from "../../page/page-frames.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { scrollExtentInPage } from "../../page/scrolling.ts";
import { frameCount, frameTime, type RecordingSettings } from "./record-frames.ts";
import { type Scrolling, scrollScenario } from "./scroll-scenario.ts";

/** Returns the function that scrolls the page to its offset `ms` milliseconds after the first frame. */
export async function createScrollScenario(
  capturing: CapturedPage,
  scrolling: Scrolling,
  recording: Pick<RecordingSettings, "seconds" | "fps">,
): Promise<(ms: number) => Promise<void>> {
  const lastFrameMs = frameTime(frameCount(recording) - 1, recording.fps) / 1000;
  const frame = await findScrollingFrame(capturing);
  const extent = () => evaluateInFrameOrPage(capturing, frame, scrollExtentInPage);
  let end = await extent();
  let scenario = scrollScenario(scrolling, { end, lastFrameMs });
  let [plannedAtMs, top, isScrollingBack] = [0, 0, false];
  return async (ms) => {
    const before = top;
    top = scenario(ms - plannedAtMs);
    isScrollingBack ||= top < before;
    if (top === before && ms > 0 && !isScrollingBack) {
      const now = await extent();
      // Lazy loading makes a page longer. Plans the rest of the way again during a pause.
      if (now > end) {
        end = now;
        plannedAtMs = ms;
        scenario = scrollScenario(
          { ...scrolling, startDelayMs: 0 },
          { start: top, end, lastFrameMs: lastFrameMs - ms },
        );
      }
    }
    await evaluateInFrameOrPage(capturing, frame, scrollRecordingToInPage, top);
  };
}

export const scrollRecordingToInPage: PageFunction<typeof recording.scrollRecordingTo> = pageFunction(
  "layout",
  "scrollRecordingTo",
);
