// Frame scheduler: a frame that never ends, though nothing computes, is not waited for.
import type { CDPSession } from "puppeteer-core";
import { expect, test } from "vitest";
import { BeginFrames, BeginFrameUnavailable, type StallLimits } from "../../../lib/engine/rendering/begin-frame.ts";
import { FrameScheduler } from "../../../lib/engine/rendering/frame-scheduler.ts";

const LIMITS: StallLimits = { lateMs: 1, pauseMs: 1, looks: 2, attempts: 1, endedMs: 20 };

const never = new Promise<never>(() => undefined);

/** A session whose second frame never ends. */
function sessionThatLosesAFrame(): CDPSession {
  let frames = 0;
  const send = (method: string) =>
    method === "HeadlessExperimental.beginFrame" && ++frames > 1 ? never : Promise.resolve({ hasDamage: true });
  return { send } as unknown as CDPSession;
}

test("frame scheduler: a frame is lost that does not end while the browser computes nothing, and what waits for it fails", async () => {
  const session = sessionThatLosesAFrame();
  const scheduler = new FrameScheduler(session, 60, new BeginFrames(session, async () => true, LIMITS));
  await expect(scheduler.unthrottled(() => never)).rejects.toThrow("the browser has lost a frame");
  await expect(scheduler.stop()).rejects.toThrow(BeginFrameUnavailable);
});
