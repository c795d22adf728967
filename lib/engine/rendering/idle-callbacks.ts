// Idle moments for a page that is painted on demand: `requestIdleCallback` has none there while nothing moves.

import { keepMoving, stopMoving } from "../injected/loading.ts";
import { ask } from "../page/isolated-world.ts";
import { hardAllowance } from "../pipeline/budget.ts";
import type { Capturing } from "../pipeline/capture-context.ts";

/** From when its document has been read, until `endIdleMoments`. Nobody waits for that. */
export function giveIdleMoments(capturing: Capturing): void {
  const { activity, budget, now, pump, withoutScripts } = capturing;
  if (!pump || withoutScripts) return;
  const begin = async () => {
    const isRead = await activity.until(() => activity.document.parsed, hardAllowance(budget, now()));
    if (isRead) await ask(capturing, keepMoving);
  };
  begin().catch(() => undefined); // a page that has gone needs none
}

/** For a film: each of its frames would have one more thing to do. Nobody waits for that either: a page can be too busy. */
export function endIdleMoments(capturing: Capturing): void {
  if (!capturing.withoutScripts) ask(capturing, stopMoving).catch(() => undefined);
}
