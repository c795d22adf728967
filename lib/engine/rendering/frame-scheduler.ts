// Life for a page that is painted on demand only: without frames nothing is laid out, clicked or loaded lazily.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { captureFrame } from "../outputs/screenshot/frame-screenshot.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import { BeginFrameUnavailable } from "./begin-frame-unavailable.ts";

/** The first frame is that of an empty page. */
const FIRST_FRAME_MS = 2_000;

/** What came into view tells the page in one frame (`IntersectionObserver`), and what the page does then is seen in the next. */
const FRAMES_BEFORE = 2;

/** Longest time without a pause between frames: what takes longer is not waiting for them alone. */
const HURRY_MS = 100;

export class FrameScheduler {
  readonly #cdp: CDPSession;
  readonly #interval: number;
  readonly #painted: Promise<boolean>;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  #hurriedUntil = 0;
  /** Ends the pause that the pump is in. */
  #pause = new AbortController();

  /** Begins to paint a page, so many frames in a second at most. */
  constructor(cdp: CDPSession, framesPerSecond: number) {
    this.#cdp = cdp;
    this.#interval = 1000 / framesPerSecond;
    const first = this.#frame();
    this.#painted = withTimeout(first, FIRST_FRAME_MS).then((frame) => frame !== undefined);
    this.#run(first);
  }

  /**
   * Paints no more while `work` is done, after the frame that is under way. A window must not be resized otherwise: the
   * frame would never end. Throws `PaintingRefused` as `stop` does.
   */
  async pauseWhile<T>(work: () => Promise<T>, patienceMs?: number): Promise<T> {
    await this.stop(patienceMs);
    try {
      return await work();
    } finally {
      this.#run();
    }
  }

  /**
   * Paints no more, after the frame that is under way. Throws `PaintingRefused` when the browser paints none, or the page
   * does not finish it in time; unless told, it has all the time it needs.
   */
  async stop(patienceMs?: number): Promise<void> {
    if (!(await this.#painted)) throw new BeginFrameUnavailable("the browser paints no frame");
    this.#isStopping = true;
    this.#pause.abort();
    const ending = this.#running.then(() => true);
    const ended = patienceMs === undefined ? await ending : await withTimeout(ending, patienceMs);
    if (!ended) throw new BeginFrameUnavailable("the page does not finish its frame");
  }

  /** Paints one frame. */
  async frame(): Promise<void> {
    await this.pauseWhile(() => this.#frame());
  }

  /** Paints frame after frame while `work` is done, which waits for them. */
  async unthrottled<T>(work: () => Promise<T>): Promise<T> {
    this.#hurriedUntil = performance.now() + HURRY_MS;
    this.#pause.abort();
    try {
      return await work();
    } finally {
      this.#hurriedUntil = 0;
    }
  }

  /**
   * Whatever `take` makes of frames that are painted for it. It begins between two of them, as it may resize the window.
   * Throws `PaintingRefused` as `stop` does.
   */
  async withFrames<T>(take: () => Promise<T>): Promise<T> {
    const taking = await this.pauseWhile(async () => ({ picture: take() }));
    return this.unthrottled(() => taking.picture);
  }

  /** The window as the page paints it now. Throws `PaintingRefused` where there is none. */
  shoot(screenshot: Protocol.HeadlessExperimental.ScreenshotParams): Promise<Buffer> {
    return this.pauseWhile(async () => {
      for (let frame = 0; frame < FRAMES_BEFORE; frame++) await this.#frame();
      const painting = { interval: this.#interval, screenshot };
      const picture = await captureFrame(() => this.#cdp.send("HeadlessExperimental.beginFrame", painting));
      if (picture !== undefined) return Buffer.from(picture, "base64");
      throw new BeginFrameUnavailable("the page paints no picture");
    });
  }

  #run(first?: Promise<boolean>): void {
    this.#isStopping = false;
    this.#running = this.#paint(first);
  }

  /** One frame at a time: Chromium refuses another one while one is under way. */
  async #paint(first = this.#frame()): Promise<void> {
    for (let frame = first; ; frame = this.#frame()) {
      const begun = performance.now();
      if (!(await frame)) return; // the browser has gone, which whoever waits for the page is told
      if (!this.#isStopping) await this.#rest(begun + this.#interval);
      if (this.#isStopping) return;
    }
  }

  async #rest(until: number): Promise<void> {
    const now = performance.now();
    if (now >= until || now < this.#hurriedUntil) return;
    this.#pause = new AbortController();
    await sleep(until - now, undefined, { signal: this.#pause.signal }).catch(() => undefined);
  }

  async #frame(): Promise<boolean> {
    const frame = this.#cdp.send("HeadlessExperimental.beginFrame", { interval: this.#interval });
    return frame.then(
      () => true,
      () => false,
    );
  }
}
