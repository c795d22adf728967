// Virtual time: the page's clock stands still and advances only by the amounts set here
// (`Emulation.setVirtualTimePolicy`).
import type { CDPSession, Protocol } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";
import { BeginFrameUnavailable } from "./begin-frame.ts";

/** Longest waits in milliseconds of real time. */
export interface TimeLimits {
  /** For pending requests at one point of virtual time. */
  readonly loadingMs: number;
  /** For pending requests at all points together. */
  readonly totalLoadingMs: number;
  /** What happens after `loadingMs`: time passes although requests are pending, or `RequestStalled` is thrown. */
  readonly afterLoading: "advance" | "fail";
  /** For the page to finish what it does: one that waits for its clock in a loop never does. */
  readonly busyMs: number;
}

/** A request has been pending for longer than a clock may stand still that never passes it. */
export class RequestStalled extends Error {
  override name = "RequestStalled";
}

/** Tasks the page may run without virtual time moving before it moves anyway (starvation limit). */
const MAX_TASKS_WITHOUT_PROGRESS = 100_000;

const US_PER_MS = 1_000;

export class VirtualClock {
  /** When the clock was stopped, in milliseconds on the scale of Chromium's frame times. */
  readonly base: number;
  readonly #cdp: CDPSession;
  #now = 0;
  readonly #limits: TimeLimits;
  #loadingMs = 0;

  private constructor(cdp: CDPSession, base: number, limits: TimeLimits) {
    this.#cdp = cdp;
    this.base = base;
    this.#limits = limits;
  }

  /** Switches to virtual time, for good: no page of this browser returns to real time. */
  static async stop(cdp: CDPSession, limits: TimeLimits): Promise<VirtualClock> {
    const stopping = cdp.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
    const stopped = await withTimeout(stopping, limits.busyMs);
    if (!stopped) throw new BeginFrameUnavailable("the page's clock does not stop");
    return new VirtualClock(cdp, stopped.virtualTimeTicksBase, limits);
  }

  /** Virtual microseconds since the clock was stopped. */
  get now(): number {
    return this.#now;
  }

  /**
   * Advances virtual time to `us`, a later moment in whole microseconds. Pending requests take no virtual time, unless
   * they take long or never end. Throws `BeginFrameUnavailable` when the page does not get there, and `RequestStalled`
   * where the limits say so.
   */
  async advanceTo(us: number): Promise<void> {
    const budget = (us - this.#now) / US_PER_MS;
    this.#now = us;
    const expired = Promise.withResolvers<true>();
    this.#cdp.once("Emulation.virtualTimeBudgetExpired", () => expired.resolve(true));
    const { loadingMs, totalLoadingMs, afterLoading, busyMs } = this.#limits;
    const waitsForRequests = this.#loadingMs < totalLoadingMs;
    await this.#setPolicy({ policy: waitsForRequests ? "pauseIfNetworkFetchesPending" : "advance", budget });
    if (waitsForRequests) {
      const startedAt = performance.now();
      if (await withTimeout(expired.promise, loadingMs)) return;
      if (afterLoading === "fail") throw new RequestStalled();
      this.#loadingMs += performance.now() - startedAt;
      // The old budget stays in force. A new one would not end it, and both would report their expiry.
      await this.#setPolicy({ policy: "advance" });
    }
    if (!(await withTimeout(expired.promise, busyMs)))
      throw new BeginFrameUnavailable("the page's clock does not advance");
  }

  async #setPolicy(policy: Protocol.Emulation.SetVirtualTimePolicyRequest): Promise<void> {
    const setting = this.#cdp.send("Emulation.setVirtualTimePolicy", {
      ...policy,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS_WITHOUT_PROGRESS,
    });
    if (!(await withTimeout(setting, this.#limits.busyMs)))
      throw new BeginFrameUnavailable("the page does not finish what it does");
  }
}
