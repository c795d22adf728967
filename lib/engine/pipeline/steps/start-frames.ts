// Starts the frame scheduler: it paints the page by HeadlessExperimental.beginFrame.
import { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import type { PrepareStep } from "../step-definition.ts";

interface StartFrames {
  readonly framesPerSecond: number;
}

export const startFrames: PrepareStep<"start-frames", StartFrames> = {
  name: "start-frames",
  phase: "browser",
  run: async ({ session }, { framesPerSecond }) => ({
    frameScheduler: new FrameScheduler(session.cdp, framesPerSecond),
  }),
};
