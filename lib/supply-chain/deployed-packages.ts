// Which packages of others are deployed: what the bundles of functions may hold, and what the layers are made of.
import { packages as fonts } from "../../layers/fonts/families.ts";
import { type LockedPackage, type Lockfile, nameAt, resolveFrom } from "./lockfile.ts";

export interface DeployedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** SHA-512 of its archive, in base64. */
  readonly sha512: string;
  /** Where its content ends up; several where it ends up in several. */
  readonly places: readonly Place[];
}

export type Place = "functions" | Layer;
export type Layer = keyof typeof layers;

/** What each layer carries the content of. The tools that make a layer leave nothing in it. */
export const layers = {
  chromium: ["@sparticuz/chromium"],
  fonts,
  blocking: ["@adguard/dnr-rulesets", "@duckduckgo/autoconsent"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Packages in the order of their names. Functions have what the project depends on, directly or not, where it runs on
 * Lambda; layers have packages that the project needs to be built only. Throws for one that the lockfile lacks.
 */
export function deployedPackages(lockfile: Lockfile): DeployedPackage[] {
  const places = new Map<string, Set<Place>>();
  const add = (path: string, place: Place) => places.set(path, (places.get(path) ?? new Set()).add(place));
  for (const path of closure(lockfile, Object.keys(lockfile[""]?.dependencies ?? {}))) add(path, "functions");
  for (const [layer, names] of Object.entries(layers)) {
    for (const name of names) add(`node_modules/${name}`, layer as Layer);
  }
  return [...places]
    .map(([path, found]) => ({ ...described(lockfile, path), places: [...found] }))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
}

/** Paths of these packages of the project and of all that they need. */
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

/** The functions are Linux on x86_64, with glibc. One package per machine is offered, of which one is deployed. */
function runsOnLambda({ os = ["linux"], cpu = ["x64"], libc = ["glibc"] }: LockedPackage): boolean {
  return os.includes("linux") && cpu.includes("x64") && libc.includes("glibc");
}

function described(lockfile: Lockfile, path: string): Omit<DeployedPackage, "places"> {
  const { version, license, integrity } = lockfile[path] ?? {};
  const [, sha512] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  if (version === undefined || sha512 === undefined) throw new Error(`The lockfile lacks ${path}, or its SHA-512.`);
  return { name: nameAt(path), version, licence: license ?? "none", sha512 };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
