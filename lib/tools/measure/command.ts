// The command line of the bench.
import { parseArgs } from "node:util";

export interface BenchCommand {
  /** Runs of each measurement, where it is not too slow for them. */
  readonly runs: number;
  /** A part of the names of what is measured; empty for all. */
  readonly only: string;
  /** Where the measurements are written, if they are. */
  readonly save: string | undefined;
  /** The saved run that this one is compared with, if any. */
  readonly compare: string | undefined;
}

/** The command of these arguments, or undefined where they are none. */
export function parseCommand(args: readonly string[], savedByDefault: string): BenchCommand | undefined {
  try {
    const { values } = parseArgs({
      args: withFiles(args, savedByDefault),
      options: {
        runs: { type: "string", default: "20" },
        only: { type: "string", default: "" },
        save: { type: "string" },
        compare: { type: "string" },
      },
    });
    const runs = Number(values.runs);
    const { only, save, compare } = values;
    return Number.isInteger(runs) && runs >= 1 ? { runs, only, save, compare } : undefined;
  } catch {
    return undefined;
  }
}

/** Node's parser knows no option whose value can be left out. */
function withFiles(args: readonly string[], file: string): string[] {
  return args.flatMap((arg, index) => {
    const hasValue = args[index + 1]?.startsWith("-") === false;
    return (arg === "--save" || arg === "--compare") && !hasValue ? [arg, file] : [arg];
  });
}

/** A family of measurements by its name and those of its parts. */
export interface Named {
  readonly name: string;
  readonly parts: readonly string[];
}

/** The parts of a family whose name, or whose family's name, has `only` in it. */
export function wantedParts({ name, parts }: Named, only: string): string[] {
  return name.includes(only) ? [...parts] : parts.filter((part) => part.includes(only));
}

export function benchUsage(families: readonly Named[]): string {
  const named = families.map(({ name, parts }) => [name, ...parts.filter((part) => part !== name).map(indented)]);
  return [
    "npm run bench -- [--runs <number>] [--only <part of a name>] [--save [<file>]] [--compare [<file>]]",
    "",
    "--save writes every sample, --compare tells what has changed since. What can be measured:",
    ...named.flat(),
  ].join("\n");
}

const indented = (name: string) => `    ${name}`;
