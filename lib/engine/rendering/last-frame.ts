// The last frame a page has painted, for a capture that must not fail when its time is up.
import type { CDPSession } from "puppeteer-core";
import type { ImageFormat } from "../../options/formats.ts";
import type { ImageSettings } from "../outputs/screenshot/image-settings.ts";
import { composeImage } from "../outputs/screenshot/raster.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { type Budget, remaining } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";

/** Of what remains, for the frame to come: the rest is for encoding it. */
const FRAME_SHARE = 2 / 3;

/** Kept back for the answer itself. */
const ANSWER_MS = 30;

/**
 * A PNG of the window, a CSS pixel to each of its own, of a page that may be too busy to be asked; undefined when none
 * comes in time. It comes from the compositor, which keeps what was painted last and needs no script to end.
 */
export async function lastFrame(cdp: CDPSession, budget: Budget): Promise<Buffer | undefined> {
  const frame = new Promise<Buffer>((resolve) => {
    cdp.once("Page.screencastFrame", ({ data }) => resolve(Buffer.from(data, "base64")));
  });
  // The answer to this waits for the page; the frame does not.
  cdp.send("Page.startScreencast", { format: "png", everyNthFrame: 1 }).catch(() => undefined);
  return withTimeout(frame, remaining(budget, performance.now()) * FRAME_SHARE);
}

/**
 * The frame as the image that was asked for, as large as the window would be in it; a PNG where encoding takes longer
 * than there is time.
 */
export async function encodeFrame(
  png: Buffer,
  image: ImageSettings | undefined,
  { window, budget }: Pick<CapturedPage, "window" | "budget">,
): Promise<{ body: Buffer; format: ImageFormat }> {
  if (!image) return { body: png, format: "png" };
  const { format, quality, resizing } = image;
  const size = { width: Math.round(window.width * window.scale), height: Math.round(window.height * window.scale) };
  const encoding = composeImage(png, {
    encoding: { format, quality, fast: true },
    resizing: resizing ?? { ...size, fit: "fill", position: "center" },
  });
  const allowance = Math.max(0, remaining(budget, performance.now()) - ANSWER_MS);
  const encoded = await withTimeout(encoding, allowance).catch(() => undefined);
  return encoded ? { body: encoded.body, format } : { body: png, format: "png" };
}
