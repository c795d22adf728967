// The dynamic imports in the code of all functions, and which of them the bundles of the running service have executed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync, type Metafile, type OutputFile } from "esbuild";
import { type BundleOptions, buildOptions } from "../../lib/infra/bundling/bundle.ts";
import { callerBundle } from "../../lib/infra/bundling/caller-bundle.ts";
import { BROWSER_THREADS } from "../../lib/infra/functions/browser-threads.ts";
import type { ExecutedImport } from "./record-imports.ts";

const project = join(import.meta.dirname, "../..");
const recordFile = (dataDir: string) => join(dataDir, "executed-imports.log");

/** The environment variables of functions that write down which imports they execute. */
export function recordingVariables(dataDir: string): Record<string, string> {
  const hook = pathToFileURL(join(import.meta.dirname, "record-imports.ts"));
  return { NODE_OPTIONS: `--import=${hook}`, IMPORT_RECORD: recordFile(dataDir) };
}

/**
 * Returns the dynamic imports in modules of this project that no bundle has executed, such as
 * `lib/module.ts:12: import("./other.ts")`. Bundles are deployed without source maps, so functions are bundled again, with
 * one, until each executed import is found in one of them.
 */
export function findUnexecutedImports(dataDir: string): string[] {
  const executed = readExecuted(recordFile(dataDir));
  const names = readdirSync(join(project, "functions")).map((file) => basename(file, ".ts"));
  const candidates = importsByFunction(names);
  const missing = new Set([...candidates.values()].flatMap((imports) => [...imports]));
  for (;;) {
    const missingIn = (name: string) => candidates.get(name)?.intersection(missing).size ?? 0;
    const [name] = [...candidates.keys()].toSorted((one, other) => missingIn(other) - missingIn(one));
    if (name === undefined || missingIn(name) === 0) return [...missing].toSorted();
    candidates.delete(name);
    // A thread shares chunks with its function, so that the imports of that are in other ones. Callers of the renderer lack the engine.
    for (const options of [{ threads: BROWSER_THREADS }, {}, callerBundle()]) {
      const { outputFiles } = bundleInMemory({ index: name }, options);
      for (const { place, source } of outputFiles.flatMap((file) => importsIn(file, outputFiles)))
        if (executed.has(place)) missing.delete(source);
    }
  }
}

/** The imports of each function, with those of the chunks that it can load. */
function importsByFunction(names: readonly string[]): Map<string, Set<string>> {
  const { outputFiles, metafile } = bundleInMemory(Object.fromEntries(names.map((name) => [name, name])));
  const importsOf = new Map(
    outputFiles.map((file) => [file.path, importsIn(file, outputFiles).map(({ source }) => source)]),
  );
  const reachable = (name: string) => reachableOutputs(metafile, `functions/${name}.ts`);
  return new Map(
    names.map((name) => [name, new Set(reachable(name).flatMap((path) => importsOf.get(join(project, path)) ?? []))]),
  );
}

function reachableOutputs({ outputs }: Metafile, entryPoint: string): string[] {
  const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint);
  const found = new Set(first === undefined ? [] : [first]);
  for (const path of found) for (const each of outputs[path]?.imports ?? []) found.add(each.path);
  return [...found];
}

function bundleInMemory(
  functions: Readonly<Record<string, string>>,
  { threads = {}, define = {} }: Pick<BundleOptions, "threads" | "define"> = {},
) {
  const entries = Object.entries(functions).map(([output, name]) => [output, join(project, "functions", `${name}.ts`)]);
  return buildSync({
    ...buildOptions("", join(project, "bundle"), { nativePackages: ["sharp"], withPageScripts: true, define }), // names the results; nothing is written
    entryPoints: { ...Object.fromEntries(entries), ...threads },
    write: false,
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
  });
}

interface BundledImport {
  /** The content of the chunk and the position in it. */
  readonly place: string;
  readonly source: string;
}

/** The imports in a chunk that come from modules of this project. */
function importsIn({ path, text }: OutputFile, outputFiles: readonly OutputFile[]): BundledImport[] {
  const map = outputFiles.find((file) => file.path === `${path}.map`);
  if (map === undefined || !text.includes('import("')) return [];
  const sourceMap = new SourceMap(JSON.parse(map.text));
  return findImports(text).flatMap((found) => {
    const entry = sourceMap.findEntry(found.line - 1, found.column - 1);
    if (!("originalSource" in entry)) return [];
    const file = relative(project, resolve(path, "..", entry.originalSource));
    if (file.startsWith("node_modules/")) return [];
    return [{ place: placeOf(text, found), source: describeImport(file, entry.originalLine) }];
  });
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The positions of import() in a chunk, counted from 1. */
function findImports(text: string): (Position & { readonly specifier: string })[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(/\bimport\("([^"]*)"\)/g)].map(({ index: column, 1: specifier = "" }) => {
      return { specifier, line: index + 1, column: column + 1 };
    }),
  );
}

function describeImport(file: string, line: number): string {
  const text = readFileSync(join(project, file), "utf8").split("\n")[line] ?? "";
  return `${file}:${line + 1}: ${/import\("[^"]*"\)/.exec(text)?.[0] ?? text.trim()}`;
}

/** A chunk is known by its content, without the imports of other chunks: their names, and so their order, depend on the source map. */
function placeOf(text: string, { line, column }: Position): string {
  const content = text.replaceAll(/import\{[^}]*\}from"[^"]*";/g, "").replaceAll(/-[0-9A-Z]{8}\.mjs/g, ".mjs");
  return `${createHash("sha256").update(content).digest("hex")}:${line}:${column}`;
}

/** The locations of the imports that bundles have executed. */
function readExecuted(file: string): Set<string> {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return new Set(
    lines.flatMap((recorded) => {
      const { url, specifier, line, column }: ExecutedImport = JSON.parse(recorded);
      const text = readFileSync(fileURLToPath(url), "utf8");
      const same = findImports(text).filter((each) => each.specifier === specifier && each.line === line);
      const [nearest] = same.toSorted((one, other) => Math.abs(one.column - column) - Math.abs(other.column - column));
      return nearest === undefined ? [] : [placeOf(text, nearest)];
    }),
  );
}
