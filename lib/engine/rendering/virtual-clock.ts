// Virtual time: the page's clock stands still and advances only by the amounts set here
// (`Emulation.setVirtualTimePolicy`).
import type { CDPSession, Protocol } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";
import { BeginFrameUnavailable } from "./begin-frame.ts";

/** Longest real time to wait for pending requests: at one point of virtual time, and in total. */
const MAX_LOADING_MS = 1_500;
const MAX_TOTAL_LOADING_MS = 3_000;

/** Longest real time for one advance of the clock: a page that busy-waits for its clock never gets there. */
const MAX_BUSY_MS = 5_000;

/** Tasks the page may run without virtual time moving before it moves anyway (starvation limit). */
const MAX_TASKS_WITHOUT_PROGRESS = 100_000;

const US_PER_MS = 1_000;

export class VirtualClock {
  /** When the clock was stopped, in milliseconds on the scale of Chromium's frame times. */
  readonly base: number;
  readonly #cdp: CDPSession;
  #now = 0;
  #loadingMs = 0;

  private constructor(cdp: CDPSession, base: number) {
    this.#cdp = cdp;
    this.base = base;
  }

  /** Switches to virtual time, for good: no page of this browser returns to real time. */
  static async stop(cdp: CDPSession): Promise<VirtualClock> {
    const stopping = cdp.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
    const stopped = await withTimeout(stopping, MAX_BUSY_MS);
    if (!stopped) throw new BeginFrameUnavailable("the page's clock does not stop");
    return new VirtualClock(cdp, stopped.virtualTimeTicksBase);
  }

  /** Virtual microseconds since the clock was stopped. */
  get now(): number {
    return this.#now;
  }

  /**
   * Advances virtual time to `us`, a later moment in whole microseconds. Pending requests take no virtual time, unless
   * they take long or never end. Throws `BeginFrameUnavailable` when the page does not get there.
   */
  async advanceTo(us: number): Promise<void> {
    const budget = (us - this.#now) / US_PER_MS;
    this.#now = us;
    const expired = Promise.withResolvers<true>();
    this.#cdp.once("Emulation.virtualTimeBudgetExpired", () => expired.resolve(true));
    const waitsForRequests = this.#loadingMs < MAX_TOTAL_LOADING_MS;
    await this.#setPolicy({ policy: waitsForRequests ? "pauseIfNetworkFetchesPending" : "advance", budget });
    if (waitsForRequests) {
      const startedAt = performance.now();
      if (await withTimeout(expired.promise, MAX_LOADING_MS)) return;
      this.#loadingMs += performance.now() - startedAt;
      // The old budget stays in force. A new one would not end it, and both would report their expiry.
      await this.#setPolicy({ policy: "advance" });
    }
    if (!(await withTimeout(expired.promise, MAX_BUSY_MS)))
      throw new BeginFrameUnavailable("the page's clock does not advance");
  }

  async #setPolicy(policy: Protocol.Emulation.SetVirtualTimePolicyRequest): Promise<void> {
    const setting = this.#cdp.send("Emulation.setVirtualTimePolicy", {
      ...policy,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS_WITHOUT_PROGRESS,
    });
    if (!(await withTimeout(setting, MAX_BUSY_MS)))
      throw new BeginFrameUnavailable("the page does not finish what it does");
  }
}
