// The command line of a stress run: whole numbers as flags, a log file, and a list of counts.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";

/** The numbers that this process was called with, each at least 1. Prints the usage and exits with 2 when they are wrong. */
export function parseNumbers<Name extends string>(
  command: string,
  fallbacks: Record<Name, number>,
): Record<Name, number> {
  const names = Object.keys(fallbacks) as Name[];
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  try {
    const { values } = parseArgs({ options });
    const numbers = Object.fromEntries(names.map((name) => [name, Number(values[name] ?? fallbacks[name])]));
    if (Object.values(numbers).every((value) => Number.isInteger(value) && value >= 1)) {
      return numbers as Record<Name, number>;
    }
  } catch {
    // The usage says what there is.
  }
  const usage = names.map((name) => `[--${name} <whole number>]`).join(" ");
  console.error(`Usage: npm run ${command} -- ${usage}`);
  return process.exit(2);
}

/** A number for runs that are given no seed. */
export const freshSeed = (): number => 1 + (Date.now() % 100_000);

export interface StressLog {
  readonly path: string;
  append(source: string, line: string): void;
}

/** Starts an empty log file of a run in `.local`. */
export function openStressLog(name: string): StressLog {
  const path = resolve(import.meta.dirname, `../../../.local/${name}.log`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  return { path, append: (source, line) => appendFileSync(path, `${new Date().toISOString()} ${source} ${line}\n`) };
}

export function printCounts(counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts).sort()) console.log(`${String(count).padStart(7)}  ${name}`);
}
