// Reads package-lock.json: packages by path, with their dependencies.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of an entry of package-lock.json that is used. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  /** SPDX expression, as the package declares it. */
  readonly license?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Entries by path, such as `node_modules/a/node_modules/b`. The project itself has an empty path. */
export type Lockfile = Readonly<Record<string, LockedPackage>>;

/** Reads the lockfile in a folder: that of the project, or of its tests. */
export function readLockfile(folder: string): Lockfile {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
}

/** The name of the package at a path. */
export function packageName(path: string): string {
  return path.replace(/^.*node_modules\//, "");
}

/** The path of a dependency of the package at `path`, resolved like Node.js does; undefined when it is not installed. */
export function resolveFrom(lockfile: Lockfile, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.replace(/(^|\/)node_modules\/(?!.*node_modules\/).*$/, "")) {
    const found = `${folder}${folder === "" ? "" : "/"}node_modules/${name}`;
    if (found in lockfile) return found;
    if (folder === "") return undefined;
  }
}
