// Observes the resources of an idle service: memory, open files, threads and temporary files of its processes.
import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type FunctionProcess, functionProcesses, otherProcesses } from "../../local/function-processes.ts";
import { readProcessFile } from "../../local/proc.ts";
import { readyBrowsers } from "../../local/ready-browsers.ts";
import { inMegabytes } from "../../measure/figures.ts";
import { findLeftovers } from "../leftovers.ts";
import type { HeldByV8 } from "./collectors.ts";

/** A function's process at one moment. */
export interface ProcessResources {
  readonly process: FunctionProcess;
  readonly rssMegabytes: number;
  readonly kinds: MemoryKinds;
  /** Open file descriptors. */
  readonly files: number;
  readonly threads: number;
  /** Names in its temporary folder. */
  readonly entries: readonly string[];
}

/** Where the resident memory of a function's process is, in megabytes: what grows shows who holds it. */
export interface MemoryKinds {
  /** Objects of JavaScript that are alive. */
  readonly objects: number;
  /** What V8 has taken from the system for them. */
  readonly v8: number;
  /** Buffers and other memory outside of the heap. */
  readonly buffers: number;
  /** The C library's heap, which blocks below its threshold come from. */
  readonly heap: number;
  /** Every other memory of the process's own: larger blocks, stacks, and what V8 has taken. */
  readonly anonymous: number;
  /** Programs and libraries, as far as they are loaded. */
  readonly files: number;
}

export interface Observation {
  /** Captures that were over. */
  readonly captures: number;
  readonly seconds: number;
  readonly processes: readonly ProcessResources[];
  /** Lines of trouble that the functions had printed. */
  readonly troubles: number;
  /** Command lines of processes that should not be there. */
  readonly otherProcesses: readonly string[];
}

/** A browser takes up to a second to go after the answer, and a function some time to tidy up. */
const SETTLING_MS = 5_000;

/** Waits until only `expected` runs in addition to the functions, and these have tidied up, and looks at them. */
export async function observe(
  dataDir: string,
  expected: ReadonlySet<number>,
  v8: ReadonlyMap<number, HeldByV8>,
  at: Pick<Observation, "captures" | "seconds" | "troubles">,
): Promise<Observation> {
  const unexpectedProcesses = () => {
    const ready = readyBrowsers(dataDir).pids;
    return otherProcesses(dataDir).filter((pid) => !expected.has(pid) && !ready.has(pid));
  };
  const isSettled = () => unexpectedProcesses().length === 0 && findLeftovers(dataDir).profiles.length === 0;
  for (const until = Date.now() + SETTLING_MS; !isSettled() && Date.now() < until; ) await setTimeout(100);
  const ready = readyBrowsers(dataDir);
  return {
    ...at,
    processes: functionProcesses(dataDir).map((process) => heldBy(process, v8.get(process.pid), ready.profiles)),
    otherProcesses: unexpectedProcesses().map(
      (pid) => `${pid} ${readProcessFile(pid, "cmdline").replaceAll("\0", " ").slice(0, 100)}`,
    ),
  };
}

function heldBy(
  process: FunctionProcess,
  v8: HeldByV8 | undefined,
  readyProfiles: ReadonlySet<string>,
): ProcessResources {
  const { pid, folder } = process;
  const figure = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readProcessFile(pid, "status"))?.[1] ?? 0);
  return {
    process,
    rssMegabytes: Math.round(figure("VmRSS") / 1024),
    kinds: { ...kindsOfV8(v8), ...kindsOfMappings(readProcessFile(pid, "smaps")) },
    threads: figure("Threads"),
    files: listEntries(`/proc/${pid}/fd`).length,
    entries: listEntries(folder).filter((entry) => !readyProfiles.has(entry)),
  };
}

function kindsOfV8(v8: HeldByV8 | undefined): Pick<MemoryKinds, "objects" | "v8" | "buffers"> {
  const megabytes = (bytes = 0) => Math.round(inMegabytes(bytes));
  return { objects: megabytes(v8?.heapUsed), v8: megabytes(v8?.heapTotal), buffers: megabytes(v8?.external) };
}

/** Sums up the resident memory of a process by kinds of mappings; see proc(5) on smaps. */
function kindsOfMappings(smaps: string): Pick<MemoryKinds, "heap" | "anonymous" | "files"> {
  const kilobytes = { heap: 0, anonymous: 0, files: 0 };
  for (const [, name = "", resident] of smaps.matchAll(
    /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)\n(?:.*\n)*?Rss: +(\d+)/gm,
  )) {
    const kind = name === "[heap]" ? "heap" : name.startsWith("/") ? "files" : "anonymous";
    kilobytes[kind] += Number(resident);
  }
  const megabytes = (some: number) => Math.round(some / 1024);
  return {
    heap: megabytes(kilobytes.heap),
    anonymous: megabytes(kilobytes.anonymous),
    files: megabytes(kilobytes.files),
  };
}

function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone meanwhile
  }
}
