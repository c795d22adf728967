// The page's clock in our hands: it stands still until it is told to go on, by exactly as much as it is told.
import type { CDPSession } from "puppeteer-core";
import { callApart } from "../page/isolated-world.ts";
import { within } from "../within.ts";
import { TimeRefused } from "./time-refused.ts";

/** Longest wait, in real milliseconds, for what the page loads at one moment of its own time, and at all of them. */
const LOADING_MS = 1_500;
const LOADING_MS_IN_ALL = 3_000;

/** Longest real time a page may take for a step of its own: one that waits for its clock in a loop takes for ever. */
const BUSY_MS = 5_000;

/** How many tasks a page may run without its time moving before time moves anyway. */
const TASKS = 100_000;

const US_PER_MS = 1_000;

type Policy = "pauseIfNetworkFetchesPending" | "advance";

export class VirtualClock {
  /** Where it was stopped, on the scale of Chromium's frames: milliseconds. */
  readonly base: number;
  readonly #cdp: CDPSession;
  /** The page's own time at that moment, in milliseconds since 1970. */
  readonly #origin: number;
  #now = 0;
  #waited = 0;

  private constructor(cdp: CDPSession, { base, origin }: { base: number; origin: number }) {
    this.#cdp = cdp;
    this.base = base;
    this.#origin = origin;
  }

  /** Stops the clock of the page, for ever: no page of the browser gets back to real time. */
  static async stop(cdp: CDPSession): Promise<VirtualClock> {
    const stopping = cdp.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
    const stopped = await within(stopping, BUSY_MS);
    const origin = await within(pageTime(cdp), BUSY_MS);
    if (!stopped || origin === undefined) throw new TimeRefused("the page's clock does not stop");
    return new VirtualClock(cdp, { base: stopped.virtualTimeTicksBase, origin });
  }

  /** Microseconds since the clock was stopped. */
  get now(): number {
    return this.#now;
  }

  /**
   * Lets the page live until `us`, a later moment in whole microseconds. What it loads costs it no time, unless that
   * takes long or never ends. Throws `TimeRefused` when the page does not get there.
   */
  async advanceTo(us: number): Promise<void> {
    let budget = (us - this.#now) / US_PER_MS;
    this.#now = us;
    if (this.#waited < LOADING_MS_IN_ALL) {
      const begun = performance.now();
      if (await this.#spend("pauseIfNetworkFetchesPending", budget, LOADING_MS)) return;
      this.#waited += performance.now() - begun;
      budget = await this.#left(us);
    }
    if (budget <= 0 || (await this.#spend("advance", budget, BUSY_MS))) return;
    throw new TimeRefused("the page's clock does not advance");
  }

  /** Milliseconds from where the page has got to until `us`: it may have waited in the middle of a step. */
  async #left(us: number): Promise<number> {
    const stopping = this.#cdp.send("Emulation.setVirtualTimePolicy", { policy: "pause" });
    const time = await within(
      stopping.then(() => pageTime(this.#cdp)),
      BUSY_MS,
    );
    if (time === undefined) throw new TimeRefused("the page does not finish what it does");
    return us / US_PER_MS - (time - this.#origin);
  }

  async #spend(policy: Policy, budget: number, patience: number): Promise<boolean> {
    const expired = Promise.withResolvers<true>();
    const expire = () => expired.resolve(true);
    this.#cdp.once("Emulation.virtualTimeBudgetExpired", expire);
    const order = { policy, budget, maxVirtualTimeTaskStarvationCount: TASKS };
    const setting = this.#cdp.send("Emulation.setVirtualTimePolicy", order).then(() => expired.promise);
    const isSpent = (await within(setting, patience)) === true;
    if (!isSpent) this.#cdp.off("Emulation.virtualTimeBudgetExpired", expire);
    return isSpent;
  }
}

/** In milliseconds since 1970, as the page's own scripts would read it. */
async function pageTime(cdp: CDPSession): Promise<number> {
  const { value } = await callApart(cdp, readTime, [], { byValue: true });
  return value as number;
}

function readTime(): number {
  return performance.timeOrigin + performance.now();
}
