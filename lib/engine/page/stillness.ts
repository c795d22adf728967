// Waits until a page stands still. What moves forever, such as particles, tickers and videos, is not waited for.
import * as v from "valibot";
import type * as movement from "../injected/movement.ts";
import type * as timeDriven from "../injected/time-driven.ts";
import { exactStepMs } from "../rendering/frame-pace.ts";
import type { VirtualTime } from "../rendering/virtual-time.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

/** Virtual milliseconds for which frames differ from each other before the page is asked why, and between two such questions. */
const FIRST_LOOK_MS = 50;
const LOOK_MS = 100;

/** Between two questions to a page on which only endless movement is left, or movement that is about to be found endless. */
const ENDLESS_LOOK_MS = 500;

export interface StillWait {
  /** The longest wait, and how long the page has to stand still, in virtual milliseconds. */
  readonly maxMs: number;
  readonly stillMs: number;
  /** Time that has passed since then without a change counts. @default - now */
  readonly since?: number;
}

export interface Stillness {
  readonly isStill: boolean;
  /** Virtual milliseconds since something last moved that may come to rest; undefined where the page was not asked at the end. */
  readonly stillMs?: number;
}

/**
 * Lets virtual time pass until frames have shown no change for `stillMs`, or none but of what moves forever; for `maxMs` at most.
 */
export async function untilStill(page: CapturedPage, { maxMs, stillMs, since }: StillWait): Promise<Stillness> {
  const virtual = page.frameScheduler?.virtualTime;
  if (!virtual) throw new Error("Only a page in virtual time has frames that can be compared.");
  const until = virtual.now + maxMs;
  let [from, lookAfterMs, comparisons] = [since, FIRST_LOOK_MS, 0];
  for (;;) {
    const leftMs = until - virtual.now;
    const isStill = await virtual.passUntilStill(Math.min(leftMs, lookAfterMs), stillMs, from);
    if (isStill && !virtual.hasIgnoredChanges(stillMs)) return { isStill };
    if (!isStill && leftMs <= lookAfterMs) return { isStill };
    from = 0;
    if (!isStill && virtual.stillMs >= lookAfterMs && !virtual.hasIgnoredChanges(lookAfterMs)) continue;
    let movement = await evaluateInIsolatedWorld(page, readMovementInPage);
    if (movement.isUnknown && comparisons++ < MAX_COMPARISONS) {
      await compareFrames(page, virtual);
      movement = await evaluateInIsolatedWorld(page, readMovementInPage);
    }
    const { needsNoFrames } = movement;
    if (needsNoFrames) virtual.ignoreChanges(movement.stillMs);
    else virtual.countChanges();
    if ((isStill || movement.isEndless) && movement.stillMs >= stillMs)
      return { isStill: true, stillMs: movement.stillMs };
    if (virtual.isExact && needsNoFrames && virtual.isAlwaysChanging)
      virtual.exactStepMs = exactStepMs(movement.canvasShare);
    lookAfterMs = needsNoFrames ? ENDLESS_LOOK_MS : LOOK_MS;
  }
}

/** How often in one wait it is found out what follows the time. */
const MAX_COMPARISONS = 3;

/** Frames at the same time that are issued until one has run the callbacks of the page. */
const MAX_REPEATS = 5;

/** Finds what follows the time: it does not move in a frame for which no time has passed. */
async function compareFrames(page: CapturedPage, virtual: VirtualTime): Promise<void> {
  await evaluateInIsolatedWorld(page, compareStates);
  await virtual.passFrames(1);
  let isFound = await evaluateInIsolatedWorld(page, compareStates);
  for (let repeats = 0; !isFound && repeats < MAX_REPEATS; repeats++) {
    await virtual.repeatFrame();
    isFound = await evaluateInIsolatedWorld(page, compareStates);
  }
}

const compareStates: PageFunction<typeof timeDriven.compareStates> = pageFunction("movement", "compareStates", {
  result: v.boolean(),
});

export const readMovementInPage: PageFunction<typeof movement.readMovement> = pageFunction("movement", "readMovement", {
  waitsFor: "frames",
  result: v.object({
    stillMs: v.number(),
    isEndless: v.boolean(),
    needsNoFrames: v.boolean(),
    isUnknown: v.boolean(),
    canvasShare: v.number(),
    canChange: v.boolean(),
    requestsFrames: v.boolean(),
  }),
});
