// Reads /proc: the running processes, and the environment and state of each. Without /proc, as on macOS, there are none.
import { readdirSync, readFileSync } from "node:fs";

export function runningPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A file of a process as text. Empty when the process has ended or belongs to another user. */
export function readProcessFile(pid: number, file: "cmdline" | "environ" | "smaps" | "stat" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** The environment variables that a process was started with. */
export function readEnvironment(pid: number): ReadonlyMap<string, string> {
  const variables = readProcessFile(pid, "environ").split("\0");
  return new Map(variables.map((variable) => splitOnce(variable, "=")));
}

function splitOnce(text: string, separator: string): [string, string] {
  const [first = "", ...rest] = text.split(separator);
  return [first, rest.join(separator)];
}
