// Frames that scroll in place of the page, as in a frameset or a wrapper page: they are scrolled through and laid out in full height
// as the page is. Their documents can be of any origin, and frames can be in such frames.

import type { FrameHeights } from "../injected/page-frames.ts";
import { resizeWindow } from "../outputs/video/video-window.ts";
import { passTime } from "../rendering/page-time.ts";
import { MAX_MOVING_MS, MAX_REVEAL_MS, REACTION_MS, STILL_MS } from "../timing/scroll-waits.ts";
import type { CapturedPage, PageWindow } from "./captured-page.ts";
import { isContextLost } from "./context-lost.ts";
import {
  callIsolatedForFrames,
  evaluateInFrame,
  evaluateInFrameOrPage,
  evaluateInIsolatedWorld,
  type FramePage,
} from "./isolated-world.ts";

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
  const ids = await whileThere(() => callIsolatedForFrames(session.cdp, "pageFrames", outer?.frameId));
  const scheduler = frameScheduler && { frameScheduler };
  return (ids ?? []).slice(0, MAX_FRAMES).map((frameId, number) => ({ session, ...scheduler, frameId, number, outer }));
}

function depthOf(frame: PageFrame | undefined): number {
  return frame ? 1 + depthOf(frame.outer) : 0;
}

/** Does something in a frame. Resolves to undefined when its document goes away meanwhile. */
async function whileThere<T>(work: () => Promise<T>): Promise<T | undefined> {
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
        const step = await evaluateInFrame(frame, "scrollByStep", null);
        if (!step.moved) break;
        await recordFrame(page, frame);
        if (step.position >= maxHeight) break;
      }
      await evaluateInFrame(frame, "scrollToTop", 0);
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
    await virtual.passUntilStill(MAX_MOVING_MS, STILL_MS, arrivedAt);
  } else if (!page.isJavaScriptDisabled) await evaluateInFrame(frame, "awaitReveals", REACTION_MS, MAX_REVEAL_MS);
  await evaluateInFrame(frame, "recordInView");
}

/** What became of the frames that scroll in place of a page. */
export interface FrameExpansion {
  /** True when all of them show all of their documents. */
  readonly areExpanded: boolean;
  /** The window, if it had to grow for that. */
  readonly window?: PageWindow;
}

/**
 * Lays the frames, and those in them, out as tall as their documents, where that changes nothing in these nor around the frame.
 * The frames of a frameset grow with the window of the page.
 */
export async function expandFrames(page: CapturedPage, outer?: PageFrame): Promise<FrameExpansion> {
  const frames = await findPageFrames(page, outer);
  const inner = await Promise.all(frames.map((frame) => whileThere(() => expandInside(page, frame))));
  const areInnerExpanded = inner.every((isExpanded) => isExpanded === true);
  if (await evaluateInFrameOrPage(page, outer, "isFrameset")) {
    const window = outer ? undefined : await growFrameset(page, frames);
    return { areExpanded: areInnerExpanded && window !== undefined, ...(window && { window }) };
  }
  let areExpanded = areInnerExpanded;
  for (const frame of frames) areExpanded = (await whileThere(() => growFrame(page, frame))) === true && areExpanded;
  return { areExpanded };
}

/** Expands what scrolls in the document of a frame. */
async function expandInside(page: CapturedPage, frame: PageFrame): Promise<boolean> {
  await evaluateInFrame(frame, "renderEverything");
  const { scrollers, hasFrames } = await evaluateInFrame(frame, "expandScrollers");
  const areFramesExpanded = !hasFrames || (await expandFrames(page, frame)).areExpanded;
  return areFramesExpanded && scrollers.every(({ result }) => result === "expanded");
}

/** A document that grows with its frame is fitted this often. */
const MAX_FITS = 4;

/** Makes a frame as tall as its document. Returns false where it shows no more than before. */
async function growFrame(page: CapturedPage, frame: PageFrame): Promise<boolean> {
  let { content, view } = await evaluateInFrame(frame, "measureFrame");
  for (let fit = 0; content > view + 1 && fit < MAX_FITS; fit++) {
    if (!(await evaluateInFrameOrPage(page, frame.outer, "growFrame", frame.number, content))) return false;
    await evaluateInFrame(frame, "nextFrame");
    const grown = await evaluateInFrame(frame, "checkFrame");
    if (grown.isHarmed) {
      await evaluateInFrameOrPage(page, frame.outer, "shrinkFrame", frame.number);
      return false;
    }
    ({ content, view } = grown);
  }
  return true;
}

/** How tall the window of a frameset becomes, in CSS pixels: as tall as a full page by default. */
const MAX_WINDOW_HEIGHT = 20_000;

/** Makes the window as tall as the frames of a frameset need. Returns undefined, with the window as it was, where that harms one. */
async function growFrameset(page: CapturedPage, frames: readonly PageFrame[]): Promise<PageWindow | undefined> {
  const measure = (name: "measureFrame" | "checkFrame") =>
    Promise.all(frames.map((frame) => whileThere(() => evaluateInFrame(frame, name))));
  const missing = (all: readonly (FrameHeights | undefined)[]) =>
    Math.max(0, ...all.map((each) => (each ? each.content - each.view : 0)));
  let [window, left] = [page.window, missing(await measure("measureFrame"))];
  for (let fit = 0; left > 1 && fit < MAX_FITS; fit++) {
    const height = Math.min(MAX_WINDOW_HEIGHT, window.height + left);
    window = { ...window, height };
    await resizeWindow(page, window);
    await evaluateInIsolatedWorld(page, "nextFrame");
    const grown = await measure("checkFrame");
    if (grown.some((each) => !each || ("isHarmed" in each && each.isHarmed))) {
      await resizeWindow(page, page.window);
      return undefined;
    }
    // Frames that have a share of the window's height get that share of what it grows by.
    const next = missing(grown);
    const rate = Math.max(0.1, (left - next) / left);
    left = next / rate;
  }
  return window;
}

/** Gives elements in the frames, and in those in them, the styles that they had in view. */
export async function restoreInFrames(page: CapturedPage, outer?: PageFrame): Promise<void> {
  for (const frame of await findPageFrames(page, outer)) {
    await whileThere(() => evaluateInFrame(frame, "restoreInView"));
    await restoreInFrames(page, frame);
  }
}

/** The frame that scrolls farthest, of those that scroll in place of the page; undefined where none does. */
export async function findScrollingFrame(page: CapturedPage, outer?: PageFrame): Promise<PageFrame | undefined> {
  let found: { readonly frame: PageFrame; readonly extent: number } | undefined;
  for (const frame of await findPageFrames(page, outer)) {
    const inner = (await findScrollingFrame(page, frame)) ?? frame;
    const extent = (await whileThere(() => evaluateInFrame(inner, "scrollExtent"))) ?? 0;
    if (extent > (found?.extent ?? 0)) found = { frame: inner, extent };
  }
  return found?.frame;
}
