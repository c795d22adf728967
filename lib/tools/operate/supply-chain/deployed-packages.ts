// The deployed third-party packages: those in the bundles of functions, in the layers, and in the pages of the website.
import { packages as fonts } from "../../../../layers/fonts/families.ts";
import { type LockedPackage, type Lockfile, packageName, resolveFrom } from "./lockfile.ts";

export interface DeployedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** SHA-512 of its archive, in base64. */
  readonly sha512: string;
  /** The functions or layers that contain it. */
  readonly locations: readonly Location[];
}

export type Location = "functions" | "website" | Layer;
export type Layer = keyof typeof layers;

/** The packages whose content each layer has. Build tools of a layer leave nothing in it. */
export const layers = {
  chromium: ["@sparticuz/chromium", "hyphen"],
  fonts,
  blocking: ["@adguard/dnr-rulesets", "@duckduckgo/autoconsent"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Licences that were read in the package's file, because its manifest names none. By name and version. */
const licencesOfFiles: Readonly<Record<string, string>> = { "khroma@2.1.0": "MIT" };

/** Packages that only browsers run, bundled without their own dependencies. The others of the website are in functions, too. */
const website = ["pdfjs-dist"];

/**
 * The deployed packages, sorted by name. Functions contain the transitive dependencies that run on Lambda; layers and the
 * website contain development dependencies. Throws for a package that is not in the lockfile.
 */
export function deployedPackages(lockfile: Lockfile): DeployedPackage[] {
  const locations = new Map<string, Set<Location>>();
  const add = (path: string, place: Location) => locations.set(path, (locations.get(path) ?? new Set()).add(place));
  for (const path of closure(lockfile, Object.keys(lockfile[""]?.dependencies ?? {}))) add(path, "functions");
  for (const [layer, names] of Object.entries(layers)) {
    for (const name of names) add(`node_modules/${name}`, layer as Layer);
  }
  for (const name of website) add(`node_modules/${name}`, "website");
  return [...locations]
    .map(([path, found]) => ({ ...describePackage(lockfile, path), locations: [...found] }))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
}

/** Lockfile paths of the packages and their transitive dependencies. */
function closure(lockfile: Lockfile, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string, isOptional: boolean) => {
    const path = resolveFrom(lockfile, from, name);
    if (path === undefined) {
      if (isOptional) return;
      throw new Error(`The lockfile lacks ${name}, which ${from || "the project"} needs.`);
    }
    const entry = lockfile[path] ?? {};
    if (found.has(path) || (isOptional && !runsOnLambda(entry))) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = entry;
    for (const each of Object.keys(dependencies)) visit(each, path, each in optionalDependencies);
    for (const each of Object.keys(optionalDependencies)) visit(each, path, true);
  };
  for (const name of names) visit(name, "", false);
  return found;
}

/** The functions run on Linux on x86_64, with glibc. Native packages have one optional dependency per platform. */
function runsOnLambda({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: LockedPackage): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}

function describePackage(lockfile: Lockfile, path: string): Omit<DeployedPackage, "locations"> {
  const { version, license, integrity } = lockfile[path] ?? {};
  const [, sha512] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  if (version === undefined || sha512 === undefined) throw new Error(`The lockfile lacks ${path}, or its SHA-512.`);
  const name = packageName(path);
  return { name, version, licence: license ?? licencesOfFiles[`${name}@${version}`] ?? "none", sha512 };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
