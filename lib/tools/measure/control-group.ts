// Linux control groups (v1): processes and all their later children as one unit.
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a group is for: to hold processes to a share of the processors, or to know what they have used of them. */
export type Controller = "cpu" | "cpuacct";

export interface ControlGroup extends Disposable {
  read(file: string): string;
  write(file: string, value: number): void;
  /** Gives all its processes back, and removes it. */
  [Symbol.dispose](): void;
}

/** Whether this process may make groups of others: as root, where the controller is there. */
export function canControl(controller: Controller): boolean {
  try {
    accessSync(join(controllerRoot(controller), "cgroup.procs"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const ATTEMPTS = 100;
const DYING_MS = 20;

export function openControlGroup(controller: Controller, pids: readonly number[]): ControlGroup {
  const root = controllerRoot(controller);
  const folder = join(root, `bench-${process.pid}-${pids.join("-")}`);
  mkdirSync(folder);
  // One in each call: see cgroups(7).
  for (const pid of pids) writeFileSync(join(folder, "cgroup.procs"), String(pid));
  return {
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, value) => writeFileSync(join(folder, file), String(value)),
    [Symbol.dispose]() {
      const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      for (let attempt = 1; ; attempt++) {
        const members = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean);
        for (const member of members) moveTo(root, member);
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

const controllerRoot = (controller: Controller) => join("/sys/fs/cgroup", controller);

function moveTo(root: string, pid: string): void {
  try {
    writeFileSync(join(root, "cgroup.procs"), pid);
  } catch {
    // It has ended meanwhile.
  }
}
