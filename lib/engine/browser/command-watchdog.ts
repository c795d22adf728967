// Watchdog for DevTools commands: notices one that is not answered although nothing in the browser works for it.
import type { CDPSession } from "puppeteer-core";
import { withTimeout } from "../timing/with-timeout.ts";

/** The browser does not answer a command, and computes nothing. The same command can succeed in another browser. */
export class CommandHung extends Error {
  override name = "CommandHung";
  readonly command: string;

  constructor(command: string) {
    super(`The browser does not answer ${command}.`);
    this.command = command;
  }
}

export interface WatchdogLimits {
  /** How long a command takes before the browser is looked at. */
  readonly lateMs: number;
  /** Pause between two looks. */
  readonly pauseMs: number;
  /** Looks in a row between which nothing has worked, after which the command hangs. */
  readonly looks: number;
}

/** Far less than the default timeout of a capture, far more than the pauses of a browser that the machine does not let run. */
const LIMITS: WatchdogLimits = { lateMs: 4_000, pauseMs: 500, looks: 6 };

/** Longest wait for a page that responds; one that computes does not. */
const RESPONSE_MS = 400;

/** Commands that wait for the network, for what the page does, or for frames, which `BeginFrames` looks after. */
const WAITING = /^(?:Fetch|HeadlessExperimental|IO|Input|Network)\.|^Page\.(?:navigate|reload)$/;

/** What returns whether a browser that does not answer works. */
export interface WatchedBrowser {
  /** Resolves to whether something has worked for the page since the last call, other than the threads that serve commands. */
  hasWorked(): boolean;
  /** True while the page waits for the network. */
  isLoading(): boolean;
}

/**
 * Watches the commands of a session from now on; `stop` ends that. `hung` rejects with `CommandHung`, and is pending otherwise. A
 * page that computes, or waits for the network, is not taken for a browser that hangs: its timeout ends that.
 */
export function watchCommands(
  cdp: CDPSession,
  browser: WatchedBrowser,
  { lateMs, pauseMs, looks }: WatchdogLimits = LIMITS,
): { readonly hung: Promise<never>; stop(): void } {
  const pending = new Set<{ readonly method: string; readonly since: number }>();
  const hung = Promise.withResolvers<never>();
  hung.promise.catch(() => undefined); // the capture may be over
  const send = cdp.send.bind(cdp);
  cdp.send = ((method, parameters, options) => {
    const answer = send(method, parameters, options);
    if (WAITING.test(method) || awaitsPromise(parameters)) return answer;
    const command = { method, since: performance.now() };
    pending.add(command);
    const forget = () => void pending.delete(command);
    answer.then(forget, forget);
    return answer;
  }) satisfies typeof send;

  let quiet = 0;
  let last: unknown;
  const look = async () => {
    const [oldest] = pending;
    if (!oldest || oldest.since > performance.now() - lateMs) return;
    const responding = send("Runtime.evaluate", { expression: "0" }).then(
      () => true,
      () => false, // the browser is gone
    );
    const hasWorked = browser.hasWorked();
    const isQuiet = !hasWorked && !browser.isLoading() && ((await withTimeout(responding, RESPONSE_MS)) ?? false);
    quiet = isQuiet && oldest === last ? quiet + 1 : 0;
    last = oldest;
    if (quiet >= looks && pending.has(oldest)) hung.reject(new CommandHung(oldest.method));
  };
  const timer = setInterval(() => void look().catch(() => undefined), pauseMs).unref(); // the browser is gone
  return { hung: hung.promise, stop: () => clearInterval(timer) };
}

function awaitsPromise(parameters: unknown): boolean {
  return (parameters as { awaitPromise?: boolean } | undefined)?.awaitPromise === true;
}
