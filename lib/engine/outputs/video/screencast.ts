// Films a page in real time, as a screen would show it: for those that cannot be filmed by a clock of ours.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { callIsolated } from "../../page/isolated-world.ts";
import { withTimeout } from "../../pipeline/with-timeout.ts";
import { loadSharp } from "../screenshot/raster-source.ts";
import type { EncodedPicture, FrameEncoder } from "./frame-encoder.ts";
import { FrameGrid } from "./frame-grid.ts";
import { frameCount, frameTime, JPEG_QUALITY, type RecordingSettings } from "./frames.ts";

export interface Recording extends RecordingSettings {
  /** Of the pictures, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Longest wait for the first picture, which Chromium usually sends at once, whether the page moves or not. */
const FIRST_PICTURE_MS = 1_000;

/** Pictures come later than they were painted: usually by 5 ms, and by 170 ms those of 3840 × 2160 pixels. */
const ARRIVAL_MS = 500;

/** By how much an encoder can fall behind: 20 s of a detailed page of 1280 × 720 pixels at 25 frames a second. */
const MAX_HELD_LENGTH = 150_000_000;

/** The pace of a screen. */
const PREPARE_MS = 16;

/** What is prepared is painted one or two frames of the screen later, and is to be seen at its moment. */
const PAINTING_MS = 33;

/**
 * Films the page of an ordinary browser. Pictures are placed by the times at which they were painted: a page that is too
 * slow moves unevenly, but at its own speed. A frame that looks like the one before it is undefined. `prepare` is called
 * about every 16 ms, one call after the other, lastly for the last frame. Rejects when the browser goes away, and as
 * `prepare` does.
 *
 * The pictures that Chromium sends are as large as its window: after `Browser.setWindowBounds` to the size of the video
 * and `Emulation.setDeviceMetricsOverride` with `dontSetVisibleSize` and either `scale` or `viewport`, just as where it
 * paints on demand, they are exact and crisp from 16 × 16 to 3840 × 2160 pixels. `deviceScaleFactor` does not matter for
 * them, and `maxWidth` and `maxHeight` only reduce them. Until the page has been painted anew after such a change, they
 * can have the shape of before, or already their own size but still the scale of before.
 */
export async function* recordScreen(cdp: CDPSession, recording: Recording): AsyncGenerator<EncodedPicture> {
  const { fps, prepare } = recording;
  const count = frameCount(recording);
  const momentOf = (frame: number) => frameTime(frame, fps) / 1000;
  await prepare?.(0);
  await painted(cdp);
  await using screencast = await Screencast.start(cdp, recording.takes);
  const first = await firstPicture(cdp, screencast, recording);
  const grid = new FrameGrid({ count, fps, maxLength: MAX_HELD_LENGTH });
  screencast.deliver(({ paintedAt, picture }) => grid.put(paintedAt - first.paintedAt, picture), first);

  const scenario = new AbortController();
  const preparing = prepare
    ? keepPreparing(prepare, { begin: first.paintedAt, lastMs: momentOf(count - 1), signal: scenario.signal })
    : Promise.resolve();
  const failed = preparing.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined); // it may come when nobody waits any more
  try {
    let last: string | undefined;
    for (let frame = 0; frame < count; frame++) {
      const ms = momentOf(frame);
      const expiry = first.paintedAt + ms + ARRIVAL_MS;
      await Promise.race([screencast.until(() => grid.newestMs > ms, expiry), failed]);
      const picture = grid.take(frame);
      const isNew = picture !== undefined && picture !== last;
      if (isNew) last = picture;
      yield isNew ? await fitted(picture, recording) : undefined;
    }
  } finally {
    scenario.abort();
  }
}

/** A page that is so busy is shown as it is. */
const PAINTED_MS = 1_000;

/** Waits until what has been changed is painted: a frame that may have been under way already, and the next one. */
async function painted(cdp: CDPSession): Promise<void> {
  const told = () => callIsolated(cdp, "nextFrame");
  // A page that navigates away at this moment has nothing to be waited for.
  await withTimeout(told().then(told), PAINTED_MS).catch(() => undefined);
}

/** Calls `prepare` for the moments as they come, until that of the last frame, in milliseconds from the first one. */
async function keepPreparing(
  prepare: (ms: number) => Promise<void>,
  { begin, lastMs, signal }: { readonly begin: number; readonly lastMs: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let ms = 0; ms < lastMs && !signal.aborted; ) {
    const now = performance.now();
    ms = Math.min(lastMs, now - begin + PAINTING_MS);
    await prepare(ms);
    await sleep(Math.max(0, now + PREPARE_MS - performance.now()));
  }
}

interface PaintedPicture {
  /** On the clock of `performance.now()`. */
  readonly paintedAt: number;
  /** In base64. */
  readonly picture: string;
}

/** The first picture of the right size; one of a page that sends none is forced. */
async function firstPicture(
  cdp: CDPSession,
  screencast: Screencast,
  { takes, width, height }: Recording,
): Promise<PaintedPicture> {
  const expiry = performance.now() + FIRST_PICTURE_MS;
  let seen: PaintedPicture | undefined;
  while (performance.now() < expiry) {
    await screencast.until(() => screencast.newest !== seen, expiry);
    seen = screencast.newest;
    if (!seen) continue;
    const size = await sizeOf(seen.picture);
    if (size.width === width && size.height === height) return seen;
  }
  const { data } = await cdp.send("Page.captureScreenshot", formatOf(takes));
  return { paintedAt: performance.now(), picture: data };
}

/** A picture in the size of the video, as almost all are: only after a change of its window Chromium has others. */
async function fitted(picture: string, { takes, width, height }: Recording): Promise<string> {
  const size = await sizeOf(picture);
  if (size.width === width && size.height === height) return picture;
  const sharp = await loadSharp();
  const resized = sharp(Buffer.from(picture, "base64")).resize(width, height, { fit: "fill" });
  const written = takes === "jpeg" ? resized.jpeg({ quality: JPEG_QUALITY }) : resized.png();
  return (await written.toBuffer()).toString("base64");
}

async function sizeOf(picture: string): Promise<{ readonly width: number; readonly height: number }> {
  const sharp = await loadSharp();
  return sharp(Buffer.from(picture, "base64")).metadata();
}

function formatOf(takes: FrameEncoder["takes"]) {
  return takes === "jpeg" ? ({ format: "jpeg", quality: JPEG_QUALITY } as const) : ({ format: "png" } as const);
}

/** Pictures of a page whenever it is painted, until this is disposed of. */
class Screencast implements AsyncDisposable {
  readonly #cdp: CDPSession;
  #newest: PaintedPicture | undefined;
  #arrival = Promise.withResolvers<void>();
  #receive: ((picture: PaintedPicture) => void) | undefined;

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async start(cdp: CDPSession, takes: FrameEncoder["takes"]): Promise<Screencast> {
    const screencast = new Screencast(cdp);
    cdp.on("Page.screencastFrame", screencast.#take);
    await cdp.send("Page.startScreencast", { ...formatOf(takes), everyNthFrame: 1 });
    return screencast;
  }

  get newest(): PaintedPicture | undefined {
    return this.#newest;
  }

  /** Hands over `first`, what has come since, and whatever comes from now on. */
  deliver(receive: (picture: PaintedPicture) => void, first: PaintedPicture): void {
    receive(first);
    if (this.#newest && this.#newest.paintedAt > first.paintedAt) receive(this.#newest);
    this.#receive = receive;
  }

  /** Waits for a picture with which a condition holds, or until `expiry`. Rejects once the browser has gone. */
  async until(holds: () => boolean, expiry: number): Promise<void> {
    while (!holds()) {
      if (this.#cdp.detached) throw new Error("The browser has gone while its page was filmed.");
      const left = expiry - performance.now();
      if (left <= 0) return;
      await withTimeout(this.#arrival.promise, left);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cdp.off("Page.screencastFrame", this.#take);
    await this.#cdp.send("Page.stopScreencast").catch(() => undefined);
  }

  readonly #take = ({ data, metadata, sessionId }: Protocol.Page.ScreencastFrameEvent): void => {
    // Chromium waits for it before it sends more than two other ones.
    this.#cdp.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
    const age = metadata.timestamp === undefined ? 0 : Date.now() - metadata.timestamp * 1000;
    this.#newest = { paintedAt: performance.now() - age, picture: data };
    this.#receive?.(this.#newest);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  };
}
