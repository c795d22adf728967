// Waits until canvases, such as those of charts, stop changing.

import { awaitCanvases } from "../injected/still.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { softAllowance } from "../pipeline/budget.ts";
import type { CaptureState } from "../pipeline/capture-context.ts";

/** Charts finish drawing within about a second. */
const CANVASES_TIMEOUT_MS = 2_000;

/** Resolves when the page's canvases no longer change, or after 2 s. */
export async function waitForCanvases(capturing: CaptureState): Promise<void> {
  await evaluateInIsolatedWorld(
    capturing,
    awaitCanvases,
    softAllowance(capturing.budget, capturing.now(), CANVASES_TIMEOUT_MS),
  );
}

/** Starts waiting early, in parallel with other waits, so that `waitForCanvases` has little left to wait for. */
export function watchCanvases(capturing: CaptureState): void {
  waitForCanvases(capturing).catch(() => undefined); // `waitForCanvases` reports it
}
