// What a page uses of the machine, looked at while it is captured: nobody waits for it, and no page can forbid it.
import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { CDPSession } from "puppeteer-core";
import type { EgressProxy } from "../../egress/egress-proxy.ts";
import type { CaptureLimits, PageLimit } from "../../options/capture-limits.ts";
import { allocationLimit } from "./resource-limits.ts";

/** Between two looks. What a page gets done in that time goes beyond the limit; memory has a hard end, see confine.ts. */
const LOOK_MS = 100;
const MEMORY_MS = 50;
const NODES_MS = 500;

/**
 * The browser's shared memory lies in the temporary folder, as Lambda has no /dev/shm. Where that is full, the kernel
 * kills whoever writes to it.
 */
const LEAST_FREE_BYTES = 32 * 2 ** 20;

const MEGABYTE = 2 ** 20;

export interface ResourceUsage {
  /** Of the browser. */
  readonly pid: number;
  readonly proxy: Pick<EgressProxy, "traffic">;
  readonly limits: CaptureLimits;
  /** Called once, with the first limit that was found to be passed. */
  readonly exceed: (limit: PageLimit) => void;
}

export interface ResourceMonitor {
  /** Watches the page's nodes, too, from when there is a page. */
  countNodes(cdp: CDPSession): void;
  /** True when the browser was last seen near the end of its memory: then that is what a crash comes from. */
  isExhausted(): boolean;
  stop(): void;
}

/** Watches from now on, and for the first time in a moment: most of it, a capture that is fast never pays for. */
export function monitorResources({ pid, proxy, limits, exceed }: ResourceUsage): ResourceMonitor {
  const timers: NodeJS.Timeout[] = [];
  let exhausted = false;
  const stop = () => timers.forEach(clearInterval);
  /** Looks every so often, never twice at once; a look that fails is one at something that has gone. */
  const every = (milliseconds: number, look: () => Promise<PageLimit | false>) => {
    let isLooking = false;
    const timer = setInterval(async () => {
      if (isLooking) return;
      isLooking = true;
      const exceeded = await look().catch(() => false as const);
      isLooking = false;
      if (!exceeded) return;
      stop();
      exceed(exceeded);
    }, milliseconds);
    timers.push(timer.unref());
  };

  every(MEMORY_MS, async () => {
    const { resident, data } = memoryOf(pid);
    const { memory_megabytes: most } = limits;
    const [filled, taken] = [resident / most, data / allocationLimit(most)];
    // A process that has just died has nothing, which says nothing about its end.
    if (resident > 0) exhausted = Math.max(filled, taken) > EXHAUSTED_SHARE;
    return (filled > 1 || taken > STARVED_SHARE) && "memory_megabytes";
  });
  every(LOOK_MS, async () => {
    const { bytes, requests } = proxy.traffic();
    if (bytes > limits.page_megabytes * MEGABYTE) return "page_megabytes";
    return requests > limits.requests && "requests";
  });
  every(LOOK_MS, async () => (await freeBytes()) < LEAST_FREE_BYTES && "memory_megabytes");

  return {
    countNodes(cdp) {
      every(NODES_MS, async () => {
        // Of all documents: frames are in the same process, and so are trees that are in no document.
        const { nodes } = await cdp.send("Memory.getDOMCounters");
        return nodes > limits.dom_nodes && "dom_nodes";
      });
    },
    isExhausted: () => exhausted,
    stop,
  };
}

/** A browser that has come so far and crashes has done so for want of memory: other reasons are rare, and seldom so late. */
const EXHAUSTED_SHARE = 0.6;

/** Here what is refused begins to fail in the browser itself, which could not take a picture any more. */
const STARVED_SHARE = 0.95;

const PAGE_BYTES = 4096;

/** Megabytes a process has in memory, and megabytes it may write to, touched or not. See proc_pid_statm(5). */
function memoryOf(pid: number): { resident: number; data: number } {
  const [, resident, , , , data] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
  const megabytes = (pages: string | undefined) => (Number(pages) * PAGE_BYTES) / MEGABYTE;
  return { resident: megabytes(resident), data: megabytes(data) };
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize;
}
