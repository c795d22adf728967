// Parses and runs the command line of an operator's script.

import { parseArgs } from "node:util";
import { type StatusLine, withStatusLine } from "../../../clients/typescript/src/cli/status-line.ts";
import { type CommandArguments, CommandUsageError } from "./arguments.ts";

/** A command that runs with a context: the resources, and the time. */
export interface Command<Site> {
  /** Its options; those in brackets are optional. */
  readonly usage: string;
  /** Runs the command. Resolves to its output; to undefined for one that has printed it. Throws `CommandUsageError`, or an error; only the message of that is printed. */
  readonly run: (args: CommandArguments, site: Site) => Promise<unknown>;
}

/** Commands by name, and their script in package.json. */
export interface CommandSet<Site> {
  readonly script: string;
  readonly commands: Readonly<Record<string, Command<Site>>>;
}

/** Parses a command line to a command, its options and the stage. Throws `CommandUsageError`. */
export function readCommandLine<Site>(
  set: CommandSet<Site>,
  line: readonly string[],
): {
  readonly run: Command<Site>["run"];
  readonly args: CommandArguments;
  readonly stage: string | undefined;
} {
  const { name, options } = parse(set, line);
  const command = Object.hasOwn(set.commands, name) ? set.commands[name] : undefined;
  if (!command) throw new CommandUsageError(name === "" ? "A command is missing." : `Unknown command '${name}'.`);
  const { stage, ...rest } = options;
  const unknownOption = Object.keys(rest).find(
    (option) => !listOptions(command.usage).some(({ name }) => name === option),
  );
  if (unknownOption !== undefined)
    throw new CommandUsageError(`The command '${name}' has no option --${unknownOption}.`);
  return { run: command.run, args: rest, stage };
}

/** The help text. */
export function usageText<Site>({ script, commands }: CommandSet<Site>): string {
  const lines = Object.entries(commands).map(([name, { usage }]) =>
    `  npm run ${script} -- ${name} ${usage}`.trimEnd(),
  );
  return `Usage:
${lines.join("\n")}

Uses the service of \`npm start\` (DATA_DIR, default .local), or a deployed stage with --stage <name>.`;
}

/** Runs a command line, whose `siteAt` gets the line of the progress: what prints interrupts it. Resolves to its output, undefined if there is none, or to the error message, with the help text for a `CommandUsageError`. */
export async function runCommandLine<Site>(
  set: CommandSet<Site>,
  line: readonly string[],
  siteAt: (stage: string | undefined, line: StatusLine) => Site,
): Promise<{ readonly printed: string | undefined; readonly hasFailed: boolean }> {
  try {
    const { run, args, stage } = readCommandLine(set, line);
    return {
      printed: JSON.stringify(await withStatusLine("Working", (line) => run(args, siteAt(stage, line)))),
      hasFailed: false,
    };
  } catch (error) {
    const { message } = error as Error;
    return {
      printed: error instanceof CommandUsageError ? `${message}\n\n${usageText(set)}` : message,
      hasFailed: true,
    };
  }
}

function parse<Site>(
  { commands }: CommandSet<Site>,
  line: readonly string[],
): { readonly name: string; readonly options: CommandArguments } {
  const all = [
    { name: "stage", type: "string" } as const,
    ...Object.values(commands).flatMap(({ usage }) => listOptions(usage)),
  ];
  const options = Object.fromEntries(all.map(({ name, type }) => [name, { type }]));
  try {
    const { positionals, values } = parseArgs({ args: [...line], allowPositionals: true, options });
    const texts = Object.entries(values).map(([option, value]) => [option, String(value)]);
    return { name: positionals.join(" "), options: Object.fromEntries(texts) };
  } catch (error) {
    throw new CommandUsageError((error as Error).message);
  }
}

/** The options of a command; one without a value in its usage is a flag, and `true` where it is given. */
function listOptions(usage: string): { readonly name: string; readonly type: "string" | "boolean" }[] {
  return [...usage.matchAll(/--([a-z-]+)( <)?/g)].map(([, name = "", value]) => ({
    name,
    type: value === undefined ? "boolean" : "string",
  }));
}
