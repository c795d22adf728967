// Frame scheduler: a frame that never ends, though nothing computes, is not waited for.
import type { CDPSession } from "puppeteer-core";
import { expect, test } from "vitest";
import { BeginFrameUnavailable } from "../../../lib/engine/rendering/begin-frame.ts";
import { FrameScheduler } from "../../../lib/engine/rendering/frame-scheduler.ts";

const never = new Promise<never>(() => undefined);

/** A session whose second frame never ends. */
function sessionThatLosesAFrame(): CDPSession {
  let frames = 0;
  const send = (method: string) =>
    method === "HeadlessExperimental.beginFrame" && ++frames > 1 ? never : Promise.resolve({ hasDamage: true });
  return { send } as unknown as CDPSession;
}

test("frame scheduler: a frame is lost that does not end while the browser computes nothing, and what waits for it fails", async () => {
  const scheduler = new FrameScheduler(sessionThatLosesAFrame(), 60, () => Promise.resolve(true));
  await expect(scheduler.unthrottled(() => never)).rejects.toThrow("the browser has lost a frame");
  await expect(scheduler.stop()).rejects.toThrow(BeginFrameUnavailable);
});
