// Processes of this machine as /proc shows them: which of them use a folder, and their end.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const END_TIMEOUT_MS = 1_000;
const LOOK_MS = 20;

/**
 * Ends all processes that use a folder, whatever group or session they have made off to. Resolves to the ids of those
 * that are there still after a second. Those that started before `since`, a time as `startTimeOf` tells it, are spared a
 * closer look.
 */
export async function killProcessesIn(folder: string, since = 0): Promise<readonly number[]> {
  const expiry = performance.now() + END_TIMEOUT_MS;
  for (;;) {
    const left = processesOf(folder, since);
    if (left.length === 0 || performance.now() > expiry) return left;
    for (const pid of left) kill(pid);
    await sleep(LOOK_MS);
  }
}

/** Processes with the folder in their command line or environment, or that are in it. A child inherits the last two. */
function processesOf(folder: string, since: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== process.pid && isSince(pid, since) && isUsing(pid, folder));
}

function isSince(pid: number, since: number): boolean {
  return since === 0 || isSo(() => processStartTime(contentOf(`/proc/${pid}/stat`).toString()) >= since);
}

function isUsing(pid: number, folder: string): boolean {
  return (
    isSo(() => contentOf(`/proc/${pid}/cmdline`).includes(folder)) ||
    isSo(() => contentOf(`/proc/${pid}/environ`).includes(folder)) ||
    isSo(() => readlinkSync(`/proc/${pid}/cwd`).includes(folder))
  );
}

/** False of a process that is gone meanwhile, or another user's, which none of ours can have become. */
function isSo(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

/** Files of /proc do not tell how long they are: Node would take 64 KB anew for each of them. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The content of a file until this is called again. */
function contentOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const length = readSync(file, scratch);
    return length < scratch.length ? scratch.subarray(0, length) : readFileSync(path);
  } finally {
    closeSync(file);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** When a process started, in ticks since the machine did: the 22nd field of its `stat`, see proc_pid_stat(5). */
export function processStartTime(stat: string): number {
  const afterName = stat.slice(stat.lastIndexOf(")") + 2); // the name can hold anything
  return Number(afterName.split(" ")[19]);
}

/** When this process started: whatever it has started did not start before. */
export const ownStartTime = processStartTime(readFileSync("/proc/self/stat", "utf8"));
