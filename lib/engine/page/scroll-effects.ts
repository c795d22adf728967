// Waits for what a scroll of the page starts, such as reveals and parallax.

import { passTime } from "../rendering/page-time.ts";
import { MAX_MOVING_MS, MAX_REVEAL_MS, REACTION_MS, STILL_MS } from "../timing/scroll-waits.ts";
import type { CapturedPage } from "./captured-page.ts";
import { awaitRevealsInPage } from "./in-view.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";

/** Waits until a page that has just been scrolled stands still; at most 1.5 s of its time, or 1 s of real time. */
export async function awaitScrollEffects(page: CapturedPage): Promise<void> {
  const virtual = page.frameScheduler?.virtualTime;
  if (virtual) {
    const arrivedAt = virtual.now;
    await passTime(page, REACTION_MS);
    await virtual.passUntilStill(MAX_MOVING_MS, STILL_MS, arrivedAt);
  } else if (!page.isJavaScriptDisabled) {
    await evaluateInIsolatedWorld(page, awaitRevealsInPage, REACTION_MS, MAX_REVEAL_MS);
  }
}
