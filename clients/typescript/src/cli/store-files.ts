// Captures several results of one page, and writes each to its file.
import type { ScreenCapture } from "../client.ts";
import { errorFromBody } from "../error-from.ts";
import type { OutputResult } from "../generated/types.ts";
import type { OutputsOptions } from "../options.ts";
import type { CallOptions } from "../transport.ts";
import { download } from "./download.ts";
import { combinedExitCode, type ExitCode, exitCode } from "./exit-code.ts";
import { createWriter } from "./output.ts";
import type { OutputFile } from "./output-files.ts";
import { printFindings } from "./problems.ts";
import { printFailure, printJson, printLine } from "./terminal.ts";

export interface FileSettings {
  readonly client: ScreenCapture;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Paths of the files that the command has read, which it doesn't overwrite. */
  readonly sources: Iterable<string>;
  readonly signal: AbortSignal;
  /** The settings of the request. */
  readonly call: CallOptions;
}

export interface StoredFiles {
  /** Prints the names of the files, and an error under the name of each file that wasn't written. */
  print(inputName: string): void;
  readonly hasProblems: boolean;
  /** The exit code of the files that weren't written. */
  readonly code: ExitCode;
}

/** Captures the outputs of a request. One that fails keeps no other one from being written. Throws if all captures fail. */
export async function storeFiles(
  options: OutputsOptions,
  files: readonly OutputFile[],
  { client, isJson, isQuiet, sources, signal, call }: FileSettings,
): Promise<StoredFiles> {
  const stored = await client.storeOutputs(options, call);
  const attempts = stored.outputs.map((output, index) =>
    writeOutput(output, files[index]?.file ?? "", sources, signal),
  );
  const outcomes = await Promise.all(attempts);
  const failures = outcomes.flatMap(({ error }) => error ?? []);
  const isPrinted = outcomes.some(({ file }) => file === "-");
  return {
    print(inputName) {
      for (const outcome of outcomes) printOutcome(outcome, { isJson });
      if (isJson) printJson({ input: inputName, ...stored, outputs: outcomes.map(describeOutcome) });
      else if (!isQuiet && !isPrinted) for (const { file, error } of outcomes) if (!error) printLine(file);
    },
    hasProblems: outcomes.some(({ output }) => output.problems !== undefined),
    code: combinedExitCode(failures.map(exitCode)),
  };
}

/** What became of an output: it was written to its file, unless there is an error. */
interface Outcome {
  readonly file: string;
  readonly output: OutputResult;
  readonly error?: Error;
}

async function writeOutput(
  output: OutputResult,
  file: string,
  sources: Iterable<string>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (output.error) return { file, output, error: errorFromBody(output.error) };
  try {
    const bytes = await download(output.url ?? "", signal);
    createWriter(file, 1, sources)({ bytes, mimeType: output.mime_type ?? "" }, output.name);
    return { file, output };
  } catch (thrown) {
    signal.throwIfAborted();
    return { file, output, error: thrown as Error };
  }
}

function printOutcome({ file, output, error }: Outcome, { isJson }: Pick<FileSettings, "isJson">): void {
  const label = file === "-" ? "standard output" : file;
  if (error) printFailure(label, error);
  if (isJson) return;
  printFindings(output, label);
}

function describeOutcome({ file, output, error }: Outcome) {
  return error || file === "-" ? output : { file, ...output };
}
