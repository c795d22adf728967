// A command line of the operator's, read: which command it is, and with which options.
import { parseArgs } from "node:util";
import { type Arguments, UsageError } from "./arguments.ts";
import { type Command, commands } from "./commands.ts";

/** The command of a line, ready to run, and the stage that it names. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): {
  readonly run: Command["run"];
  readonly args: Arguments;
  readonly stage: string | undefined;
} {
  const { name, options } = parse(args);
  if (!Object.hasOwn(commands, name)) {
    throw new UsageError(name === "" ? "A command is missing." : `There is no command '${name}'.`);
  }
  const { usage, run } = commands[name] as Command;
  const { stage, ...rest } = options;
  const stranger = Object.keys(rest).find((option) => !optionsIn(usage).includes(option));
  if (stranger !== undefined) throw new UsageError(`The command '${name}' takes no --${stranger}.`);
  return { run, args: rest, stage };
}

/** All commands, as they are written. */
export const usage = `Usage:
${Object.entries(commands)
  .map(([name, { usage }]) => `  npm run accounts -- ${name} ${usage}`.trimEnd())
  .join("\n")}

Works on the service that \`npm start\` runs (DATA_DIR, default .local), or on a deployed stage with --stage <name>.`;

function parse(args: readonly string[]): { readonly name: string; readonly options: Arguments } {
  const all = ["stage", ...Object.values(commands).flatMap((command) => optionsIn(command.usage))];
  const options = Object.fromEntries(all.map((option) => [option, { type: "string" } as const]));
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { name: positionals.join(" "), options: values as Arguments };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function optionsIn(usage: string): string[] {
  return [...usage.matchAll(/--([a-z-]+)/g)].map(([, option = ""]) => option);
}
