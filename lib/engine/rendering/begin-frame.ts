// BeginFrameControl (`HeadlessExperimental.beginFrame`): issues frames, ends those that hang, and takes screenshots by them.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";

/**
 * The page or the browser does not respond to BeginFrames, or to virtual time; the message says how that showed. The
 * capture can succeed in a browser that schedules its frames itself.
 */
export class BeginFrameUnavailable extends Error {
  override name = "BeginFrameUnavailable";
}

export type Frame = Protocol.HeadlessExperimental.BeginFrameResponse;

/** A frame has not ended, and could not be ended, although the browser computes nothing. */
export class FrameLost extends BeginFrameUnavailable {
  readonly command = "HeadlessExperimental.beginFrame";

  constructor() {
    super("the browser has lost a frame");
  }
}

/** When a frame is looked at that has not ended, and the pauses between looks: a busy browser needs its time for itself. */
export interface StallLimits {
  readonly lateMs: number;
  readonly pauseMs: number;
  /** Looks in a row in which nothing computes, after which a frame hangs. */
  readonly looks: number;
  /** How often a frame that hangs is ended before it counts as lost. */
  readonly attempts: number;
  /** Longest wait for a frame that is ended. */
  readonly endedMs: number;
}

const STALL_LIMITS: StallLimits = { lateMs: 50, pauseMs: 50, looks: 2, attempts: 3, endedMs: 1_500 };

/** Longest wait for a page that responds. */
const RESPONSE_MS = 500;

/**
 * Issues BeginFrames to a page, one at a time: Chromium refuses a BeginFrame while another is in progress. A frame that has not
 * ended although the page responds and the browser computes nothing never ends by itself; see `commitEveryFrame`, and Chromium
 * loses a frame that is in progress while the window is resized. It is ended by `endStalledFrame`.
 */
export class BeginFrames {
  readonly #cdp: CDPSession;
  readonly #isIdle: () => Promise<boolean>;
  readonly #limits: StallLimits;

  /** `isIdle` resolves to whether the browser computes nothing. */
  constructor(cdp: CDPSession, isIdle: () => Promise<boolean>, limits: StallLimits = STALL_LIMITS) {
    this.#cdp = cdp;
    this.#isIdle = isIdle;
    this.#limits = limits;
  }

  /** Rejects with `FrameLost` for a frame that cannot be ended, and with another error when the browser is gone. */
  async issue(parameters: Protocol.HeadlessExperimental.BeginFrameRequest): Promise<Frame> {
    const frame = this.#cdp.send("HeadlessExperimental.beginFrame", parameters);
    const lost = Promise.withResolvers<never>();
    let hasEnded = false;
    const watch = async () => {
      for (let attempt = 0; attempt < this.#limits.attempts; attempt++) {
        const stalled = this.#untilStalled(() => hasEnded);
        await (attempt === 0 ? stalled : withTimeout(stalled, this.#limits.endedMs)); // until then the page may be busy for any time
        if (hasEnded) return;
        await withTimeout(endStalledFrame(this.#cdp, frame), this.#limits.endedMs);
      }
      lost.reject(new FrameLost());
    };
    const late = setTimeout(() => void watch().catch(() => undefined), this.#limits.lateMs).unref(); // the browser is gone
    try {
      return await Promise.race([frame, lost.promise]);
    } finally {
      hasEnded = true;
      clearTimeout(late);
    }
  }

  async #untilStalled(hasEnded: () => boolean): Promise<void> {
    for (
      let looks = 0;
      looks < this.#limits.looks && !hasEnded();
      looks = (await this.#isWithoutWork()) ? looks + 1 : 0
    )
      await sleep(this.#limits.pauseMs, undefined, { ref: false });
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

/**
 * Ends a frame that hangs: the compositor of a window that is hidden does not wait for its trees to be drawn. The window is
 * shown again at once. `commitEveryFrame` keeps the page from the event of it.
 */
async function endStalledFrame(cdp: CDPSession, frame: Promise<unknown>): Promise<void> {
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  const showAs = (windowState: Protocol.Browser.WindowState) =>
    cdp.send("Browser.setWindowBounds", { windowId, bounds: { windowState } });
  await showAs("minimized");
  await withTimeout(frame, RESPONSE_MS);
  await showAs("normal");
}

/** Right after a page has changed, a frame can come without an image. */
const ATTEMPTS = 5;

/** Issues frames by `beginFrame` until one has an image, and returns it in base64; undefined after 5 attempts. */
export async function captureFrame(beginFrame: () => Promise<Frame>): Promise<string | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { screenshotData } = await beginFrame();
    if (screenshotData) return screenshotData;
  }
  return undefined;
}
