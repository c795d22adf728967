// Preloaded into the functions of the running service: writes down where their bundles execute an import(). What is deployed
// stays as it is; Node.js shows this hook about each import, also about one of a module that is loaded already.
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

export interface ExecutedImport {
  readonly specifier: string;
  readonly url: string;
  /** The position in the module, counted from 1: that of the import(), or its end. */
  readonly line: number;
  readonly column: number;
}

const { IMPORT_RECORD: record = "" } = process.env;
const recorded = new Set<string>();

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const place = context.parentURL?.endsWith(".mjs") ? callIn(context.parentURL) : undefined;
    const line = `${JSON.stringify({ specifier, ...place } satisfies Partial<ExecutedImport>)}\n`;
    if (place !== undefined && !recorded.has(line)) appendFileSync(record, line);
    recorded.add(line);
    return resolved;
  },
});

/** Where a module calls import() now, counted from 1; undefined for a static import, which nothing calls. */
function callIn(url: string): Omit<ExecutedImport, "specifier"> | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30; // Node.js's own calls come first
  const frames = new Error().stack?.split("\n").filter((line) => !line.includes("at async ")) ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const [, line, column] =
    frames.map((frame) => /:(\d+):(\d+)\)?$/.exec(frame.includes(url) ? frame : "")).find(Boolean) ?? [];
  return line === undefined ? undefined : { url, line: Number(line), column: Number(column) };
}
