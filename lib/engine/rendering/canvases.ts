// Canvases on which charts draw themselves: watched while other things are waited for, and waited for in the end.

import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { softAllowance } from "../pipeline/budget.ts";
import type { CaptureState } from "../pipeline/capture-context.ts";

/** Charts draw themselves within about a second. */
const CANVASES_MS = 2_000;

/** Resolves when the canvases of the page no longer change, or at the end of their time. */
export async function waitForCanvases(capturing: CaptureState): Promise<void> {
  await evaluateInIsolatedWorld(
    capturing,
    "awaitCanvases",
    softAllowance(capturing.budget, capturing.now(), CANVASES_MS),
  );
}

/** Begins to wait now, so that there may be nothing left to wait for later. */
export function watchCanvases(capturing: CaptureState): void {
  waitForCanvases(capturing).catch(() => undefined); // whoever waits for them is told
}
