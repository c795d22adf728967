// Life for a page that is painted on demand only, until its film begins: without frames nothing is laid out, clicked or loaded lazily.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "puppeteer-core";
import { within } from "../within.ts";
import { TimeRefused } from "./time-refused.ts";

/** As a weak screen does: more frames would only cost. */
const INTERVAL_MS = 1000 / 30;

/** The first frame is that of an empty page. */
const FIRST_FRAME_MS = 2_000;

/** A page that does not finish a frame for so long would not do so in its film either. */
const LAST_FRAME_MS = 5_000;

export class FramePump {
  readonly #cdp: CDPSession;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  /** Begins to paint a page. Throws `TimeRefused` where this browser does not paint on demand. */
  static async start(cdp: CDPSession): Promise<FramePump> {
    const pump = new FramePump(cdp);
    if ((await within(pump.#frame(), FIRST_FRAME_MS)) === undefined)
      throw new TimeRefused("the browser paints no frame");
    pump.#run();
    return pump;
  }

  /**
   * Paints no more while `work` is done, after the frame that is under way. A window must not be resized otherwise: the
   * frame would never end. Throws `TimeRefused` when the page does not finish it.
   */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    await this.stop();
    try {
      return await work();
    } finally {
      this.#run();
    }
  }

  /** Paints no more, after the frame that is under way. Throws `TimeRefused` when the page does not finish it. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    const ended = await within(
      this.#running.then(() => true),
      LAST_FRAME_MS,
    );
    if (!ended) throw new TimeRefused("the page does not finish its frame");
  }

  #run(): void {
    this.#isRunning = true;
    this.#running = this.#paint();
  }

  /** One frame at a time: Chromium refuses another one while one is under way. */
  async #paint(): Promise<void> {
    while (this.#isRunning) {
      const begun = performance.now();
      if (!(await this.#frame())) return; // the browser has gone, which whoever waits for the page is told
      await sleep(Math.max(0, begun + INTERVAL_MS - performance.now()));
    }
  }

  async #frame(): Promise<boolean> {
    const frame = this.#cdp.send("HeadlessExperimental.beginFrame", { interval: INTERVAL_MS });
    return frame.then(
      () => true,
      () => false,
    );
  }
}
