// Starts the frame scheduler: it paints the page by HeadlessExperimental.beginFrame.
import { idleCheck } from "../../browser/process-idle.ts";
import { BeginFrames } from "../../rendering/begin-frame.ts";
import { commitEveryFrame } from "../../rendering/frame-commits.ts";
import { FrameScheduler } from "../../rendering/frame-scheduler.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface StartFrames {
  readonly framesPerSecond: number;
  /** True for a page whose clock may be taken over once it has loaded. */
  readonly settlesInVirtualTime: boolean;
}

export const startFrames: StepFactory<PrepareStep, StartFrames> = prepareStep({
  name: "start-frames",
  run: async ({ session }, { framesPerSecond, settlesInVirtualTime }) => {
    const { cdp } = session;
    await commitEveryFrame(cdp);
    const frames = new BeginFrames(cdp, idleCheck(session.browser));
    return { settlesInVirtualTime, frameScheduler: new FrameScheduler(cdp, framesPerSecond, frames) };
  },
});
