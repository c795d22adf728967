// Finishes animations: those of CSS at once, and those of scripts by a wait until the page stands still.

import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type * as animations from "../injected/animations.ts";
import type * as canvases from "../injected/canvases.ts";
import { passTime, startTimeout } from "../rendering/page-time.ts";
import { softAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";
import { readMovementInPage, type StillWait, untilStill } from "./stillness.ts";

/** Charts finish drawing within about a second. */
const CANVASES_TIMEOUT_MS = 2_000;

/**
 * Milliseconds of the page's time without a change after which a page stands still: one in which nothing can change it later,
 * and one whose scripts may have set a timer.
 */
const STILL_MS = 300;
const ACTIVE_STILL_MS = 1_500;

/** The longest wait for that. */
const MAX_CHANGING_MS = 5_000;

/** Three frames. */
const LOOK_MS = 50;

export interface AnimatedPage extends CapturedPage {
  /** A script of the caller can set a timer in a page that has no script of its own. */
  readonly options?: Pick<EngineOptions, "scripts">;
}

/**
 * Finishes CSS animations and transitions, and waits for what scripts animate, such as charts. Scroll-driven animations keep
 * the progress that they have in view if `areScrollDrivenHeld`.
 */
export async function finishAnimations(capturing: AnimatedPage, areScrollDrivenHeld: boolean): Promise<void> {
  const finish = () => evaluateInIsolatedWorld(capturing, finishAnimationsInPage, areScrollDrivenHeld);
  await finish();
  const virtual = capturing.frameScheduler?.virtualTime;
  if (!virtual) await waitForCanvases(capturing);
  // In real time, what the page has shown while it was scrolled would be hidden again meanwhile.
  if (!virtual && (areScrollDrivenHeld || capturing.isJavaScriptDisabled)) return;
  if (!capturing.frameScheduler && !(await areScriptsAnimating(capturing))) return;
  await waitForScripts(capturing);
  await finish(); // those that scripts have started meanwhile
}

/** Looks for three frames whether scripts request some, where Chromium paints by itself. Each page would pay for a longer wait. */
async function areScriptsAnimating(capturing: CapturedPage): Promise<boolean> {
  await evaluateInIsolatedWorld(capturing, readMovementInPage);
  await passTime(capturing, LOOK_MS);
  return (await evaluateInIsolatedWorld(capturing, readMovementInPage)).requestsFrames;
}

/**
 * Resolves when the page stands still: it shows no change and its scripts change nothing for 1.5 s, or for 300 ms where it has no
 * scripts; after 5 s at most.
 */
export async function waitForScripts(capturing: AnimatedPage): Promise<void> {
  const leftMs = startTimeout(capturing, softAllowance(capturing.budget, capturing.now(), MAX_CHANGING_MS));
  const { canChange } = await evaluateInIsolatedWorld(capturing, readMovementInPage);
  const hasScripts = canChange || capturing.options?.scripts !== undefined;
  const enoughMs = hasScripts ? ACTIVE_STILL_MS : STILL_MS;
  for (let waitMs = enoughMs; leftMs() > 0 && waitMs > 0; ) {
    const still = await passStillTime(capturing, { maxMs: leftMs(), stillMs: waitMs });
    const { stillMs } = still ?? (await evaluateInIsolatedWorld(capturing, readMovementInPage));
    waitMs = enoughMs - stillMs;
  }
}

/**
 * Lets time pass until the page has shown no change for `stillMs`. Resolves to for how long nothing has moved, where the page was
 * asked. In real time frames do not say whether it has changed.
 */
async function passStillTime(
  capturing: CapturedPage,
  { maxMs, stillMs }: Omit<StillWait, "since">,
): Promise<{ readonly stillMs: number } | undefined> {
  if (!capturing.frameScheduler?.virtualTime) {
    await passTime(capturing, Math.min(maxMs, stillMs));
    return undefined;
  }
  const still = await untilStill(capturing, { maxMs, stillMs });
  return still.stillMs === undefined ? undefined : { stillMs: still.stillMs };
}

async function waitForCanvases(capturing: CapturedPage): Promise<void> {
  await evaluateInIsolatedWorld(
    capturing,
    awaitCanvases,
    softAllowance(capturing.budget, capturing.now(), CANVASES_TIMEOUT_MS),
  );
}

/** Starts waiting early, in parallel with other waits, so that `waitForAnimations` has little left to wait for. */
export function watchCanvases(capturing: CapturedPage): void {
  if (capturing.frameScheduler?.virtualTime) return;
  waitForCanvases(capturing).catch(() => undefined); // `waitForAnimations` reports it
}

const awaitCanvases: PageFunction<typeof canvases.awaitCanvases> = pageFunction("core", "awaitCanvases", {
  waitsFor: "time",
});

export const finishAnimationsInPage: PageFunction<typeof animations.finishAnimations> = pageFunction(
  "core",
  "finishAnimations",
  { waitsFor: "time" },
);
