// Resource monitor: polls memory, disk, traffic, workers and DOM nodes of a page during its capture, independently of the page.
import { readdirSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { CDPSession } from "puppeteer-core";
import type { CaptureLimits, PageLimit } from "../../contract/options/capture-limits.ts";
import type { EgressProxy } from "../egress/egress-proxy.ts";
import { allocationLimit } from "./resource-limits.ts";

/**
 * Polling intervals. A page can exceed a limit by what it does within one; memory has a hard limit besides, see
 * resource-limits.ts.
 */
const POLL_MS = 100;
const MEMORY_POLL_MS = 50;
const NODES_POLL_MS = 500;

/**
 * The browser's shared memory lies in the temporary folder, as Lambda has no /dev/shm. When that is full, the kernel
 * kills the process that writes to it.
 */
const MIN_FREE_BYTES = 32 * 2 ** 20;

const MEGABYTE = 2 ** 20;

export interface ResourceUsage {
  /** Process id of the browser. */
  readonly pid: number;
  readonly proxy: Pick<EgressProxy, "traffic">;
  readonly limits: CaptureLimits;
  /** CDP session of the page. */
  readonly cdp: CDPSession;
  /** Called once, with the first limit that is exceeded. */
  readonly exceedLimit: (limit: PageLimit) => void;
}

export interface ResourceMonitor {
  /** Why the browser crashed: by the limit that it was last seen near, if any. */
  crashReason(): PageLimit | "crashed";
  stop(): void;
}

/** Starts polling, first after one interval: a fast capture does not pay for it. */
export function monitorResources({ pid, proxy, limits, cdp, exceedLimit }: ResourceUsage): ResourceMonitor {
  const timers: NodeJS.Timeout[] = [];
  let isNearMemoryLimit = false;
  let isNearWorkerLimit = false;
  const stop = () => timers.forEach(clearInterval);
  /** Polls at an interval, without overlap; a failed poll means that the browser is gone. */
  const every = (intervalMs: number, poll: () => Promise<PageLimit | false>) => {
    let isPolling = false;
    const timer = setInterval(async () => {
      if (isPolling) return;
      isPolling = true;
      const exceeded = await poll().catch(() => false as const);
      isPolling = false;
      if (!exceeded) return;
      stop();
      exceedLimit(exceeded);
    }, intervalMs);
    timers.push(timer.unref());
  };

  every(MEMORY_POLL_MS, async () => {
    const workers = countWorkers(pid);
    if (workers > 0) isNearWorkerLimit = workers > limits.workers * NEAR_LIMIT_SHARE;
    if (workers > limits.workers) return "workers"; // before memory, because they take much of it
    const { resident, data } = readMemory(pid);
    const { memory_megabytes: maxMegabytes } = limits;
    const [residentShare, allocatedShare] = [resident / maxMegabytes, data / allocationLimit(maxMegabytes)];
    // A process that has just died has no memory, which says nothing about why.
    if (resident > 0) isNearMemoryLimit = Math.max(residentShare, allocatedShare) > NEAR_LIMIT_SHARE;
    return (residentShare > 1 || allocatedShare > MAX_ALLOCATED_SHARE) && "memory_megabytes";
  });
  every(POLL_MS, async () => {
    const { bytes, requests } = proxy.traffic();
    if (bytes > limits.page_megabytes * MEGABYTE) return "page_megabytes";
    return requests > limits.requests && "requests";
  });
  every(POLL_MS, async () => (await freeBytes()) < MIN_FREE_BYTES && "memory_megabytes");
  every(NODES_POLL_MS, async () => {
    // Counts all documents: frames run in the same process, and so do detached trees.
    const { nodes } = await cdp.send("Memory.getDOMCounters");
    return nodes > limits.dom_nodes && "dom_nodes";
  });

  return {
    crashReason: () => (isNearWorkerLimit ? "workers" : isNearMemoryLimit ? "memory_megabytes" : "crashed"),
    stop,
  };
}

/** A crash above this share of a limit counts as its excess: other causes are rare. */
const NEAR_LIMIT_SHARE = 0.6;

/** Above this share, allocations start to fail in the browser itself, so that it could take no screenshot. */
const MAX_ALLOCATED_SHARE = 0.95;

const PAGE_BYTES = 4096;

/** Resident memory and writable address space of a process, in megabytes. See proc_pid_statm(5). */
function readMemory(pid: number): { resident: number; data: number } {
  const [, resident, , , , data] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  const megabytes = (pages: string | undefined) => (Number(pages) * PAGE_BYTES) / MEGABYTE;
  return { resident: megabytes(resident), data: megabytes(data) };
}

/**
 * Number of workers, each of which is a thread of the browser that is named after its kind. Reading the names takes a system
 * call each, and a browser without workers has about this many threads: 0 up to then.
 */
function countWorkers(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  if (threads.length < MIN_COUNTED_THREADS) return 0;
  return threads.filter((thread) => WORKER_THREAD.test(readThreadName(pid, thread))).length;
}

const MIN_COUNTED_THREADS = 48;

/** `DedicatedWorker thread`, `SharedWorker thread` and `ServiceWorker thread`, which the kernel cuts to 15 characters. */
const WORKER_THREAD = /^(Dedicated|Shared|Service)Worker/;

function readThreadName(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize;
}
