// BeginFrameControl (`HeadlessExperimental.beginFrame`): its screenshots, and the error of a page that paints no frames.
import type { Protocol } from "puppeteer-core";

/**
 * The page or the browser does not respond to BeginFrames, or to virtual time; the message says how that showed. The
 * capture can succeed in a browser that schedules its frames itself.
 */
export class BeginFrameUnavailable extends Error {
  override name = "BeginFrameUnavailable";
}

/** Right after a page has changed, a frame can come without an image. */
const ATTEMPTS = 5;

/** Issues frames by `beginFrame` until one has an image, and returns it in base64; undefined after 5 attempts. */
export async function captureFrame(
  beginFrame: () => Promise<Protocol.HeadlessExperimental.BeginFrameResponse>,
): Promise<string | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { screenshotData } = await beginFrame();
    if (screenshotData) return screenshotData;
  }
  return undefined;
}
