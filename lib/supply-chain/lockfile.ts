// The lockfile: which package lies where, and what it needs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An entry of package-lock.json, as far as anybody here asks. */
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

/** Entries by their paths, such as `node_modules/a/node_modules/b`; the project itself is at the empty one. */
export type Lockfile = Readonly<Record<string, LockedPackage>>;

export function readLockfile(project: string): Lockfile {
  return JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")).packages;
}

/** The name of the package that lies at a path. */
export function nameAt(path: string): string {
  return path.replace(/^.*node_modules\//, "");
}

/** Where a package is found that one at `path` needs, as Node looks for it; undefined where it is not installed. */
export function resolveFrom(lockfile: Lockfile, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.replace(/(^|\/)node_modules\/(?!.*node_modules\/).*$/, "")) {
    const found = `${folder}${folder === "" ? "" : "/"}node_modules/${name}`;
    if (found in lockfile) return found;
    if (folder === "") return undefined;
  }
}
