// Starts the frame scheduler: it paints the page by HeadlessExperimental.beginFrame.
import { IdleMonitor } from "../../browser/process-idle.ts";
import { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import type { PrepareStep } from "../step-definition.ts";

/** Longest wait for a moment in which the browser computes nothing. */
const MAX_IDLE_CHECK_MS = 200;

interface StartFrames {
  readonly framesPerSecond: number;
  /** True for a page whose clock may be taken over once it has loaded. */
  readonly settlesInVirtualTime: boolean;
}

export const startFrames: PrepareStep<"start-frames", StartFrames> = {
  name: "start-frames",
  phase: "browser",
  run: async ({ session }, { framesPerSecond, settlesInVirtualTime }) => {
    const monitor = new IdleMonitor(session.browser.process()?.pid ?? 0);
    const isIdle = async () => (await monitor.untilIdle(MAX_IDLE_CHECK_MS)) !== undefined;
    return { settlesInVirtualTime, frameScheduler: new FrameScheduler(session.cdp, framesPerSecond, isIdle) };
  },
};
