// Records frames in virtual time through BeginFrameControl: frame N shows the page at exactly N / fps, however long it
// takes to paint.
import type { CDPSession, Protocol } from "puppeteer-core";
import { type BeginFrames, BeginFrameUnavailable, captureFrame } from "../../rendering/begin-frame.ts";
import { VirtualClock } from "../../rendering/virtual-clock.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import type { FrameEncoder, FrameImage } from "./frame-encoder.ts";

export interface RecordingSettings {
  readonly seconds: number;
  readonly fps: number;
  readonly inputFormat: FrameEncoder["inputFormat"];
  /** Called before each frame, at that frame's virtual time, in milliseconds from the first one. */
  readonly prepare?: (ms: number) => Promise<void>;
}

/** The number of frames of a video. */
export function frameCount({ seconds, fps }: Pick<RecordingSettings, "seconds" | "fps">): number {
  return Math.round(seconds * fps);
}

/** Time of a frame in whole microseconds; adding up a rounded interval would drift. */
export function frameTime(index: number, fps: number): number {
  return Math.round((index * 1e6) / fps);
}

/** A request takes no time of the video, unless it takes long or never ends. */
const TIME_LIMITS = { loadingMs: 1_500, totalLoadingMs: 3_000, afterLoading: "advance", busyMs: 5_000 } as const;

/** After this many unchanged frames, a frame is first painted without a screenshot, to check for changes. */
const STILL_FRAMES = 2;

/**
 * Records a page in begin-frame-control mode, whose time stands still from now on except for these frames. Yields
 * undefined for a frame that equals the one before. Throws `BeginFrameUnavailable` when the page does not respond.
 */
export async function* recordFrames(
  cdp: CDPSession,
  frames: BeginFrames,
  recording: RecordingSettings,
): AsyncGenerator<FrameImage> {
  const { fps, inputFormat, prepare } = recording;
  const clock = await VirtualClock.stop(cdp, TIME_LIMITS);
  const capturer = new FrameCapturer(frames, inputFormat, 1000 / fps);
  // Animations start at the first frame after the clock stops, and the page reacts to it.
  await capturer.paint(clock.base);
  await clock.advanceTo(frameTime(1, fps));
  const startUs = clock.now;
  let unchangedFrames = 0;
  for (let index = 0; index < frameCount(recording); index++) {
    const timeUs = startUs + frameTime(index, fps);
    if (timeUs > clock.now) await clock.advanceTo(timeUs);
    await prepare?.((timeUs - startUs) / 1000);
    const ticks = clock.base + timeUs / 1000;
    const isStill = unchangedFrames >= STILL_FRAMES && !(await capturer.paint(ticks));
    const image = isStill ? undefined : await capturer.capture(ticks);
    unchangedFrames = image === undefined ? unchangedFrames + 1 : 0;
    yield image;
  }
}

/** Longest real time for one frame: scripts that run in it can wait forever for its clock. */
const FRAME_TIMEOUT_MS = 6_000;

class FrameCapturer {
  readonly #frames: BeginFrames;
  readonly #screenshot: Protocol.HeadlessExperimental.ScreenshotParams;
  readonly #intervalMs: number;
  #last: string | undefined;

  constructor(frames: BeginFrames, inputFormat: FrameEncoder["inputFormat"], interval: number) {
    this.#frames = frames;
    this.#intervalMs = interval;
    this.#screenshot =
      inputFormat === "jpeg" ? { format: "jpeg", quality: JPEG_QUALITY } : { format: "png", optimizeForSpeed: true };
  }

  /** Paints a frame without a screenshot; returns whether anything changed. */
  async paint(ticks: number): Promise<boolean> {
    return (await this.#frame({ frameTimeTicks: ticks })).hasDamage;
  }

  /** Takes a screenshot of a frame; undefined when it equals the last one. */
  async capture(ticks: number): Promise<FrameImage> {
    const image = await captureFrame(() => this.#frame({ frameTimeTicks: ticks, screenshot: this.#screenshot }));
    if (image === undefined && this.#last === undefined) throw new BeginFrameUnavailable("the page paints no image");
    if (image === undefined || image === this.#last) return undefined;
    this.#last = image;
    return image;
  }

  async #frame(settings: Protocol.HeadlessExperimental.BeginFrameRequest) {
    const frame = this.#frames.issue({ ...settings, interval: this.#intervalMs });
    const painted = await withTimeout(frame, FRAME_TIMEOUT_MS);
    if (!painted) throw new BeginFrameUnavailable("the page does not finish a frame");
    return painted;
  }
}

/** JPEG artefacts appear in the video and make it larger. */
export const JPEG_QUALITY = 95;
