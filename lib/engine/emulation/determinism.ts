// Deterministic captures: the page has the same clock, the same random numbers and the same processors in every capture.
import { setImmediate } from "node:timers/promises";
import type { CDPSession } from "puppeteer-core";
import { IdleMonitor, type Idleness } from "../browser/process-idle.ts";
import { notDeterministic } from "../errors/target-errors.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { injectedCall } from "../page/injected-scripts.ts";
import { EXACT_STEP_MS } from "../rendering/virtual-time.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import { HARDWARE_CONCURRENCY } from "./fingerprint-profile.ts";

/** Longest computation between two steps of the page's time. */
const MAX_BUSY_MS = 15_000;

/**
 * Stops the page's clock, which from now on passes by the same steps in every capture, and replaces the sources of chance. Call
 * it right before the navigation. `startsAt` is what the page's clock shows at that moment, in milliseconds since 1970.
 * Later waits throw `NOT_DETERMINISTIC` for a page that depends on real time.
 */
export async function startDeterminism(page: CapturedPage, startsAt: number): Promise<void> {
  const { session, activity, frameScheduler } = page;
  const { cdp } = session;
  if (!frameScheduler) throw new Error("Exact time needs frames that are issued one by one.");
  // Timers of workers sleep for real; see `VirtualTime`.
  const needsRealTime = () => activity.realTimeUses.has("worker");
  const monitor = new IdleMonitor(session.browser);
  const workers = trackWorkers(cdp);
  const untilIdle = async () => {
    const idleness = await assertIdle({ monitor, workers });
    await untilAnswered(cdp);
    return idleness;
  };
  const streams = untilStream(page);
  streams.catch(() => undefined); // it may reject between two advances; the next one reports it
  const explainStall = (advance: Promise<void>) =>
    Promise.race([advance.catch((error) => rethrowStall(error, workers)), streams]);
  activity.followClock(await frameScheduler.startVirtualTime({ needsRealTime, untilIdle, explainStall }));
  const source = await injectedCall("determinism", "installDeterminism", {
    startsAt,
    browserStart: await readTime(cdp),
    workerStepMs: EXACT_STEP_MS,
  });
  // Puppeteer holds a new worker until after this event. A page's session has a document.
  const beforeWorker = (worker: CDPSession) =>
    Promise.all([
      worker.send("Runtime.evaluate", { expression: `"document" in globalThis || ${source}` }),
      worker.send("Emulation.setHardwareConcurrencyOverride", PROCESSORS),
    ]);
  cdp.connection()?.on("sessionattached", (attached) => void beforeWorker(attached).catch(() => undefined));
  await Promise.all([
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source }),
    cdp.send("Emulation.setHardwareConcurrencyOverride", PROCESSORS),
    // A service worker would answer requests at a moment of its own.
    cdp.send("Network.setBypassServiceWorker", { bypass: true }),
  ]);
}

/**
 * Resolves when the answers to all commands that the page can answer have arrived. Otherwise the processor would decide whether
 * a wait that has ended is given another frame.
 */
async function untilAnswered(cdp: CDPSession): Promise<void> {
  await cdp.send("Runtime.evaluate", { expression: "0" }).catch(() => undefined); // a page that is gone answers nothing
  await setImmediate();
}

const PROCESSORS = { hardwareConcurrency: HARDWARE_CONCURRENCY };

/** The browser's time in milliseconds since 1970, with fractions. */
async function readTime(cdp: CDPSession): Promise<number> {
  const expression = "performance.timeOrigin + performance.now()";
  const { result } = await cdp.send("Runtime.evaluate", { expression, returnByValue: true });
  return Number(result.value);
}

/** The sessions of the page's workers, as long as they run. */
function trackWorkers(cdp: CDPSession): ReadonlySet<CDPSession> {
  const workers = new Set<CDPSession>();
  cdp.on("sessionattached", (worker) => workers.add(worker));
  cdp.on("sessiondetached", (worker) => workers.delete(worker));
  return workers;
}

interface Workplaces {
  readonly monitor: IdleMonitor;
  readonly workers: ReadonlySet<CDPSession>;
}

/** Rejects once the page has opened a stream of messages: a clock that waits for requests would wait for it for ever. */
async function untilStream({ activity }: CapturedPage): Promise<never> {
  const { realTimeUses } = activity;
  await activity.happens(() => realTimeUses.has("web-socket") || realTimeUses.has("event-source"));
  const use = realTimeUses.has("web-socket") ? "it opens a WebSocket" : "it receives server-sent events";
  throw notDeterministic(use);
}

/** Longest wait for a worker that has nothing to do, when the clock has not advanced for long. */
const MAX_RESPONSE_MS = 500;

async function rethrowStall(error: unknown, workers: Workplaces["workers"]): Promise<never> {
  await assertResponding(workers, MAX_RESPONSE_MS);
  throw error;
}

async function assertResponding(workers: Workplaces["workers"], timeoutMs: number): Promise<void> {
  const responding = Promise.all([...workers].map(untilResponding)).then(() => true);
  if (!(await withTimeout(responding, timeoutMs))) throw notDeterministic("a worker of it computes without a pause");
}

async function assertIdle({ monitor, workers }: Workplaces): Promise<Idleness> {
  await assertResponding(workers, MAX_BUSY_MS);
  const idleness = await monitor.untilIdle(MAX_BUSY_MS);
  if (!idleness) throw notDeterministic("it computes without a pause");
  return idleness;
}

/** Resolves when a worker has done what it was requested before, or is gone. */
async function untilResponding(worker: CDPSession): Promise<void> {
  const expression =
    "new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => done(); port2.postMessage(0) })";
  await worker.send("Runtime.evaluate", { expression, awaitPromise: true }).catch(() => undefined);
}
