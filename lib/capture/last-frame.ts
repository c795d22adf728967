// The last frame a page has painted, kept for a capture that must not fail when its time is up.
import type { CDPSession } from "puppeteer-core";
import type { CaptureOptions } from "../contract/capture-options.ts";
import { type ImageFormat, isImageFormat, mimeTypes } from "../contract/formats.ts";
import { composeImage } from "./raster.ts";

export interface LastFrame {
  /** A PNG of the window; undefined while nothing has been painted. */
  readonly png: Buffer | undefined;
}

/** Watches a page from now on. Frames come from the compositor, so that they come while the page's scripts are busy. */
export async function watchFrames(cdp: CDPSession): Promise<LastFrame> {
  const last: { png: Buffer | undefined } = { png: undefined };
  cdp.on("Page.screencastFrame", ({ data, sessionId }) => {
    last.png = Buffer.from(data, "base64");
    cdp.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await cdp.send("Page.startScreencast", { format: "png", everyNthFrame: FRAMES_APART });
  return last;
}

/** About six frames a second are looked at: each costs time that the page could use. */
const FRAMES_APART = 10;

/** The frame as the image that was asked for; undefined when there is none, or the result is no image. */
export async function lastFrameAs({ png }: LastFrame, { format, image_quality }: CaptureOptions) {
  if (!png || !isImageFormat(format)) return undefined;
  const quality = image_quality ?? 80;
  const { body } = await composeImage(png, { encoding: { format, quality, fast: true } });
  return { body, format, mimeType: mimeTypes[format] } satisfies {
    body: Buffer;
    format: ImageFormat;
    mimeType: string;
  };
}
