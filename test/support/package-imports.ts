// The imports of packages in the module graph of a bundle, and how their exports differ between a bundle and Node.js.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSync, transformSync } from "esbuild";
import { buildOptions } from "../../lib/infra/bundling/bundle.ts";

const project = join(import.meta.dirname, "../..");
const nativePackages = ["sharp"];

/** An import of a package in a module of this project. */
export interface PackageImport {
  readonly file: string;
  readonly name: string;
  readonly isDynamic: boolean;
  /** The exports in use; undefined for all. */
  readonly exports: readonly string[] | undefined;
  /** Whether the default export may be one of all that are in use. */
  readonly mayUseDefault: boolean;
}

/** The imports in modules that these import, and in themselves. Packages among themselves are left out. */
export function findPackageImports(entryPoints: readonly string[]): PackageImport[] {
  const options = buildOptions("", project, { nativePackages, withPageScripts: true });
  const { inputs } = buildSync({ ...options, entryPoints: [...entryPoints], write: false, metafile: true }).metafile;
  return Object.entries(inputs)
    .filter(([file]) => !file.startsWith("node_modules/"))
    .flatMap(([file, { imports }]) => {
      const names = imports.map(({ original, path }) => original ?? path); // an external one has nothing else
      return names.some(isPackage) ? importsOf(file) : [];
    });
}

function isPackage(name: string): boolean {
  return !/^([./<]|node:)/.test(name);
}

const STATIC_IMPORT = /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|\{([^}]*)\})? from "([^"]+)";$/gm;
const DYNAMIC_IMPORT = /\bimport\("([^"]+)"\)/g;

/** Of the code as esbuild prints it, without types: each import is in one of two forms. */
function importsOf(file: string): PackageImport[] {
  const { code } = transformSync(readFileSync(join(project, file), "utf8"), { loader: "ts", format: "esm" });
  const statics = [...code.matchAll(STATIC_IMPORT)].map(([, defaultName, namespace, named, name = ""]) => {
    const names = (named ?? "").split(",").map((each) => each.trim().split(" as ")[0] ?? "");
    const exports = [...(defaultName ? ["default"] : []), ...names.filter((each) => each !== "")];
    return { file, name, isDynamic: false, exports: namespace ? undefined : exports, mayUseDefault: false };
  });
  // What is read of a namespace cannot be notified from the code, but the default export has no other name.
  const mayUseDefault = /\bdefault\b/.test(code);
  const dynamics = [...code.matchAll(DYNAMIC_IMPORT)].map(([, name = ""]) => {
    return { file, name, isDynamic: true, exports: undefined, mayUseDefault };
  });
  return [...statics, ...dynamics].filter(({ name }) => isPackage(name));
}

/** The types of a package's exports by their names, statically imported and dynamically. */
type ExportTypes = Record<"static" | "dynamic", Record<string, Record<string, string>>>;

/**
 * Loads the packages in a process of Node.js, and in another one from a bundle. Returns a line for each import and export
 * that the bundle lacks or has of another type. `folder` is for the bundle, and must
 * find the packages.
 */
export async function findDifferences(imports: readonly PackageImport[], folder: string): Promise<string[]> {
  const packages = [...new Set(imports.map(({ name }) => name))];
  const entry = join(folder, "entry.mts");
  writeFileSync(entry, listsExports(packages));
  buildSync(buildOptions(entry, join(folder, "bundle"), { nativePackages }));
  const [node, bundle] = await Promise.all([entry, join(folder, "bundle", "index.mjs")].map(runJson));

  return imports.flatMap(({ file, name, isDynamic, exports, mayUseDefault }) => {
    const [inNode = {}, inBundle = {}] = [node, bundle].map((types) => types?.[isDynamic ? "dynamic" : "static"][name]);
    const used = exports ?? Object.keys(inNode).filter((each) => each !== "default" || mayUseDefault);
    return used
      .filter((each) => inNode[each] === undefined || inNode[each] !== inBundle[each])
      .map((each) => `${file}: ${each} of ${name} is ${inNode[each]} in Node.js, and ${inBundle[each]} in a bundle`);
  });
}

function listsExports(packages: readonly string[]): string {
  const load = packages.map((name) => `${JSON.stringify(name)}: await import(${JSON.stringify(name)})`);
  return `${packages.map((name, index) => `import * as package${index} from ${JSON.stringify(name)};`).join("\n")}
const statics = { ${packages.map((name, index) => `${JSON.stringify(name)}: package${index}`).join(", ")} };
const dynamics = { ${load.join(", ")} };
const own = (name) => name !== "__esModule" && name !== "module.exports"; // of the conversion itself
const typesOf = (modules) => Object.fromEntries(Object.entries(modules).map(([name, module]) =>
  [name, Object.fromEntries(Object.keys(module).filter(own).map((key) => [key, typeof module[key]]))]));
process.stdout.write(JSON.stringify({ static: typesOf(statics), dynamic: typesOf(dynamics) }));
`;
}

async function runJson(file: string): Promise<ExportTypes> {
  const { stdout } = await promisify(execFile)(process.execPath, [file], { maxBuffer: 10_000_000 });
  return JSON.parse(stdout);
}
