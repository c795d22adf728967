// Records a page in real time through CDP's screencast, for pages that cannot be recorded in virtual time.

import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { callIsolated } from "../../page/isolated-world.ts";
import { nextFrameInPage } from "../../page/next-frame.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { loadSharp } from "../screenshot/raster-source.ts";
import type { FrameEncoder, FrameImage } from "./frame-encoder.ts";
import { FrameGrid } from "./frame-grid.ts";
import { frameCount, frameTime, JPEG_QUALITY, type RecordingSettings } from "./record-frames.ts";

export interface Recording extends RecordingSettings {
  /** Size of the images in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Longest wait for the first image, which Chromium usually sends at once, even for a still page. */
const FIRST_IMAGE_MS = 1_000;

/** Longest delay between paint and arrival of an image: usually 5 ms, 170 ms at 3840 × 2160 pixels. */
const ARRIVAL_MS = 500;

/** Limit for images that wait for the encoder: 20 s of a detailed page of 1280 × 720 pixels at 25 fps. */
const MAX_HELD_LENGTH = 150_000_000;

/** Interval of `prepare` calls: that of a 60 Hz screen. */
const PREPARE_MS = 16;

/** `prepare` runs this much ahead, because its effect is painted one or two frames of the screen later. */
const PAINTING_MS = 33;

/**
 * Records the page of a browser in continuous frame mode. Images are placed by the times at which they were painted: a
 * slow page moves unevenly, but at its own speed. Yields undefined for a frame that equals the one before. Calls
 * `prepare` about every 16 ms, one call at a time, the last time for the last frame. Rejects when the browser ends, or
 * when `prepare` rejects.
 *
 * Chromium sends images of its window's size. After `Browser.setWindowBounds` to the size of the video, and
 * `Emulation.setDeviceMetricsOverride` with `dontSetVisibleSize` and either `scale` or `viewport`, they are exact and
 * crisp from 16 × 16 to 3840 × 2160 pixels, as in begin-frame-control mode. `deviceScaleFactor` does not affect them;
 * `maxWidth` and `maxHeight` only shrink them. Until the first paint after such a change, images can have the old
 * shape, or the new size at the old scale.
 */
export async function* recordScreen(cdp: CDPSession, recording: Recording): AsyncGenerator<FrameImage> {
  const { fps, prepare } = recording;
  const count = frameCount(recording);
  const timeMs = (frame: number) => frameTime(frame, fps) / 1000;
  await prepare?.(0);
  await waitForPaint(cdp);
  await using screencast = await Screencast.start(cdp, recording.inputFormat);
  const first = await firstImage(cdp, screencast, recording);
  const grid = new FrameGrid({ count, fps, maxLength: MAX_HELD_LENGTH });
  screencast.deliver(({ paintedAt, image }) => grid.put(paintedAt - first.paintedAt, image), first);

  const scenario = new AbortController();
  const preparing = prepare
    ? callPrepareInRealTime(prepare, { startedAt: first.paintedAt, lastMs: timeMs(count - 1), signal: scenario.signal })
    : Promise.resolve();
  const failed = preparing.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined); // it may reject when nothing awaits it any more
  try {
    let last: string | undefined;
    for (let frame = 0; frame < count; frame++) {
      const ms = timeMs(frame);
      const deadline = first.paintedAt + ms + ARRIVAL_MS;
      await Promise.race([screencast.until(() => grid.newestMs > ms, deadline), failed]);
      const image = grid.take(frame);
      const isNew = image !== undefined && image !== last;
      if (isNew) last = image;
      yield isNew ? await fitToVideo(image, recording) : undefined;
    }
  } finally {
    scenario.abort();
  }
}

/** A page busy for longer is recorded as it is. */
const PAINT_TIMEOUT_MS = 1_000;

/** Waits for two frames: one may have been in progress before the change, the next one shows it. */
async function waitForPaint(cdp: CDPSession): Promise<void> {
  const waitForFrame = () => callIsolated(cdp, nextFrameInPage);
  // A page that navigates away has nothing to wait for.
  await withTimeout(waitForFrame().then(waitForFrame), PAINT_TIMEOUT_MS).catch(() => undefined);
}

/** Calls `prepare` in real time until the time of the last frame, in milliseconds from the first one. */
async function callPrepareInRealTime(
  prepare: (ms: number) => Promise<void>,
  { startedAt, lastMs, signal }: { readonly startedAt: number; readonly lastMs: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let ms = 0; ms < lastMs && !signal.aborted; ) {
    const now = performance.now();
    ms = Math.min(lastMs, now - startedAt + PAINTING_MS);
    await prepare(ms);
    await sleep(Math.max(0, now + PREPARE_MS - performance.now()));
  }
}

interface PaintedImage {
  /** On the clock of `performance.now()`. */
  readonly paintedAt: number;
  /** In base64. */
  readonly image: string;
}

/** Waits for the first image of the right size; takes a screenshot if none comes. */
async function firstImage(
  cdp: CDPSession,
  screencast: Screencast,
  { inputFormat, width, height }: Recording,
): Promise<PaintedImage> {
  const deadline = performance.now() + FIRST_IMAGE_MS;
  let latest: PaintedImage | undefined;
  while (performance.now() < deadline) {
    await screencast.until(() => screencast.newest !== latest, deadline);
    latest = screencast.newest;
    if (!latest) continue;
    const size = await readSize(latest.image);
    if (size.width === width && size.height === height) return latest;
  }
  const { data } = await cdp.send("Page.captureScreenshot", screencastFormat(inputFormat));
  return { paintedAt: performance.now(), image: data };
}

/** Resizes an image to the video's size if needed, which only happens right after a change of the window. */
async function fitToVideo(image: string, { inputFormat, width, height }: Recording): Promise<string> {
  const size = await readSize(image);
  if (size.width === width && size.height === height) return image;
  const sharp = await loadSharp();
  const resized = sharp(Buffer.from(image, "base64")).resize(width, height, { fit: "fill" });
  const encoded = inputFormat === "jpeg" ? resized.jpeg({ quality: JPEG_QUALITY }) : resized.png();
  return (await encoded.toBuffer()).toString("base64");
}

async function readSize(image: string): Promise<{ readonly width: number; readonly height: number }> {
  const sharp = await loadSharp();
  return sharp(Buffer.from(image, "base64")).metadata();
}

function screencastFormat(inputFormat: FrameEncoder["inputFormat"]) {
  return inputFormat === "jpeg" ? ({ format: "jpeg", quality: JPEG_QUALITY } as const) : ({ format: "png" } as const);
}

/** CDP screencast: an image each time the page paints, until disposed of. */
class Screencast implements AsyncDisposable {
  readonly #cdp: CDPSession;
  #newest: PaintedImage | undefined;
  #arrival = Promise.withResolvers<void>();
  #receive: ((image: PaintedImage) => void) | undefined;

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async start(cdp: CDPSession, inputFormat: FrameEncoder["inputFormat"]): Promise<Screencast> {
    const screencast = new Screencast(cdp);
    cdp.on("Page.screencastFrame", screencast.#take);
    await cdp.send("Page.startScreencast", { ...screencastFormat(inputFormat), everyNthFrame: 1 });
    return screencast;
  }

  get newest(): PaintedImage | undefined {
    return this.#newest;
  }

  /** Delivers `first`, the newest image since, and all further images to `receive`. */
  deliver(receive: (image: PaintedImage) => void, first: PaintedImage): void {
    receive(first);
    if (this.#newest && this.#newest.paintedAt > first.paintedAt) receive(this.#newest);
    this.#receive = receive;
  }

  /** Waits for an image until a condition holds, or until `deadline`. Rejects once the browser is gone. */
  async until(isMet: () => boolean, deadline: number): Promise<void> {
    while (!isMet()) {
      if (this.#cdp.detached) throw new Error("The browser has gone while its page was recorded.");
      const left = deadline - performance.now();
      if (left <= 0) return;
      await withTimeout(this.#arrival.promise, left);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cdp.off("Page.screencastFrame", this.#take);
    await this.#cdp.send("Page.stopScreencast").catch(() => undefined);
  }

  readonly #take = ({ data, metadata, sessionId }: Protocol.Page.ScreencastFrameEvent): void => {
    // Chromium sends at most two more images before this acknowledgement.
    this.#cdp.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
    const age = metadata.timestamp === undefined ? 0 : Date.now() - metadata.timestamp * 1000;
    this.#newest = { paintedAt: performance.now() - age, image: data };
    this.#receive?.(this.#newest);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  };
}
