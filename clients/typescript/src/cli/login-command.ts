// `capture login`: checks an API key and saves it, without a trace in the history of the shell.
import { once } from "node:events";
import { stderr, stdin } from "node:process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { ScreenCapture } from "../client.ts";
import { ForbiddenError } from "../generated/error-classes.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { saveSettings } from "./settings.ts";
import { printLine } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** Asks for the URL and the key; without a terminal, the key is the first line of standard input. */
export async function runLogin(apiUrl: string | undefined, signal: AbortSignal): Promise<ExitCode> {
  const url =
    apiUrl ?? process.env["SCREEN_CAPTURE_URL"] ?? (stdin.isTTY ? await ask("URL of the service: ", signal) : "");
  if (!url) throw new UsageError("Pass --api-url URL, or set SCREEN_CAPTURE_URL.");
  const key = await ask("API key: ", signal, { isHidden: true });
  if (!key) throw new UsageError("No API key was entered.");
  const client = new ScreenCapture({ key, baseUrl: url });
  await client.account({ signal }).catch((error) => {
    if (!(error instanceof ForbiddenError)) throw error; // the key is valid, but can't read the account
  });
  printLine(`Saved to ${saveSettings({ key: key.trim(), url: client.baseUrl })}`);
  return exitCodes.success;
}

/** Prompts on standard error. A hidden answer isn't echoed. */
async function ask(question: string, signal: AbortSignal, { isHidden = false } = {}): Promise<string> {
  if (stdin.isTTY) stderr.write(question);
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  const ended = once(lines, "close").then(() => ""); // the input ended without a line
  try {
    return (await Promise.race([lines.question("", { signal }), ended])).trim();
  } finally {
    lines.close();
    if (isHidden && stdin.isTTY) stderr.write("\n");
  }
}
