// The frames of a film: frame N shows the page at exactly N / fps, however long it takes to paint.
import type { CDPSession, Protocol } from "puppeteer-core";
import { BeginFrameUnavailable } from "../../rendering/begin-frame-unavailable.ts";
import { VirtualClock } from "../../rendering/virtual-clock.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { captureFrame } from "../screenshot/frame-screenshot.ts";
import type { EncodedPicture, FrameEncoder } from "./frame-encoder.ts";

export interface RecordingSettings {
  readonly seconds: number;
  readonly fps: number;
  readonly takes: FrameEncoder["takes"];
  /** Called before each frame, when the page's time is that of the frame, in milliseconds from the first one. */
  readonly prepare?: (ms: number) => Promise<void>;
}

/** How many frames a video has. */
export function frameCount({ seconds, fps }: Pick<RecordingSettings, "seconds" | "fps">): number {
  return Math.round(seconds * fps);
}

/** Moment of a frame in whole microseconds; sums of a rounded interval would drift. */
export function frameTime(index: number, fps: number): number {
  return Math.round((index * 1e6) / fps);
}

/** Frames of a still page that are painted in full before it is only asked whether anything has changed. */
const STILL_FRAMES = 2;

/**
 * Films a page that is painted on demand, whose own time stands still from now on but for these frames. A frame that
 * looks like the one before it is undefined. Throws `PaintingRefused` when the page does not go along.
 */
export async function* recordFrames(cdp: CDPSession, filming: RecordingSettings): AsyncGenerator<EncodedPicture> {
  const { fps, takes, prepare } = filming;
  const clock = await VirtualClock.stop(cdp);
  const camera = new Camera(cdp, takes, 1000 / fps);
  // Animations take their start from the first frame of the new clock, and the page reacts to it.
  await camera.expose(clock.base);
  await clock.advanceTo(frameTime(1, fps));
  const begin = clock.now;
  let still = 0;
  for (let index = 0; index < frameCount(filming); index++) {
    const time = begin + frameTime(index, fps);
    if (time > clock.now) await clock.advanceTo(time);
    await prepare?.((time - begin) / 1000);
    const ticks = clock.base + time / 1000;
    const isStill = still >= STILL_FRAMES && !(await camera.expose(ticks));
    const picture = isStill ? undefined : await camera.shoot(ticks);
    still = picture === undefined ? still + 1 : 0;
    yield picture;
  }
}

/** Longest real time the page may take for a frame: scripts that run in one can wait for ever for its clock. */
const FRAME_MS = 6_000;

class Camera {
  readonly #cdp: CDPSession;
  readonly #screenshot: Protocol.HeadlessExperimental.ScreenshotParams;
  readonly #interval: number;
  #last: string | undefined;

  constructor(cdp: CDPSession, takes: FrameEncoder["takes"], interval: number) {
    this.#cdp = cdp;
    this.#interval = interval;
    this.#screenshot =
      takes === "jpeg" ? { format: "jpeg", quality: JPEG_QUALITY } : { format: "png", optimizeForSpeed: true };
  }

  /** Paints a frame without taking its picture, and tells whether anything has changed. */
  async expose(ticks: number): Promise<boolean> {
    return (await this.#frame({ frameTimeTicks: ticks })).hasDamage;
  }

  /** The picture of a frame, or undefined when it is that of the last one. */
  async shoot(ticks: number): Promise<EncodedPicture> {
    const picture = await captureFrame(() => this.#frame({ frameTimeTicks: ticks, screenshot: this.#screenshot }));
    if (picture === undefined && this.#last === undefined)
      throw new BeginFrameUnavailable("the page paints no picture");
    if (picture === undefined || picture === this.#last) return undefined;
    this.#last = picture;
    return picture;
  }

  async #frame(settings: Protocol.HeadlessExperimental.BeginFrameRequest) {
    const frame = this.#cdp.send("HeadlessExperimental.beginFrame", { ...settings, interval: this.#interval });
    const painted = await withTimeout(frame, FRAME_MS);
    if (!painted) throw new BeginFrameUnavailable("the page does not finish a frame");
    return painted;
  }
}

/** What is lost to JPEG is lost before the video is encoded, and makes that larger. */
export const JPEG_QUALITY = 95;
