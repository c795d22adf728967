// What a page uses of the machine, looked at while it is captured: nobody waits for it, and no page can forbid it.
import { readFileSync } from "node:fs";
import { lstat, readdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession } from "puppeteer-core";
import type { CaptureLimits, PageLimit } from "../../contract/capture-limits.ts";
import type { EgressProxy } from "../../egress/egress-proxy.ts";
import { refusedFrom } from "./confine.ts";

/** Between two looks. What a page gets done in that time goes beyond the limit; memory has a hard end, see confine.ts. */
const LOOK_MS = 100;
const MEMORY_MS = 50;
const NODES_MS = 500;
const DISK_MS = 1_000;

/** With less of the temporary folder left, nothing can be relied upon any more. */
const LEAST_FREE_BYTES = 32 * 2 ** 20;

const MEGABYTE = 2 ** 20;

export interface Watched {
  /** Of the browser. */
  readonly pid: number;
  readonly profile: string;
  readonly proxy: Pick<EgressProxy, "traffic">;
  readonly limits: CaptureLimits;
  /** Called once, with the first limit that was found to be passed. */
  readonly exceed: (limit: PageLimit) => void;
}

export interface Watch {
  /** Watches the page's nodes, too, from when there is a page. */
  countNodes(cdp: CDPSession): void;
  /** True when the browser was last seen near the end of its memory: then that is what a crash comes from. */
  isExhausted(): boolean;
  stop(): void;
}

/** Watches from now on, and for the first time in a moment: most of it, a capture that is fast never pays for. */
export function watch({ pid, profile, proxy, limits, exceed }: Watched): Watch {
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
    const [filled, taken] = [resident / most, data / refusedFrom(most)];
    // A process that has just died has nothing, which says nothing about its end.
    if (resident > 0) exhausted = Math.max(filled, taken) > EXHAUSTED_SHARE;
    return (filled > 1 || taken > STARVED_SHARE) && "memory_megabytes";
  });
  every(LOOK_MS, async () => {
    const { bytes, requests } = proxy.traffic();
    if (bytes > limits.page_megabytes * MEGABYTE) return "page_megabytes";
    return requests > limits.requests && "requests";
  });
  let free: number | undefined;
  let walkedAt = 0;
  every(LOOK_MS, async () => {
    const before = free;
    free = await freeBytes();
    if (free < LEAST_FREE_BYTES) return "disk_megabytes";
    const most = limits.disk_megabytes * MEGABYTE;
    const isFilling = before !== undefined && before - free > most / 8;
    if (!isFilling && performance.now() - walkedAt < DISK_MS) return false;
    walkedAt = performance.now();
    return (await bytesBelow(profile)) > most && "disk_megabytes";
  });

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
const EXHAUSTED_SHARE = 0.7;

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

/** What the files below a folder take on the disk. Each of them is whole blocks, so that tiny ones count, too. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => diskBytes(join(parentPath, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const BLOCK_BYTES = 512; // st_blocks counts in these, whatever the file system's own are: see stat(2)

async function diskBytes(file: string): Promise<number> {
  const found = await lstat(file).catch(() => undefined); // removed meanwhile
  return (found?.blocks ?? 0) * BLOCK_BYTES;
}
