// Waits for what a scroll of the page starts, such as reveals and parallax.

import { passTime } from "../rendering/page-time.ts";
import { MAX_MOVING_MS, MAX_REVEAL_MS, REACTION_MS, STILL_MS } from "../timing/scroll-waits.ts";
import type { CapturedPage } from "./captured-page.ts";
import { awaitRevealsInPage } from "./in-view.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { untilStill } from "./stillness.ts";

/**
 * Waits until a page that has just been scrolled stands still; at most 1.5 s of its time, or 1 s of real time. `onReaction` is called
 * when its scripts have had the time to answer the scroll. Returns false where it still moved at the end.
 */
export async function awaitScrollEffects(
  page: CapturedPage,
  onReaction: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  const virtual = page.frameScheduler?.virtualTime;
  if (virtual) {
    const arrivedAt = virtual.now;
    await passTime(page, REACTION_MS);
    await onReaction();
    return (await untilStill(page, { maxMs: MAX_MOVING_MS, stillMs: STILL_MS, since: arrivedAt })).isStill;
  }
  if (!page.isJavaScriptDisabled) await evaluateInIsolatedWorld(page, awaitRevealsInPage, REACTION_MS, MAX_REVEAL_MS);
  return true;
}
