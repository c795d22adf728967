// Frames that scroll in place of the page, as in a frameset or a wrapper page. Their documents can be of any origin, and frames can be in
// such frames.

import type * as frames from "../injected/page-frames.ts";
import type { CapturedPage } from "./captured-page.ts";
import { isContextLost } from "./context-lost.ts";
import { isTimeRunning, restoreInViewInPage } from "./in-view.ts";
import { callIsolatedForFrames, evaluateInFrame, type FramePage } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";
import { scrollExtentInPage } from "./scrolling.ts";

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
