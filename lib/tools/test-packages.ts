// Installs the npm packages that only tests and measurements need, so that `npm ci` of the project need not.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder whose packages all files below it can import. */
export const TESTS = join(import.meta.dirname, "../../test");

/** An entry of a lockfile, as far as it says what is installed. */
interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
}

/** Folders that this process has checked. */
const checked = new Set<string>();

/** Installs the packages of the lockfile in `folder`, unless they are there, and prints to stderr that it does, and for how long. */
export function installPackages(folder: string): void {
  if (checked.has(folder) || isInstalled(folder)) return void checked.add(folder);
  const startedMs = performance.now();
  process.stderr.write(`npm ci --prefix ${folder}: installing the packages of the tests… `);
  execFileSync("npm", ["ci", "--prefix", folder], { stdio: ["ignore", "ignore", "inherit"] });
  process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);
  checked.add(folder);
}

/** True when `node_modules` has what the lockfile lists: npm writes down there what it has installed. */
export function isInstalled(folder: string): boolean {
  const wanted = readEntries(join(folder, "package-lock.json"));
  const installed = readEntries(join(folder, "node_modules/.package-lock.json"));
  const isThere = ([path, { version, integrity, optional }]: [string, Entry]) => {
    const found = installed[path];
    if (found === undefined) return optional === true; // such as a program for another platform
    return found.version === version && found.integrity === integrity;
  };
  return Object.keys(installed).every((path) => path in wanted) && Object.entries(wanted).every(isThere);
}

/** The entries of a lockfile by path, without that of the folder itself; none when there is no such file. */
function readEntries(file: string): Readonly<Record<string, Entry>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  const { "": _, ...entries }: Record<string, Entry> = JSON.parse(text).packages;
  return entries;
}
