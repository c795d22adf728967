// A film that goes through the page: where it is scrolled to before each frame, also when the page grows on the way.

import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import type { CaptureState } from "../../pipeline/capture-context.ts";
import { frameCount, frameTime, type RecordingSettings } from "./frames.ts";
import { type Scrolling, scrollScenario } from "./scroll-scenario.ts";

/** Returns what scrolls the page to where it is `ms` milliseconds after the first frame. */
export async function createScrollScenario(
  capturing: CaptureState,
  scrolling: Scrolling,
  filming: Pick<RecordingSettings, "seconds" | "fps">,
): Promise<(ms: number) => Promise<void>> {
  const lastFrameMs = frameTime(frameCount(filming) - 1, filming.fps) / 1000;
  const extent = () => evaluateInIsolatedWorld(capturing, "scrollExtent");
  let end = await extent();
  let scenario = scrollScenario(scrolling, { end, lastFrameMs });
  let [begunMs, top, isComingBack] = [0, 0, false];
  return async (ms) => {
    const before = top;
    top = scenario(ms - begunMs);
    isComingBack ||= top < before;
    if (top === before && ms > 0 && !isComingBack) {
      const now = await extent();
      // What is loaded on the way makes a page longer. The rest of the way is planned anew where it stands still.
      if (now > end) {
        end = now;
        begunMs = ms;
        scenario = scrollScenario(
          { ...scrolling, startDelayMs: 0 },
          { start: top, end, lastFrameMs: lastFrameMs - ms },
        );
      }
    }
    await evaluateInIsolatedWorld(capturing, "scrollRecordingTo", top);
  };
}
