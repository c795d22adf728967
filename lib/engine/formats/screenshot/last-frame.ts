// Fallback for a timed-out capture: the last frame that the compositor painted.
import type { CDPSession } from "puppeteer-core";
import type { ImageFormat } from "../../../contract/options/formats.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { type Budget, remaining } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import type { ImageSettings } from "./image-settings.ts";
import { composeImage } from "./raster.ts";

/** Share of the remaining time for receiving the frame; the rest is for encoding it. */
const FRAME_SHARE = 2 / 3;

/** Reserved for sending the response. */
const RESPONSE_MS = 30;

/**
 * Returns a PNG of the window with one pixel per CSS pixel, or undefined when no frame arrives in time. It comes from
 * the compositor, which keeps the last frame, so it works for a page too busy to answer.
 */
export async function lastFrame(cdp: CDPSession, budget: Budget): Promise<Buffer | undefined> {
  const frame = new Promise<Buffer>((resolve) => {
    cdp.once("Page.screencastFrame", ({ data }) => resolve(Buffer.from(data, "base64")));
  });
  // Its response waits for the page; the frame does not.
  cdp.send("Page.startScreencast", { format: "png", everyNthFrame: 1 }).catch(() => undefined);
  return withTimeout(frame, remaining(budget, performance.now()) * FRAME_SHARE);
}

/**
 * Encodes the frame in the requested format, scaled to the window's size in the result. Returns a PNG when encoding
 * takes longer than the time left.
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
  const allowance = Math.max(0, remaining(budget, performance.now()) - RESPONSE_MS);
  const encoded = await withTimeout(encoding, allowance).catch(() => undefined);
  return encoded ? { body: encoded.body, format } : { body: png, format: "png" };
}
