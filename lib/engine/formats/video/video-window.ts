// Resizes the browser window for a video, while the page keeps believing in the window that was requested.

import { deviceMetrics } from "../../emulation/emulation.ts";
import type { Area } from "../../geometry/area.ts";
import type * as frames from "../../injected/frames.ts";
import type { CapturedPage, PageWindow } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { softAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import type { VideoSize } from "./video-size.ts";

/** Longest wait for a frame under way. A page that takes longer would not finish its frames in the video either. */
export const MAX_LAST_FRAME_MS = 5_000;

/** Resizes the window as its page sees it, in CSS pixels. */
export async function resizeWindow(page: CapturedPage, window: PageWindow): Promise<void> {
  await whileNothingIsPainted(page, () => setWindowSize(page, { window, size: window, shown: {} }));
}

/**
 * Makes Chromium paint the page at the size of the video, so that no frame is scaled afterwards: all of the window, or
 * the part of the document in `area`.
 */
export async function fitWindowToVideo(page: CapturedPage, size: VideoSize, area?: Area): Promise<void> {
  const shown = area ? { viewport: { ...area, scale: size.zoom } } : { scale: size.zoom };
  await whileNothingIsPainted(page, () => setWindowSize(page, { window: page.window, size, shown }));
}

interface Resizing {
  readonly window: PageWindow;
  /** Outer size of the browser's window, in pixels of the video. */
  readonly size: { readonly width: number; readonly height: number };
  /** Which part of the page is shown, and at which scale. */
  readonly shown: object;
}

async function setWindowSize({ session: { cdp } }: CapturedPage, { window, size, shown }: Resizing): Promise<void> {
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  await cdp.send("Browser.setWindowBounds", { windowId, bounds: { width: size.width, height: size.height } });
  await cdp.send("Emulation.setDeviceMetricsOverride", {
    ...deviceMetrics(window),
    dontSetVisibleSize: true,
    ...shown,
  });
}

/**
 * Runs `work` between two frames, after the page has painted. Before its first frame, Chromium defers commits, and a frame
 * that is deferred while the window changes never ends.
 */
async function whileNothingIsPainted(page: CapturedPage, work: () => Promise<void>): Promise<void> {
  const { frameScheduler, activity, isJavaScriptDisabled, budget, now } = page;
  if (!frameScheduler) return work();
  if (activity.document.loaded && !isJavaScriptDisabled) {
    await withTimeout(evaluateInIsolatedWorld(page, framePainted), softAllowance(budget, now(), MAX_LAST_FRAME_MS));
  }
  await frameScheduler.pauseWhile(work, MAX_LAST_FRAME_MS);
}

const framePainted: PageFunction<typeof frames.framePainted> = pageFunction("core", "framePainted", {
  waitsFor: "time",
});
