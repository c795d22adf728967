// Starts the frame scheduler: it paints the page by HeadlessExperimental.beginFrame.
import { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import type { PrepareStep } from "../step-definition.ts";

interface StartFrames {
  readonly framesPerSecond: number;
  /** True for a page whose clock may be taken over once it has loaded. */
  readonly settlesInVirtualTime: boolean;
}

export const startFrames: PrepareStep<"start-frames", StartFrames> = {
  name: "start-frames",
  phase: "browser",
  run: async ({ session }, { framesPerSecond, settlesInVirtualTime }) => ({
    settlesInVirtualTime,
    frameScheduler: new FrameScheduler(session.cdp, framesPerSecond),
  }),
};
