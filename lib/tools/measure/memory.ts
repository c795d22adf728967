// The memory of running processes, from /proc. It is sampled while captures are served by this process, so it reads asynchronously.
import { readdir, readFile } from "node:fs/promises";
import { readEnvironment } from "../local/proc.ts";

/** Long against the time it takes to add up the memory of a browser: about 5 ms. */
const SAMPLE_MS = 25;

/** Does `work`; `peak` is the most memory, in bytes, that a process and all its descendants held together meanwhile. */
export async function peakDuring<T>(
  root: number,
  work: () => Promise<T>,
  sampleMs = SAMPLE_MS,
): Promise<{ outcome: T; peak: number }> {
  let peak = 0;
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await proportionalBytes(await listProcessFamily(root)));
      await Promise.race([new Promise((resolve) => setTimeout(resolve, sampleMs)), working]);
    }
  })();
  const [outcome] = await Promise.all([working, watching]);
  return { outcome, peak };
}

/** What a process holds itself, with what it shares; 0 when it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Ids of a process and of all its descendants. */
export async function listProcessFamily(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const pid of (await readdir("/proc")).map(Number).filter(Number.isInteger)) {
    // "pid (command) state ppid …"; the command may itself contain spaces and parentheses.
    const parent = Number((await read(`/proc/${pid}/stat`)).replace(/^.*\) /s, "").split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  return family;
}

/**
 * Resolves when no browser is left among the descendants of this process, except ready ones of functions, whose invocations
 * must have ended: a dying browser takes its time from the next.
 */
export async function untilBrowsersGone(): Promise<void> {
  for (;;) {
    const commands = await Promise.all(
      (await listProcessFamily(process.pid)).map((pid) => read(`/proc/${pid}/cmdline`)),
    );
    if (commands.filter((command) => command.includes(PROFILE_FLAG)).every(isOfFunction)) return;
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}

const PROFILE_FLAG = "--user-data-dir=";

/** True for the command line of a browser that a function launched: its profile is named after that process. */
function isOfFunction(command: string): boolean {
  const [, owner] = /\/profile-(\d+)-/.exec(command) ?? [];
  return owner !== undefined && readEnvironment(Number(owner)).has("AWS_LAMBDA_FUNCTION_NAME");
}

/** Pages that several processes share count in equal parts for each. See proc(5) on smaps_rollup. */
async function proportionalBytes(pids: readonly number[]): Promise<number> {
  const rollups = await Promise.all(pids.map((pid) => read(`/proc/${pid}/smaps_rollup`)));
  const kilobytes = rollups.map((rollup) => Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0));
  return kilobytes.reduce((sum, each) => sum + each * 1024, 0);
}

/** Empty when the process has ended meanwhile. */
function read(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
