// Runs the `capture` command.
import { readFileSync } from "node:fs";
import process from "node:process";
import { captureText, clientSettings, runCapture } from "./capture-command.ts";
import { commands, completionScript } from "./completion.ts";
import { type ExitCode, exitCode, exitCodes } from "./exit-code.ts";
import { captureFlags, commonFlags, type Flag, parseFlags } from "./flags.ts";
import { flagHelp, helpText, optionsText } from "./help.ts";
import { jobsFlags, runJobs } from "./jobs-command.ts";
import { keysFlags, runKeys } from "./keys-command.ts";
import { runLogin } from "./login-command.ts";
import { relayMessages } from "./mcp-bridge.ts";
import { readSettings } from "./settings.ts";
import { printError, printLine } from "./terminal.ts";
import { runUsage, usageFlags } from "./usage-command.ts";
import { UsageError } from "./usage-error.ts";

const usages: Readonly<Record<string, readonly [string, readonly Flag[]]>> = {
  usage: ["capture usage [flags]", usageFlags],
  jobs: ["capture jobs [ID] [flags]", jobsFlags],
  keys: ["capture keys [list | create LABEL | rotate ID | revoke ID] [flags]", keysFlags],
  login: ["capture login [flags]", []],
  options: ["capture options [WORD...]", []],
  mcp: ["capture mcp [flags]", []],
  completion: ["capture completion bash | zsh | fish", []],
};

// Warnings of Node.js about its own functions, such as `matchesGlob` of Node.js 20, mean nothing to who runs a command.
process.removeAllListeners("warning");
// The reader of a pipe has ended, as `head` does.
process.stdout.on("error", () => process.exit(exitCodes.success));

const interrupted = new AbortController();
const interrupt = () => interrupted.abort(new Error("interrupted"));
process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  if (interrupted.signal.aborted) return exitCodes.interrupted;
  printError(error.message);
  return exitCode(error);
});

async function main(given: readonly string[]): Promise<ExitCode> {
  const command = given.find((argument) => !argument.startsWith("-")) ?? "";
  const isCommand = Object.hasOwn(commands, command) && given[0] === command;
  const [usage, flags] = (isCommand ? usages[command] : undefined) ?? [undefined, []];
  const { positionals, values } =
    usage === undefined
      ? parseFlags(given, captureFlags, "capture options")
      : parseFlags(given, [...flags, ...commonFlags], `capture ${command} --help`);
  if (values["help"] === true) return print(usage === undefined ? helpText() : flagHelp(usage, flags));
  if (values["version"] === true) return print(version());
  if (usage === undefined) return runCapture(positionals, values, interrupted.signal);

  const rest = positionals.slice(1);
  const apiUrl = captureText(values["api-url"]);
  if (command === "options") return print(optionsText(rest));
  if (command === "jobs") return runJobs(rest, values, interrupted.signal);
  if (command === "keys") return runKeys(rest, values, interrupted.signal);
  if (command === "completion") return print(completionScript(rest[0]));
  if (rest.length > 0) throw new UsageError(`Unexpected argument ${rest[0]}. See 'capture ${command} --help'.`);
  if (command === "usage") return runUsage(values, interrupted.signal);
  if (command === "login") return runLogin(apiUrl, interrupted.signal);
  const { stdin: input, stdout: output } = process;
  await relayMessages({ ...clientSettings(readSettings(apiUrl)), input, output, signal: interrupted.signal });
  return exitCodes.success;
}

function print(lines: string): ExitCode {
  printLine(lines);
  return exitCodes.success;
}

function version(): string {
  // The package is two folders up from the source, and from the built file.
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
