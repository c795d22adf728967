// The id of a page's main frame.
import type { CDPSession } from "puppeteer-core";

/**
 * Returns the id of the main frame, which is the target id of the page. `Page.getFrameTree` would return the names and
 * URLs of all frames: a page can create more frames than memory holds.
 */
export function mainFrame(cdp: CDPSession): Promise<string> {
  let known = mainFrames.get(cdp);
  if (!known) {
    known = cdp.send("Target.getTargetInfo").then(({ targetInfo }) => targetInfo.targetId);
    mainFrames.set(cdp, known);
  }
  return known;
}

/** The id stays the same while the session lasts. */
const mainFrames = new WeakMap<CDPSession, Promise<string>>();
