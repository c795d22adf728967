// Finishes animations: those of CSS at once, and those of scripts by a wait until the page stands still.

import * as v from "valibot";
import type * as animations from "../injected/animations.ts";
import type * as canvases from "../injected/canvases.ts";
import type * as frames from "../injected/frames.ts";
import type * as scriptChanges from "../injected/script-changes.ts";
import { passTime, startTimeout } from "../rendering/page-time.ts";
import { softAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

/** Charts finish drawing within about a second. */
const CANVASES_TIMEOUT_MS = 2_000;

/**
 * Milliseconds of the page's time without a change after which a page stands still: where its scripts request no frame, and
 * where they always do.
 */
const STILL_MS = 300;
const ANIMATED_STILL_MS = 1_500;

/** The longest wait for that. */
const MAX_CHANGING_MS = 5_000;

/** Three frames. */
const LOOK_MS = 50;

/**
 * Finishes CSS animations and transitions, and waits for what scripts animate, such as charts. Scroll-driven animations keep
 * the progress that they have in view if `areScrollDrivenHeld`.
 */
export async function finishAnimations(capturing: CapturedPage, areScrollDrivenHeld: boolean): Promise<void> {
  const finish = () => evaluateInIsolatedWorld(capturing, finishAnimationsInPage, areScrollDrivenHeld);
  await finish();
  const virtual = capturing.frameScheduler?.virtualTime;
  if (!virtual) await waitForCanvases(capturing);
  // In real time, what the page has shown while it was scrolled would be hidden again meanwhile.
  const hasWaited = virtual || (!areScrollDrivenHeld && (await areScriptsAnimating(capturing)));
  if (!hasWaited) return;
  await waitForScripts(capturing);
  await finish(); // those that scripts have started meanwhile
}

/** Looks for three frames, in real time, whether scripts request some. Each page would pay for a longer wait. */
async function areScriptsAnimating(capturing: CapturedPage): Promise<boolean> {
  if (capturing.isJavaScriptDisabled) return false;
  await readScriptChanges(capturing);
  await passTime(capturing, LOOK_MS);
  return (await readScriptChanges(capturing)).requestsFrames;
}

/**
 * Resolves when the page stands still: it shows no change and its scripts change nothing for 300 ms and request no frame, or
 * for 1.5 s where they always request one; after 5 s at most.
 */
async function waitForScripts(capturing: CapturedPage): Promise<void> {
  const virtual = capturing.frameScheduler?.virtualTime;
  const leftMs = startTimeout(capturing, softAllowance(capturing.budget, capturing.now(), MAX_CHANGING_MS));
  if (virtual?.isExact) await evaluateInIsolatedWorld(capturing, keepMoving); // counts the frames that each document requests
  await readScriptChanges(capturing);
  let stillMs = 0;
  while (leftMs() > 0) {
    const isShownStill = await passStillTime(capturing, leftMs());
    const { hasMutated, requestsFrames } = await readScriptChanges(capturing);
    stillMs = isShownStill && !hasMutated ? stillMs + STILL_MS : 0;
    if (stillMs >= (requestsFrames ? ANIMATED_STILL_MS : STILL_MS)) return;
  }
}

/** Lets 300 ms pass, or less when no more is left. Resolves to whether the page has shown no change meanwhile. */
async function passStillTime(capturing: CapturedPage, leftMs: number): Promise<boolean> {
  const virtual = capturing.frameScheduler?.virtualTime;
  if (!virtual) return passTime(capturing, Math.min(STILL_MS, leftMs)).then(() => true); // frames say nothing of changes
  return virtual.passUntilStill(Math.min(STILL_MS, leftMs), STILL_MS);
}

function readScriptChanges(capturing: CapturedPage) {
  const isExact = capturing.frameScheduler?.virtualTime?.isExact ?? false;
  return evaluateInIsolatedWorld(capturing, readScriptChangesInPage, isExact);
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

const keepMoving: PageFunction<typeof frames.keepMoving> = pageFunction("core", "keepMoving");

const readScriptChangesInPage: PageFunction<typeof scriptChanges.readScriptChanges> = pageFunction(
  "core",
  "readScriptChanges",
  { result: v.object({ hasMutated: v.boolean(), requestsFrames: v.boolean() }) },
);
