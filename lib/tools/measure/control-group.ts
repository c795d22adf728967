// Linux control groups (v1): processes and all their later children as one unit.
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ControlGroup extends Disposable {
  read(file: string): string;
  /** Gives all its processes back, and removes it. */
  [Symbol.dispose](): void;
}

/** The controller that counts the processor time of a group. */
const ROOT = "/sys/fs/cgroup/cpuacct";

/** Whether this process may make groups of others: as root, where the controller is there. */
export function canControl(): boolean {
  try {
    accessSync(join(ROOT, "cgroup.procs"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const ATTEMPTS = 100;
const DYING_MS = 20;

export function openControlGroup(pids: readonly number[]): ControlGroup {
  const folder = join(ROOT, `bench-${process.pid}-${pids.join("-")}`);
  mkdirSync(folder);
  // One in each call: see cgroups(7).
  for (const pid of pids) writeFileSync(join(folder, "cgroup.procs"), String(pid));
  return {
    read: (file) => readFileSync(join(folder, file), "utf8"),
    [Symbol.dispose]() {
      const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      for (let attempt = 1; ; attempt++) {
        const members = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean);
        for (const member of members) moveToRoot(member);
        try {
          return rmdirSync(folder);
        } catch (error) {
          if (attempt === ATTEMPTS) throw error;
          Atomics.wait(pause, 0, 0, DYING_MS); // who is dying can no longer be moved
        }
      }
    },
  };
}

function moveToRoot(pid: string): void {
  try {
    writeFileSync(join(ROOT, "cgroup.procs"), pid);
  } catch {
    // It has ended meanwhile.
  }
}
