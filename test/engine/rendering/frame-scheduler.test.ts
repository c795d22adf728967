// Frame scheduler: a frame that never ends, though nothing computes, is not waited for.
import type { CDPSession } from "puppeteer-core";
import { describe, expect, test } from "vitest";
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

describe.concurrent("frame scheduler: a frame is lost that does not end while the browser computes nothing, so that", () => {
  const losing = () => new FrameScheduler(sessionThatLosesAFrame(), 60, () => Promise.resolve(true));

  test("stopping fails", async () => {
    await expect(losing().stop()).rejects.toThrow(BeginFrameUnavailable);
  });

  test("work that waits for frames fails", async () => {
    await expect(losing().unthrottled(() => never)).rejects.toThrow("the browser has lost a frame");
  });
});
