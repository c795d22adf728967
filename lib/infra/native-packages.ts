// Packages with machine code, which cannot be bundled: they lie beside the bundle, as in this checkout's node_modules.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundlingOptions } from "aws-cdk-lib/aws-lambda-nodejs";

const projectRoot = join(import.meta.dirname, "../..");

/**
 * Leaves imports of these packages in the bundle, and copies the packages, with all that they need on Lambda, into the
 * folder of the function. Nothing is installed or downloaded. Throws, when a bundle is made, for what is not installed.
 */
export function nativePackages(
  names: readonly string[],
): Required<Pick<BundlingOptions, "externalModules" | "commandHooks">> {
  return {
    externalModules: [...names],
    commandHooks: {
      beforeBundling: () => [],
      beforeInstall: () => [],
      afterBundling: (_, output) => packageClosure(names).flatMap((name) => copyPackage(name, output)),
    },
  };
}

/** These packages and what they depend on, directly or not, that runs on Lambda; sorted. */
export function packageClosure(names: readonly string[], modules = join(projectRoot, "node_modules")): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const { dependencies = {}, optionalDependencies = {} } = readManifest(name, modules);
    for (const dependency of Object.keys(dependencies)) visit(dependency);
    const optional = Object.keys(optionalDependencies);
    const matching = optional.filter((each) => isInstalled(each, modules) && runsOnLambda(readManifest(each, modules)));
    // One package per machine is offered, of which npm installs those of this machine.
    if (optional.length > 0 && matching.length === 0)
      throw notInstalled(`what ${name} needs on Linux on x86_64`, modules);
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

function notInstalled(what: string, modules: string): Error {
  return new Error(`${modules} lacks ${what}; run npm ci.`);
}

/** The functions are Linux on x86_64, with glibc. */
function runsOnLambda({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: Manifest): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}

function copyPackage(name: string, output: string): string[] {
  const target = join(output, "node_modules", name);
  return [
    `mkdir -p ${quoted(dirname(target))}`,
    `cp -RL ${quoted(join(projectRoot, "node_modules", name))} ${quoted(target)}`,
  ];
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
