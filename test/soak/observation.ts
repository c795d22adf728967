// What the processes of a service hold while nothing is under way: memory, open files, what lies in their folders.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { membersOf } from "../../lib/local/processes.ts";

export interface FunctionProcess {
  readonly pid: number;
  readonly name: string;
  /** Its temporary folder. */
  readonly folder: string;
}

/** A function's process at one moment. */
export interface Held {
  readonly process: FunctionProcess;
  readonly rssMegabytes: number;
  /** Open file descriptors. */
  readonly files: number;
  readonly threads: number;
  /** Names in its temporary folder. */
  readonly entries: readonly string[];
}

export interface Observation {
  /** Captures that were over. */
  readonly captures: number;
  readonly seconds: number;
  readonly held: readonly Held[];
  /** Lines of trouble that the functions had printed. */
  readonly troubles: number;
  /** Command lines of processes that should not be there. */
  readonly strangers: readonly string[];
}

/** Every process that runs a function of the service whose data lie in `dataDir`. */
export function functionProcesses(dataDir: string): FunctionProcess[] {
  return membersOf({ folder: dataDir }).flatMap((pid) => {
    const variables = new Map(read(pid, "environ").split("\0").map(pair));
    const [name, folder] = [variables.get("AWS_LAMBDA_FUNCTION_NAME"), variables.get("TMPDIR")];
    return name !== undefined && folder?.startsWith(`${dataDir}/`) ? [{ pid, name, folder }] : [];
  });
}

/** The processes of the service that run no function, such as its databases and browsers. */
export function otherProcesses(dataDir: string): number[] {
  const functions = new Set(functionProcesses(dataDir).map(({ pid }) => pid));
  return membersOf({ folder: dataDir }).filter((pid) => !functions.has(pid));
}

/** A browser takes up to a second to go after the answer, and a function some time to tidy up. */
const SETTLING_MS = 5_000;

/** Waits until nothing but `expected` runs beside the functions, and these have tidied up, and looks at them. */
export async function observe(
  dataDir: string,
  expected: ReadonlySet<number>,
  at: Pick<Observation, "captures" | "seconds" | "troubles">,
): Promise<Observation> {
  const strangers = () => otherProcesses(dataDir).filter((pid) => !expected.has(pid));
  const isSettled = () =>
    strangers().length === 0 && !functionProcesses(dataDir).some(({ folder }) => hasProfile(folder));
  for (const until = Date.now() + SETTLING_MS; !isSettled() && Date.now() < until; ) await setTimeout(100);
  return {
    ...at,
    held: functionProcesses(dataDir).map(heldBy),
    strangers: strangers().map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ").slice(0, 100)}`),
  };
}

/** True while the folder of a browser has not been removed. */
function hasProfile(folder: string): boolean {
  return entriesOf(folder).some((entry) => entry.startsWith("profile-"));
}

function heldBy(process: FunctionProcess): Held {
  const { pid, folder } = process;
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(read(pid, "status"))?.[1] ?? 0);
  return {
    process,
    rssMegabytes: Math.round(figure("VmRSS") / 1024),
    threads: figure("Threads"),
    files: entriesOf(`/proc/${pid}/fd`).length,
    entries: entriesOf(folder),
  };
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // gone meanwhile
  }
}

function pair(variable: string): [string, string] {
  const at = variable.indexOf("=");
  return [variable.slice(0, at), variable.slice(at + 1)];
}

/** Empty when the process has ended meanwhile. */
function read(pid: number, file: "environ" | "cmdline" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
