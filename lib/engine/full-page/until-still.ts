// Waits until a window stands still: for what its scrolling has started, images near it, finite animations and changing texts.
import { finishAnimationsInPage } from "../page/animations.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { readinessInPage } from "../page/load-conditions.ts";
import { awaitScrollEffects } from "../page/scroll-effects.ts";
import { passTime } from "../rendering/page-time.ts";
import { softAllowance } from "../timing/budget.ts";
import { REACTION_MS } from "../timing/scroll-waits.ts";
import { endMotions, findPending } from "./page-functions.ts";
import type { PaneDocuments } from "./pane-documents.ts";
import type { VisitOptions } from "./visit-options.ts";
import type { VisitTime } from "./visit-time.ts";

/** The longest waits in a window for what scripts change, for animations that run or wait for their delay, and for images; in milliseconds. */
const MAX_PENDING_MS = 5_000;
const MAX_ANIMATION_MS = 1_500;
const MAX_IMAGES_MS = 500;
const MAX_ANSWER_MS = 400;

export interface Waits extends Pick<VisitOptions, "delayMs" | "finishesAnimations"> {
  readonly time: VisitTime;
}

export async function waitUntilStill(
  page: CapturedPage,
  documents: PaneDocuments,
  { delayMs, finishesAnimations, time }: Waits,
): Promise<void> {
  /** A transition that takes a second of the page's time takes one of ours, too, since each of its frames is painted. */
  const finishAnimations = async () => {
    if (finishesAnimations) await documents.call(finishAnimationsInPage, false);
  };
  await finishAnimations();
  if (time.isForWaitsUsedUp) return;
  const { requestsStarted } = page.activity;
  if (page.frameScheduler?.virtualTime) await awaitRest(page, documents, finishAnimations);
  else if (!page.isJavaScriptDisabled) await awaitReaction(page, requestsStarted);
  await passTime(page, delayMs ?? 0);
  const imagesMs = softAllowance(page.budget, page.now(), MAX_IMAGES_MS);
  await evaluateInIsolatedWorld(page, readinessInPage, imagesMs);
  for (let waitedMs = 0; waitedMs < MAX_PENDING_MS && !time.isForWaitsUsedUp; ) {
    await finishAnimations();
    const pending = await documents.call(findPending);
    const pendingMs = Math.max(...pending.flatMap(({ animationMs, scriptMs }) => [animationMs, scriptMs]));
    if (pendingMs === 0) return;
    const waitMs = Math.min(pendingMs + 20, MAX_ANIMATION_MS);
    await passTime(page, waitMs);
    waitedMs += waitMs;
  }
}

/** Smooth scrolling may take longer than most effects to come to rest. */
async function awaitRest(
  page: CapturedPage,
  documents: PaneDocuments,
  finishAnimations: () => Promise<void>,
): Promise<void> {
  const isStill = (await awaitScrollEffects(page, finishAnimations)) || (await awaitScrollEffects(page));
  if (isStill) await documents.call(endMotions);
}

/** In real time, frames do not say whether a page stands still: its scripts get the time to answer the scroll, and what they request is awaited. */
async function awaitReaction(page: CapturedPage, requestsStarted: number): Promise<void> {
  await passTime(page, REACTION_MS);
  await page.activity.untilAnswered(requestsStarted, MAX_ANSWER_MS);
}
