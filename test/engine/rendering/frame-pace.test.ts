// The pace of frames in virtual time.
import { expect, test } from "vitest";
import { exactStepMs, FramePace } from "../../../lib/engine/rendering/frame-pace.ts";

const FRAME_MS = 1000 / 60;

test("frame pace: expensive frames double the step up to a quarter of a second, and cheap ones take it back", () => {
  const pace = new FramePace();
  const stepsAfter = (...frames: number[]) =>
    frames.map((ms) => {
      pace.record(ms);
      return Math.round(pace.stepMs);
    });
  expect(pace.stepMs).toBe(FRAME_MS);
  expect(stepsAfter(5, 40)).toEqual([17, 17]);
  expect(stepsAfter(41, 150, 150, 150, 150)).toEqual([33, 67, 133, 250, 250]);
  expect(stepsAfter(5, 5, 5, 5, 5)).toEqual([125, 63, 31, 17, 17]);
});

test.each([
  [0, 96],
  [0.1, 96],
  [0.3, 128],
  [1, 256],
])("frame pace: with exact time, a canvas that takes %d of the window makes a step of %d ms", (share, stepMs) => {
  expect(exactStepMs(share)).toBe(stepMs);
});
