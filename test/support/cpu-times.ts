// CPU time of each test file: that of its worker process and of the processes that it has started, such as Chromium. Unlike the
// time on the clock, it doesn't depend on what else the machine does, so that it shows what a test costs the whole run.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A line of JSON for each file of the run, as the worker processes end them. */
const RECORDED = resolve(import.meta.dirname, "../../.local/cpu-times.jsonl");
/** The same as a table, dearest first. */
const TABLE = resolve(import.meta.dirname, "../../.local/cpu-times.txt");

/** Clock ticks per second in `/proc`, on every Linux that Node.js supports. */
const TICKS_PER_S = 100;

/** In seconds. */
export interface CpuTime {
  readonly own: number;
  /** Of child processes that have ended and were waited for. */
  readonly children: number;
}

export interface FileCpuTime extends CpuTime {
  /** Project and path. */
  readonly file: string;
}

/** The CPU time of this process so far. See proc_pid_stat(5): utime, stime, cutime, cstime. */
export function cpuTime(): CpuTime {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the name of the process may contain spaces
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) / TICKS_PER_S, children: (childUser + childSystem) / TICKS_PER_S };
}

/** Called when a run starts. */
export function clearCpuTimes(): void {
  rmSync(RECORDED, { force: true });
}

/** Records what a test file took since `start`. */
export function recordCpuTime(file: string, start: CpuTime): void {
  const now = cpuTime();
  const spent: FileCpuTime = { file, own: now.own - start.own, children: now.children - start.children };
  mkdirSync(dirname(RECORDED), { recursive: true });
  appendFileSync(RECORDED, `${JSON.stringify(spent)}\n`);
}

/** Writes the table of the run, and returns its first lines: the time of the whole run, and the files that took most of it. */
export function summarizeCpuTimes(listed: number): string[] {
  const recorded = existsSync(RECORDED) ? readFileSync(RECORDED, "utf8").trim() : "";
  const files: FileCpuTime[] = recorded === "" ? [] : recorded.split("\n").map((line) => JSON.parse(line));
  const sorted = files.toSorted((one, other) => total(other) - total(one));
  const run = cpuTime(); // with the workers, which have ended
  const first = `CPU time: ${Math.round(total(run))} s, of which the test files took ${Math.round(sorted.reduce((sum, file) => sum + total(file), 0))} s`;
  const lines = sorted.map((file) => `${total(file).toFixed(1).padStart(8)} s  ${file.file}`);
  mkdirSync(dirname(TABLE), { recursive: true });
  writeFileSync(TABLE, `${[first, ...lines].join("\n")}\n`);
  return [first, ...lines.slice(0, listed)];
}

function total({ own, children }: CpuTime): number {
  return own + children;
}
