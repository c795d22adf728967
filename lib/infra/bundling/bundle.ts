// Bundles the code of a function with esbuild: its module and all imports, in one folder for Lambda's Node.js.
import { cpSync } from "node:fs";
import { join, relative } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { type BuildOptions, buildSync } from "esbuild";
import { packageClosure } from "../../build/package-closure.ts";
import { buildKatexStyle, buildMermaidScript } from "../../engine/inputs/build-markdown-assets.ts";
import { buildInjectedScripts } from "../../engine/page/build-injected-scripts.ts";
import { knownPaths } from "../../service/routes.ts";
import { builtSite } from "../../site/site-artifact.ts";
import { STATUS_FRAME_FILE } from "../../site/site-files.ts";
import { refuseDynamicCommonJs } from "./import-forms.ts";

const projectRoot = join(import.meta.dirname, "../../..");

export interface BundleOptions {
  /**
   * Literals that esbuild inserts into the code, by the global name that each replaces. Data is JSON in a string: for an object, esbuild
   * would add a module that every other module initializes.
   */
  readonly define?: Readonly<Record<string, string>>;
  /** Modules of threads by the names of their files next to the bundle, without the extension. Paths are from the project's root. */
  readonly threads?: Readonly<Record<string, string>>;
  /** Packages with native code. They are copied next to the bundle, with their dependencies. */
  readonly nativePackages?: readonly string[];
  /** True for a function with code that opens pages, to compile the scripts for them in. They have 4 MB, which esbuild reads each time. */
  readonly withPageScripts?: boolean;
  /** True to put the website into the folder `site` next to the bundle. */
  readonly withSite?: boolean;
  /** True to put the status page without its content next to the bundle. */
  readonly withStatusFrame?: boolean;
}

/** The bundle of a module that exports a `handler`. CDK makes it during synth. `entry` is the path of the module. */
export function bundledCode(entry: string, options: BundleOptions = {}): Code {
  return Code.fromAsset(join(entry, ".."), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry("none"), // required by the type; never used, because local bundling succeeds or throws
      command: [relative(projectRoot, entry), JSON.stringify(options)], // CDK reuses the bundle of an equal command
      local: {
        tryBundle(folder) {
          bundle(entry, folder, options);
          return true;
        },
      },
    },
  });
}

/** The context that names the files in `functions/` that are bundled, separated by commas. Without it, all are. */
const BUNDLES = "bundles";

/**
 * Whether the function of a file gets its code in this synthesis. The first start of the service on one machine bundles what a capture
 * needs, and the others once it answers.
 */
export function isBundled(scope: Construct, file: string): boolean {
  const names: string | undefined = scope.node.tryGetContext(BUNDLES);
  return names === undefined || names.split(",").includes(file);
}

/** The code of a function that is not bundled: without its module, so that it can't be invoked. */
export const notBundledCode = (): Code => Code.fromAsset(join(import.meta.dirname, "not-bundled"));

/**
 * Writes `index.mjs` and its chunks to a folder. Throws esbuild's error, and for imports that a bundle changes, and for code that opens
 * pages but gets no scripts for them.
 */
export function bundle(entry: string, folder: string, options: BundleOptions = {}): void {
  const { nativePackages = [], withSite = false, withStatusFrame = false } = options;
  const { metafile } = buildSync({ ...buildOptions(entry, folder, options), metafile: true });
  refuseDynamicCommonJs(metafile);
  if (Object.keys(metafile.inputs).some((path) => path.startsWith("node_modules/esbuild/")))
    throw new Error(
      `${relative(projectRoot, entry)} opens pages, and is bundled without the scripts for them. Set withPageScripts.`,
    );
  if (withSite) cpSync(builtSite(), join(folder, "site"), { recursive: true });
  if (withStatusFrame) cpSync(join(builtSite(), STATUS_FRAME_FILE), join(folder, STATUS_FRAME_FILE));
  for (const name of packageClosure(nativePackages)) {
    const [from, to] = [projectRoot, folder].map((each) => join(each, "node_modules", name)) as [string, string];
    cpSync(from, to, { recursive: true, dereference: true });
  }
}

/**
 * The options of esbuild. Code behind `await import()` stays in chunks of its own: loading the engine early would be most of
 * the cold start of a function that captures.
 */
export function buildOptions(
  entry: string,
  folder: string,
  { define = {}, threads = {}, nativePackages = [], withPageScripts = false }: BundleOptions = {},
): BuildOptions {
  return {
    entryPoints: { index: entry, ...threads },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    absWorkingDir: projectRoot, // part of the names of generated files
    platform: "node",
    target: "node24",
    format: "esm",
    bundle: true,
    splitting: true,
    mainFields: ["module", "main"],
    // The AWS SDK is bundled too: the pinned version, and only the parts in use.
    external: [...nativePackages],
    alias: builtinWrappers,
    define: {
      ...(withPageScripts && pageScripts()),
      KNOWN_PATHS: JSON.stringify(JSON.stringify(knownPaths)),
      ...define,
    },
    // Identifiers stay, so that stack traces in logs are readable. A source map would say more, but Node.js keeps it
    // in memory from the first error on: 65 MB in a function that captures.
    minifyWhitespace: true,
    minifySyntax: true,
    // CommonJS packages call require(), which ES modules lack. The import is renamed because packages declare
    // `createRequire` themselves.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: "warning",
  };
}

/** The scripts and styles that are inserted into pages. Undefined in the sources, which build them when they are first used. */
function pageScripts(): Record<string, string> {
  return {
    INJECTED_SCRIPTS: JSON.stringify(JSON.stringify(buildInjectedScripts())),
    KATEX_STYLE: JSON.stringify(buildKatexStyle()),
    MERMAID_SCRIPT: JSON.stringify(buildMermaidScript()),
  };
}

/**
 * Built-in modules whose ESM import reads every export, and with it runs getters that load an unused HTTP client or
 * parse all root certificates. That takes longer than the rest of the cold start of a small function. A CommonJS wrapper
 * reads only the exports in use.
 */
const builtinWrappers = Object.fromEntries(
  ["http", "process", "tls", "util"].flatMap((name) => {
    const module = join(import.meta.dirname, "builtin-wrappers", `${name}.cjs`);
    return [
      [name, module],
      [`node:${name}`, module],
    ];
  }),
);
