// Flags of the command line: one for each capture option, and those of the command itself.
import { parseArgs } from "node:util";
import { closestName } from "../generated/closest-name.ts";
import { type OptionDescription, options } from "../generated/command-line.ts";
import { UsageError } from "./usage-error.ts";

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  readonly kind: OptionDescription["kind"];
  readonly values?: readonly string[] | undefined;
  /** What the value is, for the help and for completion. */
  readonly value?: "FILE" | "URL" | "NUMBER" | "TEXT";
  readonly description: string;
}

export type FlagValue = string | boolean | readonly string[];
/** Capture options by their names in the API. */
export type FlagOptions = Readonly<Record<string, FlagValue>>;
export type FlagValues = Readonly<Record<string, FlagValue | undefined>>;

export const commandFlags: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    kind: "list",
    value: "FILE",
    description: "File or folder to write to; - for standard output. Repeat it for several results of a page.",
  },
  {
    name: "input-file",
    short: "i",
    kind: "list",
    value: "FILE",
    description: "File with a URL or path on each line; - for standard input.",
  },
  {
    name: "root",
    kind: "text",
    value: "FILE",
    description: "Folder whose files a local page may use. Default: the folder of the page.",
  },
  { name: "json", kind: "boolean", description: "Store the result, and print its link and metadata as JSON." },
  {
    name: "concurrency",
    short: "c",
    kind: "text",
    value: "NUMBER",
    description: "Number of captures at the same time, from 1 to 50. Default: 4.",
  },
  {
    name: "fail-on-problem",
    kind: "boolean",
    description: "End with exit code 8 if a result looks wrong. It is written nevertheless.",
  },
  { name: "watch", short: "w", kind: "boolean", description: "Capture a local file again whenever it changes." },
  {
    name: "curl",
    kind: "boolean",
    description: "Print the requests as curl commands, without the key, and send nothing.",
  },
  {
    name: "quiet",
    short: "q",
    kind: "boolean",
    description:
      "Print neither file names nor progress, which is the seconds of a capture: its response begins only when it has ended.",
  },
];

export const commonFlags: readonly Flag[] = [
  { name: "api-url", kind: "text", value: "URL", description: "URL of the service, in place of SCREEN_CAPTURE_URL." },
  { name: "help", short: "h", kind: "boolean", description: "Print this help." },
  { name: "version", short: "V", kind: "boolean", description: "Print the version." },
];

/** Short names of the options that are used most. */
const aliases: Readonly<Record<string, string>> = {
  device: "viewport_device",
  width: "viewport_width",
  height: "viewport_height",
};

const byName = new Map(options.map((option) => [option.name, option]));

/** The flags of the capture options. */
export const optionFlags: readonly Flag[] = options.map(({ name, ...option }) => ({ ...option, name: flagName(name) }));

const aliasFlags: readonly Flag[] = Object.entries(aliases).map(([name, option]) => ({
  name,
  kind: "text",
  values: byName.get(option)?.values,
  description: `The same as --${flagName(option)}.`,
}));

/** The flags of `capture URL…`. */
export const captureFlags: readonly Flag[] = [...commandFlags, ...aliasFlags, ...optionFlags, ...commonFlags];

/** `full_page` becomes `full-page`. */
export function flagName(option: string): string {
  return option.replaceAll("_", "-");
}

export interface ParsedFlags {
  readonly positionals: readonly string[];
  readonly values: FlagValues;
}

/** Parses arguments. Throws a `UsageError` that names the flag, and the command that lists all of them. */
export function parseFlags(given: readonly string[], flags: readonly Flag[], help: string): ParsedFlags {
  const known = new Map(flags.map((flag) => [flag.name, flag]));
  const args = normalized(given, known);
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      allowNegative: true,
      options: Object.fromEntries(
        flags.map(({ name, short, kind }) => [
          name,
          { type: kind === "boolean" ? "boolean" : "string", multiple: kind === "list", ...(short && { short }) },
        ]),
      ),
    });
    return { positionals, values: values as FlagValues };
  } catch (error) {
    throw new UsageError(explain(error as Error, known, help));
  }
}

/** Writes `--full_page` as `--full-page`, and `--javascript=false` as `--no-javascript`. */
function normalized(given: readonly string[], known: ReadonlyMap<string, Flag>): string[] {
  const end = given.indexOf("--");
  return given.map((argument, index) => {
    const [, typed, value] = /^--([\w-]+)(?:=(true|false)$)?/.exec(argument) ?? [];
    if (typed === undefined || (end !== -1 && index >= end)) return argument;
    const name = known.has(typed) ? typed : flagName(typed);
    if (value === undefined || known.get(name)?.kind !== "boolean")
      return `--${name}${argument.slice(2 + typed.length)}`;
    return value === "true" ? `--${name}` : `--no-${name}`;
  });
}

function explain({ message }: Error, known: ReadonlyMap<string, Flag>, help: string): string {
  const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  if (unknown === undefined) return message.split("\n").join(" ");
  const name = unknown.replace(/^-+(no-)?/, "");
  const suggestion = closestName(name, [...known.keys()]);
  const hint = suggestion ? `Did you mean --${suggestion}?` : `See '${help}' for all flags.`;
  return `Unknown flag ${unknown}. ${hint}`;
}

/** The capture options among parsed flags, by their names in the API. */
export function toCaptureOptions(values: FlagValues): Record<string, FlagValue> {
  const given: Record<string, FlagValue> = {};
  for (const [flag, value] of Object.entries(values)) {
    const name = aliases[flag] ?? flag.replaceAll("-", "_");
    if (value !== undefined && byName.has(name)) given[name] = value;
  }
  return given;
}
