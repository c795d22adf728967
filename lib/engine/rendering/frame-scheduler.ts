// Frame scheduler: issues BeginFrames to a page in begin-frame-control mode, where nothing is laid out, clicked or
// loaded lazily without frames.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";
import { type BeginFrames, BeginFrameUnavailable, captureFrame, type Frame } from "./begin-frame.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { type PageOfVirtualTime, rethrowAsUnavailable, VirtualTime } from "./virtual-time.ts";

/** One frame delivers `IntersectionObserver` callbacks; what they change shows up in the next frame. */
const FRAMES_BEFORE_SCREENSHOT = 2;

/** Interval, as Chromium receives it, of a frame that may take long: painting a page of 20,000 pixels takes a second. */
const LONG_INTERVAL_MS = 10_000;

/** Frames run unthrottled for at most this long; work that takes longer does not wait for frames alone. */
const MAX_UNTHROTTLED_MS = 100;

/** After that, time passes although a request is pending, but no faster than real time; see `VirtualTime`. */
const TIME_LIMITS = { loadingMs: 300, totalLoadingMs: 1_000, afterLoading: "advance", busyMs: 5_000 } as const;

/** A request that takes longer than `loadingMs` fails the capture; all of them together may take what its timeout allows. */
const EXACT_TIME_LIMITS = {
  loadingMs: 15_000,
  totalLoadingMs: Number.POSITIVE_INFINITY,
  afterLoading: "fail",
  busyMs: 15_000,
} as const;

export class FrameScheduler {
  readonly #cdp: CDPSession;
  readonly #frames: BeginFrames;
  readonly #intervalMs: number;
  readonly #painted: Promise<boolean>;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  #unthrottledUntil = 0;
  /** Aborts the pause between two frames. */
  #pause = new AbortController();
  #virtual: VirtualTime | undefined;
  /** Rejects when a frame is lost: none can be issued any more. */
  readonly #lost = Promise.withResolvers<never>();

  /** Starts issuing `frames` to the page of `cdp`, at most `framesPerSecond` of them. */
  constructor(cdp: CDPSession, framesPerSecond: number, frames: BeginFrames) {
    this.#cdp = cdp;
    this.#frames = frames;
    this.#lost.promise.catch(() => undefined); // nothing may be waiting for frames
    this.#intervalMs = 1000 / framesPerSecond;
    const first = this.#frame();
    this.#painted = Promise.race([first.then((frame) => frame !== undefined), this.#lost.promise]);
    this.#painted.catch(() => undefined); // nothing may be waiting for frames
    this.#run(first);
  }

  /** The page's time, once this scheduler controls it. */
  get virtualTime(): VirtualTime | undefined {
    return this.#virtual;
  }

  /**
   * Takes over the page's clock, for good: from now on time passes, and frames are issued, only while something waits for
   * them. Throws `VirtualTimeUnavailable` when the clock does not stop.
   */
  async startVirtualTime(pace: PageOfVirtualTime): Promise<VirtualTime> {
    await this.stop();
    const limits = pace.untilIdle ? EXACT_TIME_LIMITS : TIME_LIMITS;
    const clock = await VirtualClock.stop(this.#cdp, limits).catch(rethrowAsUnavailable);
    const issueFrame = async () => (await Promise.race([this.#frame(), this.#lost.promise]))?.hasDamage ?? false;
    this.#virtual = new VirtualTime({ ...pace, clock, issueFrame });
    return this.#virtual;
  }

  /**
   * Runs `work` while no frame is issued, after the frame in progress has ended. Required for resizing the window: a
   * frame in progress would never end. Throws `BeginFrameUnavailable` as `stop` does.
   */
  async pauseWhile<T>(work: () => Promise<T>, timeoutMs?: number): Promise<T> {
    if (this.#virtual) return this.#virtual.hold(work);
    await this.stop(timeoutMs);
    try {
      return await work();
    } finally {
      this.#run();
    }
  }

  /**
   * Stops issuing frames after the one in progress. Waits for that one without limit unless `timeoutMs` is given.
   * Throws `BeginFrameUnavailable` when the browser paints no frame or the page does not finish its frame in time.
   */
  async stop(timeoutMs?: number): Promise<void> {
    if (this.#virtual) return this.#virtual.hold(() => Promise.resolve());
    if (!(await this.#painted)) throw new BeginFrameUnavailable("the browser paints no frame");
    this.#isStopping = true;
    this.#pause.abort();
    const stopping = Promise.race([this.#running.then(() => true), this.#lost.promise]);
    const hasStopped = timeoutMs === undefined ? await stopping : await withTimeout(stopping, timeoutMs);
    if (!hasStopped) throw new BeginFrameUnavailable("the page does not finish its frame");
  }

  /** Issues one frame, which may take long, as in a window that is as large as the page. */
  async frame(): Promise<void> {
    await this.pauseWhile(() => this.#frame(LONG_INTERVAL_MS));
  }

  /** Issues frames without a pause between them while `work`, which waits for frames, runs. */
  async unthrottled<T>(work: () => Promise<T>): Promise<T> {
    if (this.#virtual) return this.#virtual.during(work());
    this.#unthrottledUntil = performance.now() + MAX_UNTHROTTLED_MS;
    this.#pause.abort();
    try {
      return await Promise.race([work(), this.#lost.promise]);
    } finally {
      this.#unthrottledUntil = 0;
    }
  }

  /**
   * Runs `take`, which needs frames, such as a screenshot. It starts between two frames, because it may resize the
   * window. Throws `BeginFrameUnavailable` as `stop` does.
   */
  async withFrames<T>(take: () => Promise<T>): Promise<T> {
    const started = await this.pauseWhile(async () => ({ result: take() }));
    return this.unthrottled(() => started.result);
  }

  /**
   * Takes a screenshot of the window through BeginFrame itself, after the frames in which observers are notified. Throws
   * `BeginFrameUnavailable` when no frame has an image.
   */
  async screenshot(screenshot: Protocol.HeadlessExperimental.ScreenshotParams): Promise<Buffer> {
    await this.#virtual?.passFrames(FRAMES_BEFORE_SCREENSHOT); // observers are notified only while time passes
    return this.pauseWhile(async () => {
      for (let frame = 0; frame < FRAMES_BEFORE_SCREENSHOT && !this.#virtual; frame++) await this.#frame();
      return this.#capture(screenshot);
    });
  }

  /** Takes a screenshot of the window as it is now: virtual time does not pass. Throws as `screenshot` does. */
  async currentFrame(screenshot: Protocol.HeadlessExperimental.ScreenshotParams): Promise<Buffer> {
    return this.pauseWhile(() => this.#capture(screenshot));
  }

  async #capture(screenshot: Protocol.HeadlessExperimental.ScreenshotParams): Promise<Buffer> {
    // Each attempt has a frame time of its own: Chromium never finishes a frame of the same time as the one before.
    const beginFrame = () => this.#frames.issue({ ...this.#frameTime(), interval: LONG_INTERVAL_MS, screenshot });
    const image = await captureFrame(beginFrame);
    if (image !== undefined) return Buffer.from(image, "base64");
    throw new BeginFrameUnavailable("the page paints no image");
  }

  #run(first?: Promise<Frame | undefined>): void {
    this.#isStopping = false;
    this.#running = this.#issueFrames(first);
  }

  /** One frame at a time: Chromium refuses a BeginFrame while another is in progress. */
  async #issueFrames(first = this.#frame()): Promise<void> {
    for (let frame = first; ; frame = this.#frame()) {
      const startedAt = performance.now();
      if (!(await frame)) return; // the browser is gone; callers of the page get that error
      if (!this.#isStopping) await this.#throttle(startedAt + this.#intervalMs);
      if (this.#isStopping) return;
    }
  }

  #frameTime(): Protocol.HeadlessExperimental.BeginFrameRequest {
    const interval = this.#intervalMs;
    return this.#virtual ? { interval, frameTimeTicks: this.#virtual.nextTicks() } : { interval };
  }

  async #throttle(until: number): Promise<void> {
    const now = performance.now();
    if (now >= until || now < this.#unthrottledUntil) return;
    this.#pause = new AbortController();
    await sleep(until - now, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }

  /** Resolves to undefined when the browser is gone. Never settles for a frame that is lost, which `#lost` reports. */
  #frame(interval?: number): Promise<Frame | undefined> {
    return this.#frames.issue({ ...this.#frameTime(), ...(interval && { interval }) }).catch((error) => {
      if (!(error instanceof BeginFrameUnavailable)) return undefined;
      this.#lost.reject(error);
      return new Promise<never>(() => undefined);
    });
  }
}
