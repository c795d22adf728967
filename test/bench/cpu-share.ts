// Holds running functions to the processor time that Lambda gives for their memory, by control groups of Linux.
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Memory for which Lambda gives one vCPU. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const MEGABYTES_OF_A_CPU = 1_769;

/**
 * Lambda's is believed to be 20 ms, by those who watched functions being throttled: what is used up early in a period has
 * to wait for the next. Linux's own default is 100 ms.
 */
export const PERIOD_MICROSECONDS = 20_000;

const ROOT = "/sys/fs/cgroup/cpu";

/** Microseconds of processor time in each period. */
export function quotaOf(megabytes: number): number {
  return Math.round((megabytes / MEGABYTES_OF_A_CPU) * PERIOD_MICROSECONDS);
}

/** The vCPUs that come with an amount of memory, as people read them. */
export const vcpusOf = (megabytes: number) => (megabytes / MEGABYTES_OF_A_CPU).toFixed(2);

export interface CpuShare {
  /** From now on all of it together has the time that comes with so much memory. */
  limit(megabytes: number): void;
  /** Gives all its processes back, and removes it. */
  close(): void;
}

/** Whether this process may hold others to a share: as root, with the first version of control groups. */
export function canLimit(): boolean {
  try {
    accessSync(join(ROOT, "cpu.cfs_quota_us"));
    accessSync(ROOT, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A share of a process and of all that it starts from now on. */
export function openCpuShare(pid: number, megabytes: number): CpuShare {
  const folder = join(ROOT, `bench-${process.pid}-${pid}`);
  mkdirSync(folder);
  const limit = (size: number) => {
    writeFileSync(join(folder, "cpu.cfs_period_us"), String(PERIOD_MICROSECONDS));
    writeFileSync(join(folder, "cpu.cfs_quota_us"), String(quotaOf(size)));
  };
  limit(megabytes);
  writeFileSync(join(folder, "cgroup.procs"), String(pid));
  return {
    limit,
    close() {
      for (const member of membersOf(folder)) move(member);
      rmdirSync(folder);
    },
  };
}

function membersOf(folder: string): string[] {
  return readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean);
}

function move(pid: string): void {
  try {
    writeFileSync(join(ROOT, "cgroup.procs"), pid);
  } catch {
    // It has ended meanwhile.
  }
}
