// Frame scheduler: the time of each frame, and a frame that never ends, though nothing computes, which is not waited for.
import type { CDPSession } from "puppeteer-core";
import { expect, test } from "vitest";
import { BeginFrames, BeginFrameUnavailable, type StallLimits } from "../../../lib/engine/rendering/begin-frame.ts";
import { FrameScheduler } from "../../../lib/engine/rendering/frame-scheduler.ts";
import { captureWith } from "../../support/chromium.ts";

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

/** Right after the window has been resized, a frame has no image, so that the image takes more than one. */
test("frame scheduler: each frame of a full page has a later time than the one before", async () => {
  const times: number[] = [];
  let browsers = 0;
  const recordFrameTimes = ({ cdp }: { readonly cdp: CDPSession }) => {
    browsers++;
    const send = cdp.send.bind(cdp);
    cdp.send = ((method, parameters, ...rest) => {
      const { frameTimeTicks } = (parameters ?? {}) as { frameTimeTicks?: number };
      if (method === "HeadlessExperimental.beginFrame" && frameTimeTicks !== undefined) times.push(frameTimeTicks);
      return send(method, parameters, ...rest);
    }) as typeof send;
  };
  const html = "<body style='margin:0;height:3000px;background:linear-gradient(red,blue)'>Tall";
  await captureWith({ html, full_page: true }, { launched: recordFrameTimes });
  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
  expect(browsers).toBe(1);
});
