// What a function's code is made of: its file, and all that this uses, in one folder that Lambda's Node can run.
import { cpSync } from "node:fs";
import { join, relative } from "node:path";
import { AssetHashType, DockerImage } from "aws-cdk-lib";
import { Code } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";
import { buildInjectedScripts } from "../engine/page/build-injected-scripts.ts";
import { packageClosure } from "./native-packages.ts";

const projectRoot = join(import.meta.dirname, "../..");

export interface BundleOptions {
  /** Expressions that are written into the code, by the name that stands for each. */
  readonly define?: Readonly<Record<string, string>>;
  /** Packages with machine code: they lie beside the bundle, with what they need. */
  readonly nativePackages?: readonly string[];
}

/** The bundle of a module that exports a `handler`, made when the stack is. `entry` is its path. */
export function bundledCode(entry: string, options: BundleOptions = {}): Code {
  return Code.fromAsset(join(entry, ".."), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry("none"), // asked for by the type alone, as it is for bundling that can fail
      command: [relative(projectRoot, entry), JSON.stringify(options)], // CDK takes bundles with the same for the same
      local: {
        tryBundle(folder) {
          bundle(entry, folder, options);
          return true;
        },
      },
    },
  });
}

/**
 * Writes `index.mjs` to a folder, and beside it what is loaded with it, or later, where the code says `await import()`:
 * the engine reads nothing before that, which would be most of the start of a function that captures. Throws what
 * esbuild says.
 */
export function bundle(entry: string, folder: string, { define = {}, nativePackages = [] }: BundleOptions = {}): void {
  buildSync({
    entryPoints: { index: entry },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    absWorkingDir: projectRoot, // part of the names of generated files
    platform: "node",
    target: "node24",
    format: "esm",
    bundle: true,
    splitting: true,
    mainFields: ["module", "main"],
    // The SDK as well: it is the pinned version then, and only the parts in use.
    external: [...nativePackages],
    alias: plainBuiltins,
    define: { INJECTED_SCRIPTS: JSON.stringify(JSON.stringify(buildInjectedScripts())), ...define },
    // Names stay as they are, so that stacks in logs can be read. A source map would say more, but Node holds it unpacked
    // from the first error on: 65 MB of a function that captures.
    minifyWhitespace: true,
    minifySyntax: true,
    // Packages written in CommonJS still call require(), which modules do not have.
    // Under a name of its own, since packages declare that of Node's.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: "warning",
  });
  for (const name of packageClosure(nativePackages)) {
    const [from, to] = [projectRoot, folder].map((each) => join(each, "node_modules", name)) as [string, string];
    cpSync(from, to, { recursive: true, dereference: true });
  }
}

/**
 * Modules of Node of which an import looks at all exports, and each look loads something: an HTTP client that nobody
 * uses, or all root certificates, parsed. That takes longer than all the rest of a small function; a look at the exports
 * in use does not.
 */
const plainBuiltins = Object.fromEntries(
  ["http", "process", "tls", "util"].flatMap((name) => {
    const module = join(import.meta.dirname, "plain-builtins", `${name}.cjs`);
    return [
      [name, module],
      [`node:${name}`, module],
    ];
  }),
);
