// The packages that a set of packages needs at run time.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const projectRoot = join(import.meta.dirname, "../..");

/**
 * The names of the packages and of their transitive dependencies that run on Lambda, sorted. A version that npm installed below the
 * package that needs it is a part of that package's folder. Throws for a package that is not installed.
 */
export function packageClosure(names: readonly string[], modules = join(projectRoot, "node_modules")): string[] {
  const found = new Set<string>();
  const visited = new Set<string>();
  /** `parents` are the folders of the packages that lead here, the outermost one first. */
  const visit = (name: string, parents: readonly string[]) => {
    const nested = parents.map((parent) => join(parent, "node_modules", name)).findLast(existsSync);
    const folder = nested ?? join(modules, name);
    if (nested === undefined) found.add(name);
    if (visited.has(folder)) return;
    visited.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder, name, modules);
    const path = nested === undefined ? [folder] : [...parents, folder];
    for (const dependency of Object.keys(dependencies)) visit(dependency, path);
    const optional = Object.keys(optionalDependencies);
    const matching = optional.filter(
      (each) => isInstalled(join(modules, each)) && runsOnLambda(readManifest(join(modules, each), each, modules)),
    );
    // Native packages offer one optional dependency per platform; npm installs that of this machine.
    if (optional.length > 0 && matching.length === 0)
      throw notInstalled(`the optional dependency of ${name} for Linux on x86_64`, modules);
    for (const each of matching) visit(each, path);
  };
  for (const name of names) visit(name, []);
  return [...found].sort();
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

function readManifest(folder: string, name: string, modules: string): Manifest {
  if (!isInstalled(folder)) throw notInstalled(name, modules);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function isInstalled(folder: string): boolean {
  return existsSync(join(folder, "package.json"));
}

function notInstalled(missing: string, modules: string): Error {
  return new Error(`${modules} lacks ${missing}. Run npm ci.`);
}

/** The functions run on Linux on x86_64, with glibc. */
function runsOnLambda({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Manifest): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}
