// Builds the page scripts with esbuild: when the functions are bundled, and on first use where they run from source.
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const folder = join(import.meta.dirname, "../injected");

/** The entry point of each script. */
const entryPoints = {
  accessibility: "bundles/accessibility.ts",
  core: "bundles/core.ts",
  fullPage: "bundles/full-page.ts",
  layout: "bundles/layout.ts",
  movement: "bundles/movement.ts",
  observation: "bundles/observation.ts",
  overlays: "bundles/overlays.ts",
  diagrams: "diagrams.ts",
  documents: "bundles/documents.ts",
  printing: "bundles/printing.ts",
  visit: "bundles/visit.ts",
  autoconsent: "autoconsent.ts",
  consentPlatform: "consent-platform.ts",
  cosmeticFiltering: "cosmetic-filtering.ts",
  determinism: "determinism.ts",
  emulation: "emulation.ts",
  frameCommits: "frame-commits.ts",
  pageErrors: "page-errors.ts",
  stealth: "stealth.ts",
  videoEncoder: "video-encoder.ts",
  webSockets: "web-sockets.ts",
} as const satisfies Record<string, string>;

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
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([name, file]) => [name, join(folder, file)])),
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
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => {
      return [basename(path, ".js"), `(()=>{${text}return script})()`];
    }),
  ) as Record<ScriptName, string>;
}
