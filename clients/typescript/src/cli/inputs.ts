// What to capture: URLs, local HTML and Markdown files, glob patterns, lists in files, and standard input.
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { fileStem, urlStem } from "./file-stems.ts";
import { expandGlob, isGlob } from "./glob.ts";
import { inlineFiles } from "./local-page/inline-files.ts";
import { UsageError } from "./usage-error.ts";

export interface Input {
  /** As it was typed, for messages. */
  readonly name: string;
  /** Name of the file to write, without an extension. Several inputs can have the same one: see `withUniqueStems`. */
  readonly stem: string;
  /** Path of a local file. */
  readonly file?: string;
  /** A local file is read again each time. */
  read(): InputContent;
}

export interface InputContent {
  /** The options that say what to capture. */
  readonly options: Readonly<Record<string, string>>;
  /** Paths of the files that a local page uses. */
  readonly files?: readonly string[];
  /** What a local page lacks, one sentence each. */
  readonly warnings?: readonly string[];
}

/** How local pages are read. */
export interface LocalPageSettings {
  /** Folder whose files they may use. @default the folder of each page */
  readonly root?: string | undefined;
  /** False for pages whose relative addresses are those of `base_url`. @default true */
  readonly isInlined?: boolean;
}

const HTML_FILE = /\.x?html?$/i;
const MARKDOWN_FILE = /\.(md|markdown)$/i;

interface InputSettings {
  /** Files with an input on each line. */
  readonly lists: readonly string[];
  /** The option `source`, if it was sent. */
  readonly source: unknown;
  readonly page?: LocalPageSettings;
  readStdin(): string;
}

/** The inputs that arguments and lists stand for. `readStdin` returns standard input as text. */
export function createInputs(
  positionals: readonly string[],
  { lists, source, readStdin, page = {} }: InputSettings,
): Input[] {
  const listed = lists.flatMap((list) => parseLines(list === "-" ? readStdin() : readText(list)));
  return [...positionals, ...listed].flatMap((name) => {
    if (name === "-") return [stdinInput(readStdin(), source)];
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(name)) return [urlInput(name, name)];
    if (existsSync(name)) return [fileInput(name, page)];
    if (isGlob(name)) return expand(name).map((file) => fileInput(file, page));
    return [urlInput(name, withScheme(name))];
  });
}

/** Lines of a list, without blank lines and comments. */
function parseLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function stdinInput(text: string, source: unknown): Input {
  const option = source === "markdown" ? "markdown" : "html";
  return { name: "standard input", stem: "capture", read: () => ({ options: { [option]: text } }) };
}

function urlInput(name: string, url: string): Input {
  return { name, stem: urlStem(url), read: () => ({ options: { url } }) };
}

function fileInput(file: string, { root, isInlined = true }: LocalPageSettings): Input {
  const kind = HTML_FILE.test(file) ? "html" : MARKDOWN_FILE.test(file) ? "markdown" : undefined;
  if (kind === undefined || !statSync(file).isFile()) {
    throw new UsageError(`${file} isn't an HTML or Markdown file. For a list of URLs, use --input-file ${file}.`);
  }
  const stem = fileStem(basename(file).replace(/\.[^.]*$/, ""));
  const read = (): InputContent => {
    const source = readText(file);
    if (!isInlined) return { options: { [kind]: source } };
    const { text, files, omitted } = inlineFiles({ kind, text: source, file, root });
    return { options: { [kind]: text }, files, warnings: omitted };
  };
  return { name: file, stem, file, read };
}

function expand(pattern: string): string[] {
  const files = expandGlob(pattern);
  if (files.length === 0) throw new UsageError(`No file matches ${pattern}.`);
  return files;
}

/** `example.com/page` becomes a URL; a name that can only be a file doesn't. */
function withScheme(name: string): string {
  if (/^(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/.test(name)) return `http://${name}`;
  const isHost = /^[^\s/.]+(\.[^\s/.]+)+(:\d+)?([/?#]|$)/.test(name);
  const isFileName = !name.includes("/") && (HTML_FILE.test(name) || MARKDOWN_FILE.test(name));
  if (!isHost || isFileName) {
    throw new UsageError(`${name} is neither a URL nor a file that exists.`);
  }
  return `https://${name}`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Can't read ${file}: ${(error as Error).message}`);
  }
}
