// Idle moments for a page that is painted on demand: `requestIdleCallback` has none there while nothing moves.

import { keepMoving, stopMoving } from "../injected/loading.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { hardAllowance } from "../timing/budget.ts";

/** From when its document has been read, until `endIdleMoments`. Nobody waits for that. */
export function startIdleCallbacks(capturing: CapturedPage): void {
  const { activity, budget, now, pump, withoutScripts } = capturing;
  if (!pump || withoutScripts) return;
  const begin = async () => {
    const isRead = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
    if (isRead) await evaluateInIsolatedWorld(capturing, keepMoving);
  };
  begin().catch(() => undefined); // a page that has gone needs none
}

/** For a film: each of its frames would have one more thing to do. Nobody waits for that either: a page can be too busy. */
export function stopIdleCallbacks(capturing: CapturedPage): void {
  if (!capturing.withoutScripts) evaluateInIsolatedWorld(capturing, stopMoving).catch(() => undefined);
}
