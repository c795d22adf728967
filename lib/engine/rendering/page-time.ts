// The time of the page, in which waits are measured: virtual where the capture controls the clock of the page, else real.
import { setTimeout as sleep } from "node:timers/promises";
import type { CapturedPage } from "../page/captured-page.ts";
import { withTimeout } from "../timing/with-timeout.ts";

type TimedPage = Pick<CapturedPage, "frameScheduler">;

/**
 * Takes over the clock of a page that has loaded, if it settles in virtual time and follows nothing that happens in real
 * time.
 */
export async function startVirtualTime(page: CapturedPage): Promise<void> {
  const { frameScheduler, activity, settlesInVirtualTime } = page;
  if (!settlesInVirtualTime || !frameScheduler || frameScheduler.virtualTime) return;
  if (!activity.document.loaded || activity.followsRealTime) return;
  activity.followClock(await frameScheduler.startVirtualTime({ needsRealTime: () => activity.needsRealTime }));
}

/**
 * Starts a timeout of `ms` milliseconds. Returns how many are left: on the clock of the page or in real time, whichever ends
 * first. Exact time counts alone.
 */
export function startTimeout({ frameScheduler }: TimedPage, ms: number): () => number {
  const virtual = frameScheduler?.virtualTime;
  const pageNow = () => virtual?.now ?? performance.now();
  const [inPage, inRealTime] = [pageNow() + ms, performance.now() + ms];
  if (virtual?.isExact) return () => inPage - pageNow();
  return () => Math.min(inPage - pageNow(), inRealTime - performance.now());
}

/**
 * Runs a wait that may fail, and once more at the pace of real time where it fails in virtual time: what takes real time, such
 * as a database or the compilation of WebAssembly, does not go faster when the page's clock does. In exact time, which waits
 * for that, it runs once.
 */
export async function retryAtRealPace<T>(
  { frameScheduler }: TimedPage,
  wait: () => Promise<T>,
  isMet: (result: T) => boolean,
): Promise<T> {
  const result = await wait();
  const virtual = frameScheduler?.virtualTime;
  return virtual && !virtual.isExact && !isMet(result) ? virtual.atRealPace(wait) : result;
}

/** Resolves when `ms` milliseconds have passed for the page. */
export async function passTime({ frameScheduler }: TimedPage, ms: number): Promise<void> {
  const virtual = frameScheduler?.virtualTime;
  if (virtual) await virtual.pass(ms);
  else await sleep(ms);
}

/** Lets time pass for the page until `work` settles. */
export function whileTimePasses<T>({ frameScheduler }: TimedPage, work: Promise<T>): Promise<T> {
  return frameScheduler?.virtualTime?.during(work) ?? work;
}

/** Runs `work`, which waits in real time for what the page does, while the page's time passes at that pace. */
export function atRealPace<T>({ frameScheduler }: TimedPage, work: () => Promise<T>): Promise<T> {
  const virtual = frameScheduler?.virtualTime;
  return virtual ? virtual.atRealPace(() => virtual.during(work())) : work();
}

/** Waits for `work` for at most `ms` milliseconds of the page's time. Resolves to undefined when it has not settled by then. */
export function withPageTimeout<T>(
  { frameScheduler }: TimedPage,
  work: Promise<T>,
  ms: number,
): Promise<T | undefined> {
  const virtual = frameScheduler?.virtualTime;
  if (virtual?.isExact) return virtual.passWhile(ms, work);
  return withTimeout(virtual?.passWhile(ms, work) ?? work, ms);
}
