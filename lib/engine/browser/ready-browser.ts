// Ready browser: launched after a capture, so that the next capture in this sandbox finds Chromium running.
import { logError } from "../../service/platform/log.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { BrowserSession } from "./browser.ts";

/** Longest wait for the launch: the invocation lasts as long, although its response has been sent. */
const LAUNCH_TIMEOUT_MS = 3_000;

/** Longest wait for a sign of life. Lambda freezes a sandbox between two invocations, for minutes or hours. */
const RESPONSE_TIMEOUT_MS = 500;

/** How far Chromium's clock may differ from that of this process. */
const MAX_CLOCK_SKEW_MS = 1_000;

interface HeldBrowser {
  /** Rejects when it does not start, which is logged. */
  readonly launching: Promise<BrowserSession>;
  readonly isLaunchedAhead: boolean;
  hasFailed: boolean;
  /** Cancels its launch. */
  abort(): void;
}

export interface BrowserPreparation {
  /** Longest time of the launch, in milliseconds. @default 3,000 */
  readonly timeoutMs?: number;
  /** False when it is launched for a capture that is requested already. @default true */
  readonly isAhead?: boolean;
}

/**
 * Holds at most one browser, which has never loaded a page: each capture still has a Chromium of its own. `launch` aborts
 * with its signal.
 */
export class ReadyBrowser {
  readonly #launch: (signal: AbortSignal) => Promise<BrowserSession>;
  #held: HeldBrowser | undefined;
  /** Resolves when the browsers that were discarded are cleaned up. */
  #discarding: Promise<void> = Promise.resolve();

  constructor(launch: (signal: AbortSignal) => Promise<BrowserSession>) {
    this.#launch = launch;
  }

  /** Launches the browser unless there is one. Resolves when it is ready or has failed, which is logged; never rejects. */
  async prepare({ timeoutMs = LAUNCH_TIMEOUT_MS, isAhead = true }: BrowserPreparation = {}): Promise<void> {
    if (!this.#held || this.#held.hasFailed) this.#held = this.#start(timeoutMs, isAhead);
    await this.#held.launching.catch(() => undefined);
  }

  #start(timeoutMs: number, isLaunchedAhead: boolean): HeldBrowser {
    const expired = new AbortController();
    const launch = async () => {
      await this.#discarding;
      const timer = setTimeout(() => expired.abort(), timeoutMs);
      try {
        // No frame is painted yet: a frame that is in progress while the first capture resizes the window never ends.
        return await this.#launch(expired.signal);
      } catch (error) {
        logError("no browser was launched ahead", error);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
    const held = { launching: launch(), isLaunchedAhead, hasFailed: false, abort: () => expired.abort() };
    held.launching.catch(() => {
      held.hasFailed = true;
    });
    return held;
  }

  /**
   * Hands the browser over to its capture, once it is ready. Undefined when there is none, or it does not respond and was
   * killed. Rejects when it was launched for this capture and does not start.
   */
  async take(): Promise<BrowserSession | undefined> {
    const held = this.#held;
    this.#held = undefined;
    if (!held || (held.hasFailed && held.isLaunchedAhead)) return undefined;
    const session = await held.launching;
    if (await isUsable(session)) return { ...session, ...(held.isLaunchedAhead && { isLaunchedAhead: true }) };
    this.#discarding = session.close();
    return undefined;
  }

  /** Kills the browser at once, if there is one. Resolves when it is cleaned up; `prepare` waits for that, too. */
  discard(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    held?.abort();
    if (held)
      this.#discarding = held.launching.then(
        (session) => session.close(),
        () => undefined,
      );
    return this.#discarding;
  }
}

/** True when the renderer responds and has the right time: a process thawed late may have neither. */
async function isUsable({ browser, cdp }: BrowserSession): Promise<boolean> {
  if (!browser.connected) return false;
  const asking = cdp.send("Runtime.evaluate", { expression: "Date.now()", returnByValue: true }).catch(() => undefined);
  const answer = await withTimeout(asking, RESPONSE_TIMEOUT_MS);
  return Math.abs(Number(answer?.result.value) - Date.now()) < MAX_CLOCK_SKEW_MS;
}
