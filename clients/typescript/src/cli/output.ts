// Where a result goes: a file, a folder, or standard output.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { stdout } from "node:process";
import { extensions, options } from "../generated/command-line.ts";
import { printable } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** A result to write. */
interface Result {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Writes a result. Returns the path of the file; undefined for standard output. */
export type Writer = (result: Result, stem: string) => string | undefined;

const TEXT = /^(text\/|application\/json)/;
const TEXT_FORMATS = ["html", "markdown", "md", "text", "txt", "json"];

/** The format that the extension of the output stands for, such as `pdf` for `page.pdf`. */
export function formatByExtension(output: string | undefined): string | undefined {
  const extension = extname(output ?? "")
    .slice(1)
    .toLowerCase();
  const format = options.find(({ name }) => name === "format");
  return format?.values?.includes(extension) ? extension : undefined;
}

/** The writer for `--output`. Without it, text of a single capture is printed, and all else becomes a file with its own name. */
export function createWriter(output: string | undefined, inputs: number): Writer {
  const used = new Set<string>();
  const inFolder =
    (folder: string): Writer =>
    ({ bytes, mimeType }, stem) => {
      const file = join(folder, unusedName(stem, fileExtension(mimeType), used));
      return writeResult(file, bytes);
    };
  if (output === "-") {
    if (inputs > 1) throw new UsageError("Only one capture can go to standard output. Pass a folder to --output.");
    return printResult;
  }
  if (output === undefined) {
    return (result, stem) =>
      inputs === 1 && TEXT.test(result.mimeType) ? printResult(result) : inFolder("")(result, stem);
  }
  if (output.endsWith("/") || isFolder(output)) return inFolder(output);
  if (inputs > 1) throw new UsageError(`${output} can't hold ${inputs} captures. End it with a slash for a folder.`);
  return ({ bytes }) => writeResult(output, bytes);
}

/** Throws a `UsageError` for a format that a terminal can't show, before it is captured. */
export function requireShowable(output: string | undefined, format = "png"): void {
  if (output === "-" && stdout.isTTY && !TEXT_FORMATS.includes(format)) {
    throw new UsageError(`A terminal can't show ${format}. Use --output FILE, or redirect the output.`);
  }
}

function fileExtension(mimeType: string): string {
  return extensions[mimeType.split(";")[0] ?? ""] ?? "bin";
}

function printResult({ bytes, mimeType }: Result): undefined {
  if (!stdout.isTTY) {
    stdout.write(bytes);
  } else if (TEXT.test(mimeType)) {
    stdout.write(`${printable(new TextDecoder().decode(bytes))}\n`);
  } else {
    throw new UsageError(`A terminal can't show ${mimeType}. Use --output FILE, or redirect the output.`);
  }
}

function writeResult(file: string, bytes: Uint8Array): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

/** Adds `-2`, `-3`, and so on to a name that an earlier capture of this command has. */
function unusedName(stem: string, extension: string, used: Set<string>): string {
  for (let number = 1; ; number++) {
    const name = `${stem}${number === 1 ? "" : `-${number}`}.${extension}`;
    if (used.has(name)) continue;
    used.add(name);
    return name;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
