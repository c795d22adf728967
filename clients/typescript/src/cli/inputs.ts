// What to capture: URLs, local HTML and Markdown files, glob patterns, lists in files, and standard input.
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { expandGlob, isGlob } from "./glob.ts";
import { UsageError } from "./usage-error.ts";

export interface Input {
  /** As it was typed, for messages. */
  readonly name: string;
  /** Name of the file to write, without an extension. */
  readonly stem: string;
  /** Path of a local file. */
  readonly file?: string;
  /** The options that say what to capture. A local file is read again each time. */
  read(): Readonly<Record<string, string>>;
}

const MAX_STEM_CHARACTERS = 100;
const HTML_FILE = /\.x?html?$/i;
const MARKDOWN_FILE = /\.(md|markdown)$/i;

/** The inputs that arguments and lists stand for. `readStdin` returns standard input as text. */
export function createInputs(
  positionals: readonly string[],
  { lists, source, readStdin }: { lists: readonly string[]; source: unknown; readStdin(): string },
): Input[] {
  const listed = lists.flatMap((list) => parseLines(list === "-" ? readStdin() : readText(list)));
  return [...positionals, ...listed].flatMap((name) => {
    if (name === "-") return [stdinInput(readStdin(), source)];
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(name)) return [urlInput(name, name)];
    if (existsSync(name)) return [fileInput(name)];
    if (isGlob(name)) return expand(name).map(fileInput);
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
  return { name: "standard input", stem: "capture", read: () => ({ [option]: text }) };
}

function urlInput(name: string, url: string): Input {
  return { name, stem: toFileStem(url.replace(/^[^:]*:\/\//, "").replace(/[?#].*$/, "")), read: () => ({ url }) };
}

function fileInput(file: string): Input {
  const option = HTML_FILE.test(file) ? "html" : MARKDOWN_FILE.test(file) ? "markdown" : undefined;
  if (option === undefined || !statSync(file).isFile()) {
    throw new UsageError(`${file} isn't an HTML or Markdown file. For a list of URLs, use --input-file ${file}.`);
  }
  const stem = toFileStem(basename(file).replace(/\.[^.]*$/, ""));
  return { name: file, stem, file, read: () => ({ [option]: readText(file) }) };
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

/** A file name of letters, digits, dots, and dashes that stays in its folder. */
function toFileStem(text: string): string {
  const stem = text.replaceAll(/[^\p{L}\p{N}.]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return stem.slice(0, MAX_STEM_CHARACTERS) || "capture";
}
