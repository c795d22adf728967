// Ready browser: launched after a capture, so that the next capture in this sandbox finds Chromium running.
import { logError } from "../../platform/log.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { BrowserSession } from "./browser.ts";

/** Longest wait for the launch: the invocation lasts as long, although its response has been sent. */
const LAUNCH_TIMEOUT_MS = 3_000;

/** Longest wait for a sign of life. Lambda freezes a sandbox between two invocations, for minutes or hours. */
const RESPONSE_TIMEOUT_MS = 500;

/** How far Chromium's clock may differ from that of this process. */
const MAX_CLOCK_SKEW_MS = 1_000;

/**
 * Holds at most one browser, which has never loaded a page: each capture still has a Chromium of its own. `launch` aborts
 * with its signal.
 */
export class ReadyBrowser {
  readonly #launch: (signal: AbortSignal) => Promise<BrowserSession>;
  #session: BrowserSession | undefined;
  /** Resolves when the browsers that were discarded are cleaned up. */
  #discarding: Promise<void> = Promise.resolve();

  constructor(launch: (signal: AbortSignal) => Promise<BrowserSession>) {
    this.#launch = launch;
  }

  /** Launches the browser unless there is one. Resolves when it is ready or has failed, which is logged; never rejects. */
  async prepare(): Promise<void> {
    await this.#discarding;
    if (this.#session) return;
    const expired = new AbortController();
    const timer = setTimeout(() => expired.abort(), LAUNCH_TIMEOUT_MS);
    try {
      // No frame is painted yet: a frame that is in progress while the first capture resizes the window never ends.
      this.#session = await this.#launch(expired.signal);
    } catch (error) {
      logError("no browser was launched ahead", error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Hands the browser over to its capture. Undefined when there is none, or it does not respond and was killed. */
  async take(): Promise<BrowserSession | undefined> {
    const session = this.#session;
    this.#session = undefined;
    if (!session) return undefined;
    if (await isUsable(session)) return { ...session, isLaunchedAhead: true };
    this.#close(session);
    return undefined;
  }

  /** Kills the browser at once, if there is one. Resolves when it is cleaned up. */
  discard(): Promise<void> {
    if (this.#session) this.#close(this.#session);
    this.#session = undefined;
    return this.#discarding;
  }

  /** Kills its processes at once; `prepare` waits until they are cleaned up. */
  #close(session: BrowserSession): void {
    this.#discarding = session.close();
  }
}

/** True when the renderer responds and has the right time: a process thawed late may have neither. */
async function isUsable({ browser, cdp }: BrowserSession): Promise<boolean> {
  if (!browser.connected) return false;
  const asking = cdp.send("Runtime.evaluate", { expression: "Date.now()", returnByValue: true }).catch(() => undefined);
  const answer = await withTimeout(asking, RESPONSE_TIMEOUT_MS);
  return Math.abs(Number(answer?.result.value) - Date.now()) < MAX_CLOCK_SKEW_MS;
}
