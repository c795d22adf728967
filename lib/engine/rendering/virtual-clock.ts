// The page's clock in our hands: it stands still until it is told to go on, by exactly as much as it is told.
import type { CDPSession, Protocol } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";
import { BeginFrameUnavailable } from "./begin-frame-unavailable.ts";

/** Longest wait, in real milliseconds, for what the page loads at one moment of its own time, and at all of them. */
const LOADING_MS = 1_500;
const LOADING_MS_IN_ALL = 3_000;

/** Longest real time a page may take for a step of its own: one that waits for its clock in a loop takes for ever. */
const BUSY_MS = 5_000;

/** How many tasks a page may run without its time moving before time moves anyway. */
const TASKS = 100_000;

const US_PER_MS = 1_000;

export class VirtualClock {
  /** Where it was stopped, on the scale of Chromium's frames: milliseconds. */
  readonly base: number;
  readonly #cdp: CDPSession;
  #now = 0;
  #waited = 0;

  private constructor(cdp: CDPSession, base: number) {
    this.#cdp = cdp;
    this.base = base;
  }

  /** Stops the clock of the page, for ever: no page of the browser gets back to real time. */
  static async stop(cdp: CDPSession): Promise<VirtualClock> {
    const stopping = cdp.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
    const stopped = await withTimeout(stopping, BUSY_MS);
    if (!stopped) throw new BeginFrameUnavailable("the page's clock does not stop");
    return new VirtualClock(cdp, stopped.virtualTimeTicksBase);
  }

  /** Microseconds since the clock was stopped. */
  get now(): number {
    return this.#now;
  }

  /**
   * Lets the page live until `us`, a later moment in whole microseconds. What it loads costs it no time, unless that
   * takes long or never ends. Throws `PaintingRefused` when the page does not get there.
   */
  async advanceTo(us: number): Promise<void> {
    const budget = (us - this.#now) / US_PER_MS;
    this.#now = us;
    const arrived = Promise.withResolvers<true>();
    this.#cdp.once("Emulation.virtualTimeBudgetExpired", () => arrived.resolve(true));
    const isPatient = this.#waited < LOADING_MS_IN_ALL;
    await this.#set({ policy: isPatient ? "pauseIfNetworkFetchesPending" : "advance", budget });
    if (isPatient) {
      const begun = performance.now();
      if (await withTimeout(arrived.promise, LOADING_MS)) return;
      this.#waited += performance.now() - begun;
      // The old budget goes on to hold. A new one would not end it, and either would tell of its end.
      await this.#set({ policy: "advance" });
    }
    if (!(await withTimeout(arrived.promise, BUSY_MS)))
      throw new BeginFrameUnavailable("the page's clock does not advance");
  }

  async #set(order: Protocol.Emulation.SetVirtualTimePolicyRequest): Promise<void> {
    const setting = this.#cdp.send("Emulation.setVirtualTimePolicy", {
      ...order,
      maxVirtualTimeTaskStarvationCount: TASKS,
    });
    if (!(await withTimeout(setting, BUSY_MS)))
      throw new BeginFrameUnavailable("the page does not finish what it does");
  }
}
