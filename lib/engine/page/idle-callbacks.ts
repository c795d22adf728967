// Makes `requestIdleCallback` fire in begin-frame-control mode, where an unchanging page has no idle periods.

import { hardAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";

/** Starts once the document is parsed and lasts until `stopIdleCallbacks`. Runs in the background. */
export function startIdleCallbacks(capturing: CapturedPage): void {
  const { activity, budget, now, frameScheduler, isJavaScriptDisabled } = capturing;
  if (!frameScheduler || isJavaScriptDisabled) return;
  if (frameScheduler.virtualTime?.isExact) return; // `installDeterminism` has started them with the document
  const start = async () => {
    const isRead = await activity.happens(() => activity.document.parsed, hardAllowance(budget, now()));
    if (isRead) await evaluateInIsolatedWorld(capturing, "keepMoving");
  };
  start().catch(() => undefined); // the page is gone
}

/**
 * Stops them for a recording, where they would add work to each frame. Runs in the background: the page may be too busy
 * to respond.
 */
export function stopIdleCallbacks(capturing: CapturedPage): void {
  if (!capturing.isJavaScriptDisabled) evaluateInIsolatedWorld(capturing, "stopMoving").catch(() => undefined);
}
