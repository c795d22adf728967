// Several `--output` files: the `outputs` of one request, one for each file.
import { basename, extname, resolve } from "node:path";
import { options } from "../generated/command-line.ts";
import { unusedName } from "./file-stems.ts";
import { type FlagOptions, flagName } from "./flags.ts";
import { formatOfOutput, namesFolder } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** A file with the output of the request that is written to it. */
export interface OutputFile {
  /** `-` for standard output. */
  readonly file: string;
  readonly format: string;
  /** Name and options of the output. */
  readonly output: FlagOptions;
}

export interface OutputRequest {
  /** The options of the request, without `outputs`. */
  readonly options: FlagOptions;
  /** Undefined for a request for one result. */
  readonly outputs?: readonly OutputFile[];
}

const DEFAULT_FORMAT = "png";
/** Shorter than the API allows, so that a number can follow. */
const MAX_NAME_CHARACTERS = 90;
const formatsByOption = new Map(options.map(({ name, formats }) => [name, formats]));

/**
 * Distributes the capture options of a command over its files: an option of one result applies to each file whose format takes it.
 * Throws a `UsageError` for an option that no file takes, and for files that can't have a result each.
 */
export function splitOptions(files: readonly string[], { format: otherFormat, ...given }: FlagOptions): OutputRequest {
  requireSeparateFiles(files);
  const formats = files.map(formatOfOutput);
  if (otherFormat !== undefined && !formats.includes(undefined)) {
    throw new UsageError(
      "--format is for a file without an extension. Remove it: the extension of each file sets its format.",
    );
  }
  const used = new Set<string>();
  const outputs = files.map((file, index) => ({
    file,
    format: formats[index] ?? String(otherFormat ?? DEFAULT_FORMAT),
    name: unusedName(outputName(file), used),
  }));
  const optionsByName = Object.entries(given);
  for (const [name] of optionsByName) requireTaker(name, outputs);
  return {
    outputs: outputs.map(({ file, format, name }) => {
      const own = optionsByName.filter(([option]) => formatsByOption.get(option)?.includes(format));
      return { file, format, output: { name, format, ...Object.fromEntries(own) } };
    }),
    options: Object.fromEntries(optionsByName.filter(([option]) => formatsByOption.get(option) === undefined)),
  };
}

function requireSeparateFiles(files: readonly string[]): void {
  const used = new Set<string>();
  for (const file of files) {
    if (file !== "-" && namesFolder(file)) {
      throw new UsageError(`${file} is a folder. Name a file in it: with several --output, each one is a result.`);
    }
    const path = file === "-" ? file : resolve(file);
    if (used.has(path)) throw new UsageError(`--output ${file} is given twice. Name another file for each result.`);
    used.add(path);
  }
}

function requireTaker(option: string, outputs: readonly { readonly format: string }[]): void {
  const formats = formatsByOption.get(option);
  if (!formats || outputs.some(({ format }) => formats.includes(format))) return;
  const extensions = formats.filter((name) => !name.includes("_")).join(", ");
  throw new UsageError(
    `--${flagName(option)} applies to none of the files. Remove it, or add an --output with one of these extensions: ${extensions}.`,
  );
}

/** Names that the API reserves for the manifest of an archive and for devices of Windows. */
const RESERVED = /^(manifest|con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The name of an output, of the characters that the API allows: `shot` for `shots/shot.png`. */
function outputName(file: string): string {
  const stem = file === "-" ? "" : basename(file, extname(file));
  const name = stem
    .replaceAll(/[^A-Za-z\d._-]+/g, "-")
    .slice(0, MAX_NAME_CHARACTERS)
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  if (name === "") return "output";
  return RESERVED.test(name) ? `output-${name}` : name;
}
