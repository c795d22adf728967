// The CPU time of running processes, from /proc.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { listProcessFamily } from "./memory.ts";

/** A killed browser takes a moment to die. */
const POLL_MS = 10;

/** Of a second, which is what proc(5) counts in on every Linux. */
const TICK = 1 / 100;

/**
 * Does `work`; `seconds` is the processor time that a process and all its descendants took meanwhile. Resolves once the
 * processes that were started have gone: their time is known for certain then.
 */
export async function processorTimeDuring<T>(
  root: number,
  work: () => Promise<T>,
): Promise<{ outcome: T; seconds: number }> {
  const before = await listProcessFamily(root);
  const begin = await readSeconds(before);
  const outcome = await work();
  while ((await listProcessFamily(root)).length > before.length) await sleep(POLL_MS);
  return { outcome, seconds: (await readSeconds(before)) - begin };
}

/** With that of the children that have gone. */
async function readSeconds(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8")));
  // "pid (command) state …"; utime, stime, cutime and cstime are the 12th to 15th of what follows the command.
  const ticks = stats.flatMap((stat) =>
    stat
      .replace(/^.*\) /s, "")
      .split(" ")
      .slice(11, 15)
      .map(Number),
  );
  return ticks.reduce((sum, each) => sum + each, 0) * TICK;
}
