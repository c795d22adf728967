// Finishes animations: those of CSS at once, and those of scripts by a wait, in virtual time until the page stands still, in
// real time until canvases do.

import { softAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";

/** Charts finish drawing within about a second. */
const CANVASES_TIMEOUT_MS = 2_000;

/** Virtual milliseconds: how long a page stands still before it counts as finished, and the longest wait for that. */
const STILL_MS = 300;
const MAX_CHANGING_MS = 3_000;

/**
 * Finishes CSS animations and transitions, and waits for what scripts animate, such as charts. Scroll-driven animations keep
 * the progress that they have in view if `areScrollDrivenHeld`.
 */
export async function finishAnimations(capturing: CapturedPage, areScrollDrivenHeld: boolean): Promise<void> {
  const finish = () => evaluateInIsolatedWorld(capturing, "finishAnimations", areScrollDrivenHeld);
  await finish();
  await waitForAnimations(capturing);
  if (capturing.frameScheduler?.virtualTime) await finish(); // those that scripts have started meanwhile
}

/**
 * Resolves when the page shows no change any more, or after 3 s of virtual time. In real time it waits for canvases alone, at
 * most 2 s, because each page would pay for the wait.
 */
async function waitForAnimations(capturing: CapturedPage): Promise<void> {
  const virtual = capturing.frameScheduler?.virtualTime;
  if (virtual) await virtual.passUntilStill(MAX_CHANGING_MS, STILL_MS);
  else await waitForCanvases(capturing);
}

async function waitForCanvases(capturing: CapturedPage): Promise<void> {
  await evaluateInIsolatedWorld(
    capturing,
    "awaitCanvases",
    softAllowance(capturing.budget, capturing.now(), CANVASES_TIMEOUT_MS),
  );
}

/** Starts waiting early, in parallel with other waits, so that `waitForAnimations` has little left to wait for. */
export function watchCanvases(capturing: CapturedPage): void {
  if (capturing.frameScheduler?.virtualTime) return;
  waitForCanvases(capturing).catch(() => undefined); // `waitForAnimations` reports it
}
