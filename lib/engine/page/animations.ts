// Finishes animations: those of CSS at once, and those of scripts by a wait until the page stands still.

import * as v from "valibot";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import type * as animations from "../injected/animations.ts";
import type * as canvases from "../injected/canvases.ts";
import type * as scriptChanges from "../injected/script-changes.ts";
import { passTime, startTimeout } from "../rendering/page-time.ts";
import { softAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

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
  await evaluateInIsolatedWorld(capturing, readScriptChanges);
  await passTime(capturing, LOOK_MS);
  return (await evaluateInIsolatedWorld(capturing, readScriptChanges)).requestsFrames;
}

/**
 * Resolves when the page stands still: it shows no change and its scripts change nothing for 1.5 s, or for 300 ms where it has no
 * scripts; after 5 s at most.
 */
async function waitForScripts(capturing: AnimatedPage): Promise<void> {
  const leftMs = startTimeout(capturing, softAllowance(capturing.budget, capturing.now(), MAX_CHANGING_MS));
  const hasCallersScripts = capturing.options?.scripts !== undefined;
  await evaluateInIsolatedWorld(capturing, readScriptChanges);
  let stillMs = 0;
  while (leftMs() > 0) {
    const isShownStill = await passStillTime(capturing, leftMs());
    const { hasMutated, canChange } = await evaluateInIsolatedWorld(capturing, readScriptChanges);
    stillMs = isShownStill && !hasMutated ? stillMs + STILL_MS : 0;
    if (stillMs >= (canChange || hasCallersScripts ? ACTIVE_STILL_MS : STILL_MS)) return;
  }
}

/** Lets 300 ms pass, or less when no more is left. Resolves to whether the page has shown no change meanwhile. */
async function passStillTime(capturing: CapturedPage, leftMs: number): Promise<boolean> {
  const virtual = capturing.frameScheduler?.virtualTime;
  if (!virtual) return passTime(capturing, Math.min(STILL_MS, leftMs)).then(() => true); // frames say nothing of changes
  return virtual.passUntilStill(Math.min(STILL_MS, leftMs), STILL_MS);
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

const readScriptChanges: PageFunction<typeof scriptChanges.readScriptChanges> = pageFunction(
  "core",
  "readScriptChanges",
  { result: v.object({ hasMutated: v.boolean(), canChange: v.boolean(), requestsFrames: v.boolean() }) },
);
