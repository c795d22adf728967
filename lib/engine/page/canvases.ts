// Waits until canvases, such as those of charts, stop changing.

import { softAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";

/** Charts finish drawing within about a second. */
const CANVASES_TIMEOUT_MS = 2_000;

/** Resolves when the page's canvases no longer change, or after 2 s. */
export async function waitForCanvases(capturing: CapturedPage): Promise<void> {
  await evaluateInIsolatedWorld(
    capturing,
    "awaitCanvases",
    softAllowance(capturing.budget, capturing.now(), CANVASES_TIMEOUT_MS),
  );
}

/** Starts waiting early, in parallel with other waits, so that `waitForCanvases` has little left to wait for. */
export function watchCanvases(capturing: CapturedPage): void {
  waitForCanvases(capturing).catch(() => undefined); // `waitForCanvases` reports it
}
