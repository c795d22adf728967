// Builds the page scripts with esbuild: when the functions are bundled, and on first use where they run from source.
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const folder = join(import.meta.dirname, "../injected");

/** The entry point of each script. Those of the isolated world of a capture have all of their functions in one object. */
const entryPoints = {
  core: { file: "bundles/core.ts", value: "functions" },
  fullPage: { file: "bundles/full-page.ts", value: "functions" },
  layout: { file: "bundles/layout.ts", value: "functions" },
  overlays: { file: "bundles/overlays.ts", value: "functions" },
  documents: { file: "bundles/documents.ts", value: "functions" },
  autoconsent: { file: "autoconsent.ts" },
  consentPlatform: { file: "consent-platform.ts" },
  cosmeticFiltering: { file: "cosmetic-filtering.ts" },
  determinism: { file: "determinism.ts" },
  emulation: { file: "emulation.ts" },
  frameCommits: { file: "frame-commits.ts" },
  stealth: { file: "stealth.ts" },
  videoEncoder: { file: "video-encoder.ts" },
  webSockets: { file: "web-sockets.ts" },
} as const satisfies Record<string, { readonly file: string; readonly value?: string }>;

export type ScriptName = keyof typeof entryPoints;

let built: Readonly<Record<ScriptName, string>> | undefined;

/**
 * Each script as one expression, whose value is an object of its functions. Takes about 50 ms, once per process. Throws
 * what esbuild reports.
 */
export function buildInjectedScripts(): Readonly<Record<ScriptName, string>> {
  built ??= build();
  return built;
}

function build(): Readonly<Record<ScriptName, string>> {
  const { outputFiles } = buildSync({
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([name, { file }]) => [name, join(folder, file)])),
    outdir: folder, // names the results; nothing is written
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "script",
    target: "esnext", // Chromium's version is ours
    legalComments: "none",
    logLevel: "warning",
  });
  const expression = (name: ScriptName, code: string) => {
    const { value }: { readonly file: string; readonly value?: string } = entryPoints[name];
    return `(()=>{${code}return script${value === undefined ? "" : `.${value}`}})()`;
  };
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => {
      const name = basename(path, ".js") as ScriptName;
      return [name, expression(name, text)];
    }),
  ) as Record<ScriptName, string>;
}
