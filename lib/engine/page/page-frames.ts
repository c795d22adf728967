// Frames that scroll in place of the page, as in a frameset or a wrapper page: they are scrolled through as the page is. Their
// documents can be of any origin, and frames can be in such frames.

import type * as frames from "../injected/page-frames.ts";
import { passTime } from "../rendering/page-time.ts";
import { MAX_MOVING_MS, MAX_REVEAL_MS, REACTION_MS, STILL_MS } from "../timing/scroll-waits.ts";
import type { CapturedPage } from "./captured-page.ts";
import { isContextLost } from "./context-lost.ts";
import { awaitRevealsInPage, isTimeRunning, recordInViewInPage, restoreInViewInPage } from "./in-view.ts";
import { callIsolatedForFrames, evaluateInFrame, type FramePage } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";
import { scrollByStepInPage, scrollExtentInPage, scrollToTopInPage } from "./scrolling.ts";
import { untilStill } from "./stillness.ts";

/** A frame that scrolls in place of the document around it. */
export interface PageFrame extends FramePage {
  /** Its number in the document around it, as page scripts count. */
  readonly number: number;
  /** The frame around it; undefined in the page itself. */
  readonly outer: PageFrame | undefined;
}

/** How many frames are followed in one document, and how many in each other. */
const MAX_FRAMES = 8;
const MAX_DEPTH = 4;

/** The frames that scroll in place of the page, or of another frame. */
export async function findPageFrames(page: CapturedPage, outer?: PageFrame): Promise<readonly PageFrame[]> {
  const { session, frameScheduler } = page;
  if (depthOf(outer) === MAX_DEPTH) return [];
  const ids = await whileThere(() => callIsolatedForFrames(session.cdp, pageFrames, outer?.frameId));
  const scheduler = frameScheduler && { frameScheduler };
  return (ids ?? [])
    .slice(0, MAX_FRAMES)
    .flatMap((frameId, number) => (frameId === undefined ? [] : { session, ...scheduler, frameId, number, outer }));
}

function depthOf(frame: PageFrame | undefined): number {
  return frame ? 1 + depthOf(frame.outer) : 0;
}

/** Does something in a frame. Resolves to undefined when its document goes away meanwhile. */
export async function whileThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isContextLost(error)) return undefined;
    throw error;
  }
}

/** Scrolls through each of the frames, and those in them, and back to their tops: until `leftMs` says that the time is up. */
export async function scrollThroughFrames(
  page: CapturedPage,
  { maxHeight, leftMs }: { readonly maxHeight: number; readonly leftMs: () => number },
  outer?: PageFrame,
): Promise<void> {
  for (const frame of await findPageFrames(page, outer)) {
    await whileThere(async () => {
      await recordFrame(page, frame);
      while (leftMs() > 0) {
        const step = await evaluateInFrame(frame, scrollByStepInPage, null);
        if (!step.moved) break;
        await recordFrame(page, frame);
        if (step.position >= maxHeight) break;
      }
      await evaluateInFrame(frame, scrollToTopInPage, 0);
    });
    await scrollThroughFrames(page, { maxHeight, leftMs }, frame);
  }
}

/** Records the styles of what is in view, once the frame stands still. */
async function recordFrame(page: CapturedPage, frame: PageFrame): Promise<void> {
  const virtual = page.frameScheduler?.virtualTime;
  if (virtual) {
    const arrivedAt = virtual.now;
    await passTime(page, REACTION_MS);
    await untilStill(page, { maxMs: MAX_MOVING_MS, stillMs: STILL_MS, since: arrivedAt });
  } else if (!page.isJavaScriptDisabled) await evaluateInFrame(frame, awaitRevealsInPage, REACTION_MS, MAX_REVEAL_MS);
  await evaluateInFrame(frame, recordInViewInPage);
}

/** Gives elements in the frames, and in those in them, the styles that they had in view. */
export async function restoreInFrames(page: CapturedPage, outer?: PageFrame): Promise<void> {
  for (const frame of await findPageFrames(page, outer)) {
    await whileThere(() => evaluateInFrame(frame, restoreInViewInPage, isTimeRunning(page)));
    await restoreInFrames(page, frame);
  }
}

/** The largest frame that scrolls in place of the page, or the one that scrolls in its place; undefined where none does. */
export async function findScrollingFrame(page: CapturedPage, outer?: PageFrame): Promise<PageFrame | undefined> {
  for (const frame of await findPageFrames(page, outer)) {
    const inner = (await findScrollingFrame(page, frame)) ?? frame;
    const extent = await whileThere(() => evaluateInFrame(inner, scrollExtentInPage));
    if (extent !== undefined && extent > 0) return inner;
  }
  return undefined;
}

const pageFrames: PageFunction<typeof frames.pageFrames> = pageFunction("fullPage", "pageFrames", {
  result: "elements",
});
