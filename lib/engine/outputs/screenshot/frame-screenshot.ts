// The picture of a frame that is painted on demand.
import type { Protocol } from "puppeteer-core";

/** Right after a page has been changed, a frame can come without a picture. */
const ATTEMPTS = 5;

/** What `paint` has a picture of, in base64; undefined where it has none, however often it is called. */
export async function captureFrame(
  paint: () => Promise<Protocol.HeadlessExperimental.BeginFrameResponse>,
): Promise<string | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { screenshotData } = await paint();
    if (screenshotData) return screenshotData;
  }
  return undefined;
}
