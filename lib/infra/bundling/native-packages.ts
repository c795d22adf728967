// Packages with native code, which esbuild cannot bundle, and their dependencies.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const projectRoot = join(import.meta.dirname, "../../..");

/** The packages and their transitive dependencies that run on Lambda, sorted. Throws for a package that is not installed. */
export function packageClosure(names: readonly string[], modules = join(projectRoot, "node_modules")): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const { dependencies = {}, optionalDependencies = {} } = readManifest(name, modules);
    for (const dependency of Object.keys(dependencies)) visit(dependency);
    const optional = Object.keys(optionalDependencies);
    const matching = optional.filter((each) => isInstalled(each, modules) && runsOnLambda(readManifest(each, modules)));
    // Native packages offer one optional dependency per platform; npm installs that of this machine.
    if (optional.length > 0 && matching.length === 0)
      throw notInstalled(`the optional dependency of ${name} for Linux on x86_64`, modules);
    matching.forEach(visit);
  };
  for (const name of names) visit(name);
  return [...found].sort();
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

function readManifest(name: string, modules: string): Manifest {
  if (!isInstalled(name, modules)) throw notInstalled(name, modules);
  return JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
}

function isInstalled(name: string, modules: string): boolean {
  return existsSync(join(modules, name, "package.json"));
}

function notInstalled(missing: string, modules: string): Error {
  return new Error(`${modules} lacks ${missing}. Run npm ci.`);
}

/** The functions run on Linux on x86_64, with glibc. */
function runsOnLambda({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Manifest): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}
