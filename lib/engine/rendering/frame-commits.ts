// Makes every frame of a page a commit to the compositor, without which Chromium's scheduler can lose frames.

import type { CDPSession, Protocol } from "puppeteer-core";
import type * as frameCommits from "../injected/frame-commits.ts";
import { injectedCall } from "../page/injected-scripts.ts";
import { callIsolated, precreateIsolatedWorlds, WORLD_NAME } from "../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";

/**
 * Requests animation frames without end in each document from now on, each of which commits to the compositor:
 *
 * - Under BeginFrameControl a page that stands still has no idle periods otherwise, and its idle callbacks would never run.
 * - A frame of the main thread that changes nothing is aborted. In the frame after one, the compositor does not wait for the
 *   main thread with what it has to invalidate itself, such as the next picture of an animated GIF, or text whose layer has
 *   moved by parts of a pixel. It activates a tree for that, and where the main thread has a change as well, that tree waits
 *   to be drawn, the drawing for the tree of the main thread (`--run-all-compositor-stages-before-draw`), and that one for
 *   the first to be drawn: the frame never ends. See `ShouldDeferInvalidatingForMainFrame` in Chromium's
 *   cc/scheduler/scheduler_state_machine.cc.
 *
 * In real time the same happens where the page takes longer for its frames than their interval: `BeginFrames` ends these. The
 * page cannot see it.
 */
export async function commitEveryFrame(cdp: CDPSession): Promise<void> {
  const source = await injectedCall("frameCommits", "commitEveryFrame");
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, worldName: WORLD_NAME, runImmediately: true });
  const callInMainFrame = (called: PageFunction<() => void>) => (event: { frame: Protocol.Page.Frame }) => {
    if (event.frame.parentId === undefined) callIsolated(cdp, called).catch(() => undefined); // the document is gone
  };
  precreateIsolatedWorlds(cdp);
  cdp.on("Page.frameNavigated", callInMainFrame(commitEveryFrameInPage)); // such a script does not run where scripts are disabled
  cdp.on("Page.documentOpened", callInMainFrame(restartCommits));
}

const commitEveryFrameInPage: PageFunction<typeof frameCommits.commitEveryFrame> = pageFunction(
  "core",
  "commitEveryFrame",
);

const restartCommits: PageFunction<typeof frameCommits.restartCommits> = pageFunction("core", "restartCommits");
