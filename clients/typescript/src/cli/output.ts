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
const TEXT_FORMATS = ["html", "markdown", "md", "text", "txt", "json", "elements"];

/** The names of formats, which are extensions of files, too. */
const formats = options.find(({ name }) => name === "format")?.values ?? [];
/** Usual extensions with another name than their format. */
const otherExtensions: Readonly<Record<string, string>> = { htm: "html", mht: "mhtml" };

/**
 * The format that the extension of the output stands for, such as `pdf` for `page.pdf`; undefined for a folder, for standard output,
 * and without an extension. Throws a `UsageError` for an extension of no format.
 */
export function formatOfOutput(output: string | undefined): string | undefined {
  if (output === undefined || output === "-" || namesFolder(output)) return undefined;
  const extension = extname(output).slice(1).toLowerCase();
  const format = otherExtensions[extension] ?? extension;
  if (extension === "" || formats.includes(format)) return format || undefined;
  const known = formats.filter((name) => !name.includes("_")).join(", ");
  throw new UsageError(`.${extension} isn't the extension of a format. Use one of ${known}, or set --format.`);
}

/**
 * Throws a `UsageError` if a capture would overwrite a file that the command reads: the output itself, or a file in the folder of the
 * output that an input is written to.
 */
export function requireNoSource(
  output: string | undefined,
  facts: {
    readonly inputs: readonly { readonly stem: string }[];
    readonly sources: Iterable<string>;
    readonly format?: string | undefined;
  },
): void {
  const { inputs, sources, format = "png" } = facts;
  const isPrinted = output === undefined && inputs.length === 1 && TEXT_FORMATS.includes(format);
  if (output === "-" || isPrinted) return;
  const extension = formatExtensions[format] ?? format;
  const isFile = output !== undefined && !namesFolder(output);
  const files = isFile ? [output] : inputs.map(({ stem }) => join(output ?? "", `${stem}.${extension}`));
  for (const file of files) requireOther(file, sources);
}

const formatExtensions: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  markdown: "md",
  text: "txt",
  elements: "json",
  animated_webp: "webp",
  tif: "tiff",
};

function requireOther(file: string, sources: Iterable<string>): void {
  const target = fileId(file);
  if (target === undefined) return;
  for (const source of sources) {
    if (fileId(source) === target)
      throw new UsageError(`${file} is read by this command and isn't overwritten. Choose another --output.`);
  }
}

/** The same for all paths of one file, also through links; undefined if there is no file. */
function fileId(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

export function namesFolder(output: string): boolean {
  return output.endsWith("/") || isFolder(output);
}

/**
 * The writer for `--output`. Without it, text of a single capture is printed, and all else becomes a file with its own name. It
 * throws a `UsageError` rather than overwrite one of `sources`.
 */
export function createWriter(output: string | undefined, inputs: number, sources: Iterable<string> = []): Writer {
  const inFolder =
    (folder: string): Writer =>
    ({ bytes, mimeType }, stem) =>
      writeResult(join(folder, `${stem}.${fileExtension(mimeType)}`), bytes, sources);
  if (output === "-") {
    if (inputs > 1) throw new UsageError("Only one capture can go to standard output. Pass a folder to --output.");
    return printResult;
  }
  if (output === undefined) {
    return (result, stem) =>
      inputs === 1 && TEXT.test(result.mimeType) ? printResult(result) : inFolder("")(result, stem);
  }
  if (namesFolder(output)) return inFolder(output);
  if (inputs > 1) throw new UsageError(`${output} can't hold ${inputs} captures. End it with a slash for a folder.`);
  return ({ bytes }) => writeResult(output, bytes, sources);
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

function writeResult(file: string, bytes: Uint8Array, sources: Iterable<string>): string {
  requireOther(file, sources);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
