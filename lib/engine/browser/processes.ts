// Finds and kills the processes that use a folder, through /proc.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const KILL_TIMEOUT_MS = 1_000;
const POLL_MS = 20;

/**
 * Kills all processes that use `folder`, regardless of their process group or session. Resolves to the ids of those
 * still running after 1 s. Skips processes that started before `since`, in clock ticks as `processStartTime` returns
 * them.
 */
export async function killProcessesIn(folder: string, since = 0): Promise<readonly number[]> {
  const expiry = performance.now() + KILL_TIMEOUT_MS;
  for (;;) {
    const left = findProcesses(folder, since);
    if (left.length === 0 || performance.now() > expiry) return left;
    for (const pid of left) kill(pid);
    await sleep(POLL_MS);
  }
}

/**
 * Finds processes that have the folder in their command line, environment or working directory. Children inherit the
 * last two.
 */
function findProcesses(folder: string, since: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== process.pid && isSince(pid, since) && isUsing(pid, folder));
}

function isSince(pid: number, since: number): boolean {
  return since === 0 || isTrue(() => processStartTime(readProcFile(`/proc/${pid}/stat`).toString()) >= since);
}

function isUsing(pid: number, folder: string): boolean {
  return (
    isTrue(() => readProcFile(`/proc/${pid}/cmdline`).includes(folder)) ||
    isTrue(() => readProcFile(`/proc/${pid}/environ`).includes(folder)) ||
    isTrue(() => readlinkSync(`/proc/${pid}/cwd`).includes(folder))
  );
}

/** Returns false when the process is gone, or belongs to another user, so that it cannot be ours. */
function isTrue(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

/** Reused buffer: files of /proc have no size, so Node would allocate 64 KB for each read. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Reads a file of /proc. The result is valid until the next call. */
function readProcFile(path: string): Buffer {
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
    // Already gone.
  }
}

/** Parses when a process started, in clock ticks since boot: field 22 of `stat`, see proc_pid_stat(5). */
export function processStartTime(stat: string): number {
  const afterName = stat.slice(stat.lastIndexOf(")") + 2); // the process name can contain any character
  return Number(afterName.split(" ")[19]);
}

/** Start time of this process; its children started later. */
export const ownStartTime = processStartTime(readFileSync("/proc/self/stat", "utf8"));
