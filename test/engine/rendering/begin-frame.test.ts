// BeginFrames: a frame that hangs is ended, and one that takes long is waited for.
import type { CDPSession } from "puppeteer-core";
import { expect, test } from "vitest";
import {
  BeginFrames,
  BeginFrameUnavailable,
  type Frame,
  type StallLimits,
} from "../../../lib/engine/rendering/begin-frame.ts";

const LIMITS: StallLimits = { lateMs: 1, pauseMs: 1, looks: 2, attempts: 2, endedMs: 20 };
const ended: Frame = { hasDamage: true };

interface FakeSession {
  readonly session: CDPSession;
  /** The states in which the window was shown. */
  readonly states: string[];
  /** Ends the frame. */
  end(): void;
}

/** A session whose frames end when `end` is called, and when the window is hidden unless `isLost`. */
function sessionThatHangs({ isLost = false } = {}): FakeSession {
  const states: string[] = [];
  const frame = Promise.withResolvers<Frame>();
  const send = async (method: string, parameters?: { bounds?: { windowState: string } }) => {
    if (method === "HeadlessExperimental.beginFrame") return frame.promise;
    const state = parameters?.bounds?.windowState;
    if (state) states.push(state);
    if (state === "minimized" && !isLost) frame.resolve(ended);
    return { windowId: 1 };
  };
  return { session: { send } as unknown as CDPSession, states, end: () => frame.resolve(ended) };
}

test("begin frame: a frame that hangs although nothing computes is ended by a window that is hidden for a moment", async () => {
  const { session, states } = sessionThatHangs();
  await expect(new BeginFrames(session, async () => true, LIMITS).issue({})).resolves.toEqual(ended);
  await expect.poll(() => states).toEqual(["minimized", "normal"]);
});

test("begin frame: a frame takes as long as the browser computes", async () => {
  const { session, states, end } = sessionThatHangs();
  let looks = 0;
  const isIdle = async () => {
    if (++looks === 5) end();
    return false;
  };
  await expect(new BeginFrames(session, isIdle, LIMITS).issue({})).resolves.toEqual(ended);
  expect(states).toEqual([]);
});

test("begin frame: a browser that computes between two looks is not taken for idle", async () => {
  const { session, states, end } = sessionThatHangs();
  let looks = 0;
  const isIdle = async () => {
    if (++looks === 6) end();
    return looks % 2 === 0;
  };
  await new BeginFrames(session, isIdle, LIMITS).issue({});
  expect(states).toEqual([]);
});

test("begin frame: a frame that cannot be ended is lost", async () => {
  const { session } = sessionThatHangs({ isLost: true });
  const frame = new BeginFrames(session, async () => true, { ...LIMITS, attempts: 1 }).issue({});
  await expect(frame).rejects.toThrow(BeginFrameUnavailable);
});
