// Idle moments for a page that is painted on demand: `requestIdleCallback` has none there while nothing moves.

import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { hardAllowance } from "../pipeline/budget.ts";
import type { CaptureState } from "../pipeline/capture-context.ts";

/** From when its document has been read, until `endIdleMoments`. Nobody waits for that. */
export function startIdleCallbacks(capturing: CaptureState): void {
  const { activity, budget, now, pump, withoutScripts } = capturing;
  if (!pump || withoutScripts) return;
  const begin = async () => {
    const isRead = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
    if (isRead) await evaluateInIsolatedWorld(capturing, "keepMoving");
  };
  begin().catch(() => undefined); // a page that has gone needs none
}

/** For a film: each of its frames would have one more thing to do. Nobody waits for that either: a page can be too busy. */
export function stopIdleCallbacks(capturing: CaptureState): void {
  if (!capturing.withoutScripts) evaluateInIsolatedWorld(capturing, "stopMoving").catch(() => undefined);
}
