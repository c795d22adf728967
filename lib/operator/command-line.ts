// A command line of the operator's, read: which command it is, and with which options.
import { parseArgs } from "node:util";
import { type Arguments, UsageError } from "./arguments.ts";

/** A command that is carried out at a site: where, and when. */
export interface Command<Site> {
  /** The options it takes; those in brackets can be left out. */
  readonly usage: string;
  /** Carries it out. Resolves to what is printed; throws `UsageError` or an error that is worth its message alone. */
  readonly run: (args: Arguments, site: Site) => Promise<unknown>;
}

/** Commands by their names, and the script of package.json that runs them. */
export interface CommandSet<Site> {
  readonly script: string;
  readonly commands: Readonly<Record<string, Command<Site>>>;
}

/** The command of a line, ready to run, and the stage that it names. Throws `UsageError`. */
export function readCommandLine<Site>(
  set: CommandSet<Site>,
  line: readonly string[],
): {
  readonly run: Command<Site>["run"];
  readonly args: Arguments;
  readonly stage: string | undefined;
} {
  const { name, options } = parse(set, line);
  const command = Object.hasOwn(set.commands, name) ? set.commands[name] : undefined;
  if (!command) throw new UsageError(name === "" ? "A command is missing." : `There is no command '${name}'.`);
  const { stage, ...rest } = options;
  const stranger = Object.keys(rest).find((option) => !listOptions(command.usage).includes(option));
  if (stranger !== undefined) throw new UsageError(`The command '${name}' takes no --${stranger}.`);
  return { run: command.run, args: rest, stage };
}

/** All commands, as they are written. */
export function usageText<Site>({ script, commands }: CommandSet<Site>): string {
  const lines = Object.entries(commands).map(([name, { usage }]) =>
    `  npm run ${script} -- ${name} ${usage}`.trimEnd(),
  );
  return `Usage:
${lines.join("\n")}

Works on the service that \`npm start\` runs (DATA_DIR, default .local), or on a deployed stage with --stage <name>.`;
}

/** Carries out a command line, and resolves to what is printed; a mistake is told with how it is written. */
export async function runCommandLine<Site>(
  set: CommandSet<Site>,
  line: readonly string[],
  siteAt: (stage: string | undefined) => Site,
): Promise<{ readonly printed: string; readonly hasFailed: boolean }> {
  try {
    const { run, args, stage } = readCommandLine(set, line);
    return { printed: JSON.stringify(await run(args, siteAt(stage))), hasFailed: false };
  } catch (error) {
    const { message } = error as Error;
    return { printed: error instanceof UsageError ? `${message}\n\n${usageText(set)}` : message, hasFailed: true };
  }
}

function parse<Site>(
  { commands }: CommandSet<Site>,
  line: readonly string[],
): { readonly name: string; readonly options: Arguments } {
  const all = ["stage", ...Object.values(commands).flatMap((command) => listOptions(command.usage))];
  const options = Object.fromEntries(all.map((option) => [option, { type: "string" } as const]));
  try {
    const { positionals, values } = parseArgs({ args: [...line], allowPositionals: true, options });
    return { name: positionals.join(" "), options: values as Arguments };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function listOptions(usage: string): string[] {
  return [...usage.matchAll(/--([a-z-]+)/g)].map(([, option = ""]) => option);
}
