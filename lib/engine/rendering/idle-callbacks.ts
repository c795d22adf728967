// Makes `requestIdleCallback` fire in begin-frame-control mode, where an unchanging page has no idle periods.

import type { CapturedPage } from "../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { hardAllowance } from "../timing/budget.ts";

/** Starts once the document is parsed and lasts until `stopIdleCallbacks`. Runs in the background. */
export function startIdleCallbacks(capturing: CapturedPage): void {
  const { activity, budget, now, frameScheduler, isJavaScriptDisabled } = capturing;
  if (!frameScheduler || isJavaScriptDisabled) return;
  const start = async () => {
    const isRead = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
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
