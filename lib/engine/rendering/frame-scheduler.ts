// Frame scheduler: issues BeginFrames to a page in begin-frame-control mode, where nothing is laid out, clicked or
// loaded lazily without frames.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";
import { BeginFrameUnavailable, captureFrame } from "./begin-frame.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { type PageOfVirtualTime, rethrowAsUnavailable, VirtualTime } from "./virtual-time.ts";

/** Longest wait for the first frame, which shows an empty page. */
const FIRST_FRAME_TIMEOUT_MS = 2_000;

/**
 * How long a frame takes before it is looked at. Chromium loses a frame that is in progress while the window is resized, which
 * it does by itself after some screenshots: a frame is lost that has not ended although the page responds and nothing computes,
 * twice in a row.
 */
const LATE_FRAME_MS = 1_500;
const LOST_LOOKS = 2;
const RESPONSE_MS = 500;

/** One frame delivers `IntersectionObserver` callbacks; what they change shows up in the next frame. */
const FRAMES_BEFORE_SCREENSHOT = 2;

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

type Frame = Protocol.HeadlessExperimental.BeginFrameResponse;

export class FrameScheduler {
  readonly #cdp: CDPSession;
  readonly #intervalMs: number;
  readonly #painted: Promise<boolean>;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  #unthrottledUntil = 0;
  /** Aborts the pause between two frames. */
  #pause = new AbortController();
  #virtual: VirtualTime | undefined;
  readonly #isIdle: () => Promise<boolean>;
  /** Rejects when a frame is lost: none can be issued any more. */
  readonly #lost = Promise.withResolvers<never>();

  /**
   * Starts issuing frames, at most `framesPerSecond` of them. `isIdle` resolves to whether the browser computes nothing; a
   * frame that never ends is recognised by it.
   */
  constructor(cdp: CDPSession, framesPerSecond: number, isIdle: () => Promise<boolean>) {
    this.#cdp = cdp;
    this.#isIdle = isIdle;
    this.#lost.promise.catch(() => undefined); // nothing may be waiting for frames
    this.#intervalMs = 1000 / framesPerSecond;
    const first = this.#frame();
    this.#painted = withTimeout(first, FIRST_FRAME_TIMEOUT_MS).then((frame) => frame !== undefined);
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

  /** Issues one frame. */
  async frame(): Promise<void> {
    await this.pauseWhile(() => this.#frame());
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
    const beginFrame = () => this.#cdp.send("HeadlessExperimental.beginFrame", { ...this.#frameTime(), screenshot });
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
  async #frame(): Promise<Frame | undefined> {
    const frame = this.#cdp.send("HeadlessExperimental.beginFrame", this.#frameTime()).catch(() => undefined);
    const late = setTimeout(() => void this.#lookAfter(frame), LATE_FRAME_MS).unref();
    return frame.finally(() => clearTimeout(late));
  }

  async #lookAfter(frame: Promise<Frame | undefined>): Promise<void> {
    let hasEnded = false;
    void frame.finally(() => {
      hasEnded = true;
    });
    for (let looks = 0; looks < LOST_LOOKS; looks = (await this.#isWithoutWork()) ? looks + 1 : 0) {
      await sleep(LATE_FRAME_MS, undefined, { ref: false });
      if (hasEnded) return;
    }
    if (!hasEnded) this.#lost.reject(new BeginFrameUnavailable("the browser has lost a frame"));
  }

  /** True when the page responds, and the browser computes nothing. */
  async #isWithoutWork(): Promise<boolean> {
    const asking = this.#cdp.send("Runtime.evaluate", { expression: "0" }).then(
      () => true,
      () => false,
    );
    return ((await withTimeout(asking, RESPONSE_MS)) ?? false) && (await this.#isIdle());
  }
}
