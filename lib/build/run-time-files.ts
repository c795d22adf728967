// Traces the source files and packages that programs need at run time, by the imports that esbuild finds.
import { join } from "node:path";
import { build } from "esbuild";

const projectRoot = join(import.meta.dirname, "../..");

export interface RunTimeFiles {
  /** Paths of modules, relative to the project, sorted. */
  readonly files: readonly string[];
  /** Names of the packages that they import, sorted; not those that these need. */
  readonly packages: readonly string[];
}

/** `entries` and `excluded` are paths relative to the project; modules that `excluded` (with wildcards) names are imported by build steps only. */
export async function traceRunTimeFiles(
  entries: readonly string[],
  excluded: readonly string[],
): Promise<RunTimeFiles> {
  const { metafile } = await build({
    entryPoints: [...entries],
    absWorkingDir: projectRoot,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    external: excluded.map((path) => join(projectRoot, path)),
    metafile: true,
    write: false,
    outdir: "out", // names the results; nothing is written
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  const packages = imports.map(({ path }) => path).filter((path) => !/^(node:|[./])/.test(path));
  return {
    files: Object.keys(metafile.inputs).toSorted(),
    packages: [...new Set(packages.map(packageName))].toSorted(),
  };
}

/** `@scope/name/file` and `name/file` without the file. */
function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
