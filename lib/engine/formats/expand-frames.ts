// Lays out frames that scroll in place of the page as tall as their documents are, for a capture of the whole page.

import * as v from "valibot";
import type * as contentVisibility from "../injected/content-visibility.ts";
import type * as scrollers from "../injected/expand-scrollers.ts";
import type * as pageFrames from "../injected/page-frames.ts";
import type { FrameHeights } from "../injected/page-frames.ts";

import type { CapturedPage, PageFraming, PageWindow } from "../page/captured-page.ts";
import { evaluateInFrame, evaluateInFrameOrPage, evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { nextFrameInPage } from "../page/next-frame.ts";
import { findPageFrames, type PageFrame, whileThere } from "../page/page-frames.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { resizeWindow } from "./video/video-window.ts";

/** What became of the frames that scroll in place of a page. */
export interface FrameExpansion {
  /** True when all of them show all of their documents. */
  readonly areExpanded: boolean;
  readonly framing: PageFraming;
  /** The window, if it had to grow for that. */
  readonly window?: PageWindow;
}

/**
 * Lays the frames, and those in them, out as tall as their documents, where that changes nothing in these nor around the frame.
 * The frames of a frameset grow with the window of the page.
 */
export async function expandFrames(page: CapturedPage, outer?: PageFrame): Promise<FrameExpansion> {
  const frames = await findPageFrames(page, outer);
  let areExpanded = true;
  for (const frame of frames) areExpanded = (await whileThere(() => expandInside(page, frame))) === true && areExpanded;
  if (await evaluateInFrameOrPage(page, outer, isFrameset)) {
    const window = outer ? undefined : await growFrameset(page, frames);
    return {
      areExpanded: areExpanded && window !== undefined,
      framing: "frameset",
      ...(window && { window }),
    };
  }
  for (const frame of frames) areExpanded = (await whileThere(() => growFrame(page, frame))) === true && areExpanded;
  return { areExpanded, framing: "frames" };
}

/** Expands what scrolls in the document of a frame. */
async function expandInside(page: CapturedPage, frame: PageFrame): Promise<boolean> {
  await evaluateInFrame(frame, renderSkippedContentInPage);
  const { scrollers, hasFrames } = await evaluateInFrame(frame, expandScrollersInPage);
  const areFramesExpanded = !hasFrames || (await expandFrames(page, frame)).areExpanded;
  return areFramesExpanded && scrollers.every(({ result }) => result === "expanded");
}

/** A document that grows with its frame is fitted this often. */
const MAX_FITS = 4;

/** Makes a frame as tall as its document. Returns false where it shows no more than before. */
async function growFrame(page: CapturedPage, frame: PageFrame): Promise<boolean> {
  let { content, view } = await evaluateInFrame(frame, measureFrame);
  for (let fit = 0; content > view + 1 && fit < MAX_FITS; fit++) {
    if (!(await evaluateInFrameOrPage(page, frame.outer, growFrameInPage, frame.number, content))) return false;
    await evaluateInFrame(frame, nextFrameInPage);
    const grown = await evaluateInFrame(frame, checkFrame);
    if (grown.isHarmed) {
      await evaluateInFrameOrPage(page, frame.outer, shrinkFrame, frame.number);
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
  const measure = (measuring: PageFunction<() => FrameHeights>) =>
    Promise.all(frames.map((frame) => whileThere(() => evaluateInFrame(frame, measuring))));
  const missing = (all: readonly (FrameHeights | undefined)[]) =>
    Math.max(0, ...all.map((each) => (each ? each.content - each.view : 0)));
  let [window, left] = [page.window, missing(await measure(measureFrame))];
  for (let fit = 0; left > 1 && fit < MAX_FITS; fit++) {
    const height = Math.min(MAX_WINDOW_HEIGHT, window.height + left);
    window = { ...window, height };
    await resizeWindow(page, window);
    await evaluateInIsolatedWorld(page, nextFrameInPage);
    const grown = await measure(checkFrame);
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

const checkFrame: PageFunction<typeof pageFrames.checkFrame> = pageFunction("fullPage", "checkFrame", {
  result: v.object({ isHarmed: v.boolean(), content: v.number(), view: v.number() }),
});

export const expandScrollersInPage: PageFunction<typeof scrollers.expandScrollers> = pageFunction(
  "fullPage",
  "expandScrollers",
  {
    waitsFor: "frames",
    result: v.object({
      scrollers: v.array(
        v.object({ result: v.picklist(["expanded", "harmful", "virtualized"]), scroller: v.string() }),
      ),
      hasFrames: v.boolean(),
      board: v.nullable(v.object({ element: v.string(), shownWidth: v.number(), width: v.number() })),
      isSampled: v.boolean(),
    }),
  },
);

const growFrameInPage: PageFunction<typeof pageFrames.growFrame> = pageFunction("fullPage", "growFrame", {
  result: v.boolean(),
});

const isFrameset: PageFunction<typeof pageFrames.isFrameset> = pageFunction("fullPage", "isFrameset", {
  result: v.boolean(),
});

const measureFrame: PageFunction<typeof pageFrames.measureFrame> = pageFunction("fullPage", "measureFrame", {
  result: v.object({ content: v.number(), view: v.number() }),
});

export const renderSkippedContentInPage: PageFunction<typeof contentVisibility.renderSkippedContent> = pageFunction(
  "fullPage",
  "renderSkippedContent",
);

const shrinkFrame: PageFunction<typeof pageFrames.shrinkFrame> = pageFunction("fullPage", "shrinkFrame");
